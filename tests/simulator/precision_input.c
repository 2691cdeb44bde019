#include "precision_input.h"

#include "bench/base/seeded.h"
#include "bench/table/backend.h"
#include "bench/table/matmul.h"
#include "bench/table/registry.h"
#include "tests/unit.h"

const char *const precision_input_names[PRECISION_INPUTS] = {
    [PRECISION_ZERO_MEAN] = "zero mean", [PRECISION_POSITIVE] = "positive", [PRECISION_IMAGES] = "images",
    [PRECISION_ROWS] = "sizes by row",   [PRECISION_WIDE] = "wide range",
};

enum { LARGEST = 40 };

static int size(uint64_t seed, int64_t index)
{
    return (int)(seeded_bits(seed, (uint64_t)index) % (2 * LARGEST + 1)) - LARGEST;
}

static void resize(struct problem *p, bool by_row)
{
    for (int64_t i = 0; i < p->m * p->k; i++)
        p->a[i] = ldexpf(p->a[i], size(11, by_row ? i / p->k : i));
    for (int64_t i = 0; i < p->k * p->n; i++)
        p->b[i] = ldexpf(p->b[i], size(12, by_row ? i % p->n : i));
}

struct problem precision_problem(enum precision_input input, int64_t m, int64_t k, int64_t n)
{
    if (input == PRECISION_POSITIVE)
        return make_problem_of(m, n, k, INPUT_POSITIVE, 1);
    if (input == PRECISION_IMAGES)
        return make_problem_of(m, n, k, INPUT_LIKE_IMAGES, 1);
    struct problem p = problem_without_reference(m, n, k);
    if (input != PRECISION_ZERO_MEAN)
        resize(&p, input == PRECISION_ROWS);
    make_reference(&p, true);
    return p;
}

static const struct backend *backend;

const char *precision_open(const char *name)
{
    for (size_t i = 0; i < rungbench_registry.backend_count; i++)
        if (strcmp(rungbench_registry.backends[i].name, name) == 0)
            backend = rungbench_registry.backends[i].backend;
    return backend ? backend->open(&(struct backend_settings){.device = -1, .times_nothing = true})
                   : "this build has no such backend";
}

void precision_close(void)
{
    backend->close();
}

const struct rung *precision_rung(const char *variant)
{
    const struct rung *rung = registry_find(&rungbench_registry, "matmul", variant);
    const char *lacking = rung->unavailable ? rung->unavailable : backend->lacks ? backend->lacks(rung->traits) : NULL;
    if (lacking)
        fprintf(stderr, "SKIPPED: %s: %s\n", variant, lacking);
    return lacking ? NULL : rung;
}

static void assert_done(const char *error)
{
    if (error)
        fail_msg("%s", error);
}

static void *uploaded(const float *from, int64_t elements)
{
    void *memory;
    assert_done(backend->allocate((size_t)elements * sizeof *from, EDGE_ANY, &memory));
    assert_done(backend->upload(memory, from, (size_t)elements * sizeof *from));
    return memory;
}

void precision_run(const struct rung *rung, struct problem *p)
{
    for (int64_t i = 0; i < p->m * p->n; i++)
        p->c[i] = NAN;
    float *a = uploaded(p->a, p->m * p->k), *b = uploaded(p->b, p->k * p->n), *c = uploaded(p->c, p->m * p->n);
    const struct matmul_problem problem = {.m = p->m, .n = p->n, .k = p->k, .a = a, .b = b, .c = c};
    assert_done(rung->run(&problem, backend->stream()));
    assert_done(backend->finish());
    assert_done(backend->download(p->c, c, (size_t)(p->m * p->n) * sizeof *c));
    assert_done(backend->finish());
    backend->release(c);
    backend->release(b);
    backend->release(a);
}

double precision_error(const struct problem *p, int64_t i)
{
    const struct reference *r = p->reference;
    double error = fabs(p->c[i] - r->value[i]) / (0x1p-24 * r->scale[i]);
    return isnan(error) ? (double)INFINITY : error;
}

double precision_rms(const struct problem *p)
{
    double squares = 0;
    for (int64_t i = 0; i < p->m * p->n; i++)
        squares += pow(precision_error(p, i), 2);
    return sqrt(squares / (double)(p->m * p->n));
}

double precision_worst(const struct problem *p)
{
    double worst = 0;
    for (int64_t i = 0; i < p->m * p->n; i++)
        worst = fmax(worst, precision_error(p, i));
    return worst;
}

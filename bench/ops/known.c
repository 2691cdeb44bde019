#include "known.h"

#include "bench/base/parallel.h"

#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

bool known_allocate(struct known *known, int64_t count, int64_t columns)
{
    const size_t bytes = (size_t)count * (size_t)columns * sizeof(double);
    *known = (struct known){.count = count, .columns = columns, .value = malloc(bytes), .scale = malloc(bytes)};
    return known->value && known->scale;
}

void known_free(struct known *known)
{
    free(known->index);
    free(known->value);
    free(known->scale);
}

struct findings {
    int64_t wrong;
    int64_t element; /* the first wrong one */
    double got, expected, bound;
    double max_abs_err, bound_at_max; /* NAN: an error without a size */
    double squares;
    int64_t measured;
};

/* 0 where both are the same infinity, or NaN; NAN or infinite where only one is. */
static inline double error_of(double got, double expected)
{
    return got == expected || (isnan(got) && isnan(expected)) ? 0 : fabs(got - expected);
}

static inline bool is_right(double err, double bound)
{
    return err == 0 || (err <= bound && err <= DBL_MAX);
}

static void note_element(double err, double bound, struct findings *found)
{
    if (!isnan(found->max_abs_err) && !(err <= found->max_abs_err)) {
        found->max_abs_err = err;
        found->bound_at_max = bound;
    }
}

/* Most elements are right, so the errors of a run of them are found first, without branches, and looked at then. */
enum { RUN = 64 };

/* The first of the run is `element` of the answer. */
static void compare_run(const double expected[], const double scale[], const float got[], int64_t count,
                        const struct tolerance *tolerance, int64_t element, struct findings *found)
{
    double err[RUN], bound[RUN], squares[RUN];
    int64_t wrong = 0, larger = 0, measured = 0;
    for (int64_t j = 0; j < count; j++)
        err[j] = error_of(got[j], expected[j]);
    for (int64_t j = 0; j < count; j++) {
        bound[j] = tolerance->relative * scale[j] + tolerance->underflow;
        double units = (err[j] - tolerance->underflow) / (tolerance->unit * scale[j]);
        squares[j] = units * fabs(units);
    }
    for (int64_t j = 0; j < count; j++) {
        wrong += !is_right(err[j], bound[j]);
        larger += !(err[j] <= found->max_abs_err);
        measured += scale[j] > 0;
    }
    for (int64_t j = 0; j < count; j++)
        found->squares += squares[j] > 0 ? squares[j] : 0;
    found->measured += measured;
    for (int64_t j = 0; j < count && larger > 0; j++)
        note_element(err[j], bound[j], found);
    for (int64_t j = 0; j < count && wrong > 0; j++) {
        if (is_right(err[j], bound[j]) || found->wrong++ > 0)
            continue;
        found->element = element + j;
        found->got = got[j];
        found->expected = expected[j];
        found->bound = bound[j];
    }
}

/* Rows are compared in shares. Each has findings of its own, and so many elements at least, which are worth a thread.
 */
enum { SHARE_ELEMENTS = 1 << 18, SHARES_MAX = 64 };

struct shares {
    const struct known *known;
    const struct tolerance *tolerance;
    const float *answer;
    int64_t rows; /* of a share */
    struct findings found[SHARES_MAX];
};

static void compare_share(void *self, int64_t share)
{
    struct shares *shares = self;
    const struct known *known = shares->known;
    int64_t n = known->columns, begin = share * shares->rows, end = begin + shares->rows;
    struct findings found = {0};
    for (int64_t s = begin; s < end && s < known->count; s++) {
        int64_t first = (known->index ? known->index[s] : s) * n;
        for (int64_t j = 0; j < n; j += RUN)
            compare_run(known->value + s * n + j, known->scale + s * n + j, shares->answer + first + j,
                        n - j < RUN ? n - j : RUN, shares->tolerance, first + j, &found);
    }
    shares->found[share] = found;
}

/* The shares come in the order of rows. */
static void add_findings(struct findings *all, const struct findings *more)
{
    const struct findings before = *all;
    if (before.wrong == 0)
        *all = *more;
    all->wrong = before.wrong + more->wrong;
    all->squares = before.squares + more->squares;
    all->measured = before.measured + more->measured;
    all->max_abs_err = before.max_abs_err;
    all->bound_at_max = before.bound_at_max;
    note_element(more->max_abs_err, more->bound_at_max, all);
}

/* "y[3,5]" */
static void name_element(const struct array_shape *shape, int64_t element, char *text, size_t size)
{
    int64_t below = array_elements(shape);
    int used = snprintf(text, size, "%s[", shape->name);
    for (int i = 0; i < shape->rank; i++) {
        below /= shape->size[i];
        used += snprintf(text + used, size - (size_t)used, "%s%" PRId64, i > 0 ? "," : "", element / below);
        element %= below;
    }
    snprintf(text + used, size - (size_t)used, "]");
}

static void report_wrong(const struct findings *found, const struct array_shape *shape, int64_t compared,
                         struct check *check)
{
    char element[160], within[32];
    name_element(shape, found->element, element, sizeof element);
    snprintf(within, sizeof within, found->bound > 0 ? "within %.3g" : "exactly", found->bound);
    snprintf(check->reason, sizeof check->reason,
             "wrong answer: %s is %.9g, expected %.9g %s; %" PRId64 " of %" PRId64 " checked elements are wrong",
             element, found->got, found->expected, within, found->wrong, compared);
}

int64_t known_compare(const struct known *known, const struct tolerance *tolerance, const struct array_shape *shape,
                      const float *answer, struct check *check)
{
    int64_t few = SHARE_ELEMENTS / known->columns + 1, many = (known->count - 1) / SHARES_MAX + 1;
    struct shares shares = {known, tolerance, answer, few > many ? few : many, {{0}}};
    struct findings found = {0};
    int64_t share_count = (known->count - 1) / shares.rows + 1;
    assert(share_count <= SHARES_MAX);
    if (share_count > 1)
        parallel_each(share_count, compare_share, &shares);
    else
        compare_share(&shares, 0);
    for (int64_t share = 0; share < share_count; share++)
        add_findings(&found, &shares.found[share]);
    *check = (struct check){
        .correct = found.wrong == 0,
        .max_abs_err = found.max_abs_err,
        .err_bound = found.bound_at_max,
        .rms_err = tolerance->unit > 0 && found.measured > 0 ? sqrt(found.squares / (double)found.measured) : NAN,
    };
    if (!check->correct)
        report_wrong(&found, shape, known->count * known->columns, check);
    return found.measured;
}

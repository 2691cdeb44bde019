/* matmul_grad_b cpu_tuned: outer products of rows, vectorised, all threads.
 *
 * Technique: dB is the sum of the outer products of the rows of A and the rows of dC. So A is read along its rows, and
 * transposed nowhere. dB is cut into strips, two vectors of its rows wide. A few rows of A give each their part of a
 * strip, which stays in registers while a loop over the columns of dC multiplies it by one element of each row and adds
 * the products to the sums of that column. Vectors are AVX-512, AVX2 or the baseline of the architecture, chosen at run
 * time. The sums lie strip by strip, and column by column in a strip; only at the end do they become rows of dB.
 *
 * Where all sums fit in the L1 cache (MNIST: 784 x 10), the strips of a few rows follow each other, so A streams
 * through once, row by row. Else the same strip of many rows comes first, so that a strip's sums stay in the cache.
 *
 * Each thread has a part of the batch and sums of its own. At the end these are added, always in the same order. Where
 * dB is large, that would take much memory, and threads share strips instead.
 *
 * What it fixes in cpu_scalar: a sum is loaded and stored once for several rows of the batch, not for each, vectors do
 * many products at a time, and all cores work.
 *
 * What bounds it: the bandwidth of reading A, once, if N is small; else the multiply-add units. */
#include "bench/base/ceil_div.h"
#include "bench/table/matmul_grad_b.h"
#include "bench/table/rung.h"
#include "cpu/backend/cpu_isa.h"
#include "cpu/work.h"

#include <assert.h>
#include <string.h>

enum {
    WIDTH_MAX = 32,          /* of a strip */
    COLUMNS = 128,           /* of dC at a time: the sums of a strip then fit in the L1 cache */
    BLOCK_ROWS = 64,         /* of A, a multiple of the rows per turn */
    SUMS_IN_L1 = 10240,      /* floats */
    SUMS_OF_PARTS = 1 << 22, /* floats, of all parts of the batch */
    FLOP_PER_THREAD = 2000000,
};

/* sums[j][l] += the sum over `rows` rows of a[l] * dc[j]. Rows are a_row and dc_row apart. */
struct strip {
    int64_t rows, columns, a_row, dc_row;
    const float *a, *dc;
    float *sums;
};

/* Per instruction set. */
struct strips {
    int64_t rows, width; /* rows of A per turn, floats per strip */
    void (*add_rows)(const struct strip *strip);
};

#define ISA_TEMPLATE "cpu/matmul_grad_b/strip_isa.h"
#include "cpu/backend/cpu_each_isa.h"

struct plan {
    const struct matmul_grad_b_problem *problem;
    const struct strips *strips;
    int64_t strip_count, columns; /* columns: of dC at a time */
    int64_t parts, groups;        /* of the batch; of strips. Their product is the number of threads. */
    float *sums;                  /* parts x strip_count x columns x width; NULL: no memory */
};

static struct plan make_plan(const struct matmul_grad_b_problem *p)
{
    static const struct strips *const by_isa[] = ISA_TABLE(strips);
    struct plan plan = {.problem = p, .strips = by_isa[isa_best()], .columns = smaller(p->n, COLUMNS)};
    plan.strip_count = ceil_div(p->k, plan.strips->width);
    const int64_t floats = plan.strip_count * plan.strips->width * plan.columns;
    const int threads = work_threads(2.0 * (double)p->m * (double)p->n * (double)p->k, FLOP_PER_THREAD);
    plan.parts = smaller(smaller(threads, p->m), SUMS_OF_PARTS / smaller(floats, SUMS_OF_PARTS));
    plan.groups = smaller(threads / plan.parts, plan.strip_count);
    plan.sums = work_memory((size_t)(plan.parts * floats));
    return plan;
}

static float *sums_of(const struct plan *plan, int64_t part, int64_t strip)
{
    return plan->sums + (part * plan->strip_count + strip) * plan->columns * plan->strips->width;
}

/* Adds rows of the batch to the sums of a strip. The last strip may reach beyond a row of A: it is copied then. */
static void add_rows(const struct plan *plan, int64_t strip, struct strip *s, int64_t row, int64_t column)
{
    const struct matmul_grad_b_problem *p = plan->problem;
    const int64_t width = plan->strips->width, first = strip * width, inside = smaller(p->k - first, width);
    float padded[BLOCK_ROWS * WIDTH_MAX];
    s->a = p->a + row * p->k + first;
    s->a_row = p->k;
    s->dc = p->dc + row * p->n + column;
    if (inside < width) {
        memset(padded, 0, (size_t)(s->rows * width) * sizeof *padded);
        for (int64_t i = 0; i < s->rows; ++i)
            memcpy(padded + i * width, s->a + i * p->k, (size_t)inside * sizeof *padded);
        s->a = padded;
        s->a_row = width;
    }
    plan->strips->add_rows(s);
}

/* One thread sums a part of the batch for its strips and the columns of dC from `column` on. */
static void sum_part(const struct plan *plan, int64_t part, int64_t group, int64_t column, int64_t columns)
{
    const struct matmul_grad_b_problem *p = plan->problem;
    const int64_t from = p->m * part / plan->parts, to = p->m * (part + 1) / plan->parts;
    const int64_t first = plan->strip_count * group / plan->groups,
                  end = plan->strip_count * (group + 1) / plan->groups;
    const int64_t strip_floats = columns * plan->strips->width;
    const int64_t block_rows = (end - first) * strip_floats <= SUMS_IN_L1 ? plan->strips->rows : BLOCK_ROWS;
    for (int64_t strip = first; strip < end; ++strip)
        memset(sums_of(plan, part, strip), 0, (size_t)strip_floats * sizeof(float));
    for (int64_t row = from; row < to; row += block_rows) {
        for (int64_t strip = first; strip < end; ++strip) {
            struct strip s = {.rows = smaller(block_rows, to - row), .columns = columns, .dc_row = p->n};
            s.sums = sums_of(plan, part, strip);
            add_rows(plan, strip, &s, row, column);
        }
    }
}

/* Adds the parts of a strip, in their order, and stores its rows of dB. */
static void store_strip(const struct plan *plan, int64_t strip, int64_t column, int64_t columns)
{
    const struct matmul_grad_b_problem *p = plan->problem;
    const int64_t width = plan->strips->width, first = strip * width;
    for (int64_t i = 0; i < smaller(p->k - first, width); ++i) {
        for (int64_t j = 0; j < columns; ++j) {
            float sum = sums_of(plan, 0, strip)[j * width + i];
            for (int64_t part = 1; part < plan->parts; ++part)
                sum += sums_of(plan, part, strip)[j * width + i];
            p->db[(first + i) * p->n + column + j] = sum;
        }
    }
}

const char *matmul_grad_b_cpu_tuned(const void *problem, void *stream)
{
    (void)stream;
    struct plan plan = make_plan(problem);
    if (!plan.sums)
        return "matmul_grad_b cpu_tuned: no memory for sums";
    const int64_t threads = plan.parts * plan.groups;
#pragma omp parallel num_threads((int)threads) if (threads > 1)
    for (int64_t column = 0; column < plan.problem->n; column += plan.columns) {
        const int64_t columns = smaller(plan.columns, plan.problem->n - column);
#pragma omp for schedule(static)
        for (int64_t share = 0; share < threads; ++share)
            sum_part(&plan, share / plan.groups, share % plan.groups, column, columns);
#pragma omp for schedule(static)
        for (int64_t strip = 0; strip < plan.strip_count; ++strip)
            store_strip(&plan, strip, column, columns);
    }
    return NULL;
}

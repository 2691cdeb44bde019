#include "matmul_problem.h"
#include "tests/unit.h"

float *floats(int64_t rows, int64_t columns)
{
    float *matrix = malloc((size_t)(rows * columns) * sizeof *matrix);
    assert_non_null(matrix);
    return matrix;
}

static void fill_random(float *matrix, int64_t elements, uint64_t seed)
{
    const struct made made = made_unit(seed, 1);
    made_fill(matrix, (size_t)elements * sizeof *matrix, &made, 0);
}

static void make_positive(float *matrix, int64_t elements)
{
    for (int64_t i = 0; i < elements; i++)
        matrix[i] = fabsf(matrix[i]);
}

/* 80 % of the pixels are black, the others have one of 255 grey values. */
static void make_images(float *matrix, int64_t elements)
{
    for (int64_t i = 0; i < elements; i++)
        matrix[i] = matrix[i] < 0.6f ? 0 : ceilf((matrix[i] - 0.6f) / 0.4f * 255) / 255;
}

static struct problem problem_of(int64_t m, int64_t n, int64_t k, int64_t distinct, enum input input, uint64_t seed)
{
    struct problem p = {m, n, k, distinct, floats(m, k), floats(k, n), floats(m, n), NULL};
    fill_random(p.a, distinct * k, made_seed(seed, 'a'));
    fill_random(p.b, k * n, made_seed(seed, 'b'));
    if (input == INPUT_POSITIVE) {
        make_positive(p.a, distinct * k);
        make_positive(p.b, k * n);
    }
    if (input == INPUT_LIKE_IMAGES)
        make_images(p.a, distinct * k);
    for (int64_t i = distinct; i < m; i++)
        memcpy(p.a + i * k, p.a + (i - distinct) * k, (size_t)k * sizeof *p.a);
    return p;
}

struct problem problem_without_reference(int64_t m, int64_t n, int64_t k)
{
    return problem_of(m, n, k, m, INPUT_ZERO_MEAN, 1);
}

void make_reference(struct problem *p, bool zero_mean)
{
    struct input_note note = {.zero_mean = zero_mean};
    p->reference = op_reference_make(&matmul_op, &(struct workload){.size = {p->m, p->k, p->n}}, &note,
                                     (void *[]){p->a, p->b, p->c});
    assert_non_null(p->reference);
}

struct problem make_problem_of(int64_t m, int64_t n, int64_t k, enum input input, uint64_t seed)
{
    struct problem p = problem_of(m, n, k, m, input, seed);
    make_reference(&p, input == INPUT_ZERO_MEAN);
    return p;
}

struct problem make_problem(int64_t m, int64_t n, int64_t k)
{
    return make_problem_of(m, n, k, INPUT_ZERO_MEAN, 1);
}

struct problem make_large_problem(int64_t m, int64_t n, int64_t k, enum input input)
{
    enum { DISTINCT_ROWS = 7 };
    struct problem p = problem_of(m, n, k, DISTINCT_ROWS, input, 1);
    make_reference(&p, input == INPUT_ZERO_MEAN);
    multiply(&p, in_eight_lanes);
    return p;
}

void free_problem(struct problem *p)
{
    op_reference_free(p->reference);
    free(p->a);
    free(p->b);
    free(p->c);
}

double magnitude_at(const struct problem *p, int64_t i, int64_t j)
{
    double sum = 0;
    for (int64_t q = 0; q < p->k; q++)
        sum += fabs((double)p->a[i * p->k + q] * (double)p->b[q * p->n + j]);
    return sum;
}

struct check check_as(const struct problem *p, enum precision precision)
{
    struct check check;
    memset(&check, 0xFF, sizeof check);
    op_check(p->reference, precision, (void *[]){NULL, NULL, p->c}, &check);
    return check;
}

void assert_right_as(const struct problem *p, enum precision precision)
{
    struct check check = check_as(p, precision);
    if (!check.correct)
        fail_msg("%ldx%ldx%ld: %s", (long)p->m, (long)p->k, (long)p->n, check.reason);
}

void assert_right(const struct problem *p)
{
    assert_right_as(p, PRECISION_FP32);
}

void assert_wrong(const struct problem *p, const char *reason)
{
    struct check check = check_as(p, PRECISION_FP32);
    assert_false(check.correct);
    if (!strstr(check.reason, reason))
        fail_msg("'%s' does not say '%s'", check.reason, reason);
}

static float *rounded_rows(const float *a, int64_t elements, rounding *round)
{
    float *copy = floats(elements, 1);
    for (int64_t i = 0; i < elements; i++)
        copy[i] = round(a[i]);
    return copy;
}

static float *rounded_columns(const struct problem *p, rounding *round)
{
    float *columns = floats(p->n, p->k);
    for (int64_t q = 0; q < p->k; q++)
        for (int64_t j = 0; j < p->n; j++)
            columns[j * p->k + q] = round(p->b[q * p->n + j]);
    return columns;
}

void multiply_rounded(struct problem *p, dot *order, rounding *round_a, rounding *round_b)
{
    float *a = rounded_rows(p->a, p->distinct * p->k, round_a), *b = rounded_columns(p, round_b);
    for (int64_t i = 0; i < p->distinct; i++)
        for (int64_t j = 0; j < p->n; j++)
            p->c[i * p->n + j] = order(a + i * p->k, b + j * p->k, p->k);
    for (int64_t i = p->distinct; i < p->m; i++)
        memcpy(p->c + i * p->n, p->c + (i - p->distinct) * p->n, (size_t)p->n * sizeof *p->c);
    free(a);
    free(b);
}

void multiply(struct problem *p, dot *order)
{
    multiply_rounded(p, order, unrounded, unrounded);
}

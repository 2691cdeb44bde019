#include "matmul_mistakes.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void one_is_nan(struct problem *p, int64_t i, int64_t j)
{
    p->c[i * p->n + j] = NAN;
}

void one_is_infinite(struct problem *p, int64_t i, int64_t j)
{
    p->c[i * p->n + j] = INFINITY;
}

void one_is_zero(struct problem *p, int64_t i, int64_t j)
{
    p->c[i * p->n + j] = 0;
}

void one_has_the_other_sign(struct problem *p, int64_t i, int64_t j)
{
    p->c[i * p->n + j] *= -1;
}

void one_is_off_by_a_thousandth(struct problem *p, int64_t i, int64_t j)
{
    p->c[i * p->n + j] += (float)(1e-3 * magnitude_at(p, i, j));
}

void one_is_off_by_three_thousandths(struct problem *p, int64_t i, int64_t j)
{
    p->c[i * p->n + j] += (float)(3e-3 * magnitude_at(p, i, j));
}

static void swap(float *a, float *b)
{
    float old_a = *a;
    *a = *b;
    *b = old_a;
}

static float *neighbour_in_row(const struct problem *p, int64_t i, int64_t j)
{
    return &p->c[i * p->n + (j + 1 < p->n ? j + 1 : j - 1)];
}

static float *neighbour_in_column(const struct problem *p, int64_t i, int64_t j)
{
    return &p->c[(i + 1 < p->m ? i + 1 : i - 1) * p->n + j];
}

void swapped_with_its_neighbour_in_the_row(struct problem *p, int64_t i, int64_t j)
{
    swap(&p->c[i * p->n + j], neighbour_in_row(p, i, j));
}

void swapped_with_its_neighbour_in_the_column(struct problem *p, int64_t i, int64_t j)
{
    swap(&p->c[i * p->n + j], neighbour_in_column(p, i, j));
}

void all_are_nan(struct problem *p, int64_t i, int64_t j)
{
    (void)i, (void)j;
    memset(p->c, 0xFF, (size_t)(p->m * p->n) * sizeof *p->c);
}

void all_are_zero(struct problem *p, int64_t i, int64_t j)
{
    (void)i, (void)j;
    memset(p->c, 0, (size_t)(p->m * p->n) * sizeof *p->c);
}

void all_are_halved(struct problem *p, int64_t i, int64_t j)
{
    (void)i, (void)j;
    for (int64_t e = 0; e < p->m * p->n; e++)
        p->c[e] /= 2;
}

void two_rows_are_swapped(struct problem *p, int64_t i, int64_t j)
{
    (void)j;
    for (int64_t column = 0; column < p->n; column++)
        swapped_with_its_neighbour_in_the_column(p, i, column);
}

void a_row_is_shifted(struct problem *p, int64_t i, int64_t j)
{
    (void)j;
    memmove(p->c + i * p->n, p->c + i * p->n + 1, (size_t)(p->n - 1) * sizeof *p->c);
}

void the_last_product_is_left_out(struct problem *p, int64_t i, int64_t j)
{
    (void)i, (void)j;
    for (int64_t row = 0; row < p->m; row++)
        for (int64_t column = 0; column < p->n; column++)
            p->c[row * p->n + column] -= p->a[row * p->k + p->k - 1] * p->b[(p->k - 1) * p->n + column];
}

int64_t outstanding(const struct problem *p, int64_t i, int64_t j, double least)
{
    for (;; j = j + 1 < p->n ? j + 1 : 0) {
        float c = p->c[i * p->n + j];
        double change =
            fmin(fabsf(c), fmin(fabsf(c - *neighbour_in_row(p, i, j)), fabsf(c - *neighbour_in_column(p, i, j))));
        if (change > least * magnitude_at(p, i, j))
            return j;
    }
}

struct problem one_row(const struct problem *p, int64_t i, struct reference *reference)
{
    *reference = *p->reference;
    reference->workload.size[0] = 1;
    if (reference->index) {
        reference->rows = 0;
    } else {
        reference->rows = 1;
        reference->value += i * p->n;
        reference->bound += i * p->n;
        reference->scale += i * p->n;
    }
    if (reference->freivalds) {
        static struct freivalds of_row;
        of_row = *reference->freivalds;
        of_row.rest.elements = 1;
        for (int part = 0; part < FREIVALDS_PARTS; part++)
            of_row.found[part] += i * of_row.blocks;
        reference->freivalds = &of_row;
    }
    return (struct problem){1, p->n, p->k, 1, p->a + i * p->k, p->b, p->c + i * p->n, reference};
}

/* A mistake at one place changes its row and the rows next to it only. */
static void make_check_undo(struct problem *p, const struct problem *checked, enum precision precision, mistake *make,
                            int64_t i, int64_t j)
{
    int64_t first = i > 0 ? i - 1 : 0, rows = (i + 1 < p->m ? i + 2 : p->m) - first;
    size_t bytes = (size_t)(rows * p->n) * sizeof *p->c;
    float *original = floats(rows, p->n);
    memcpy(original, p->c + first * p->n, bytes);
    make(p, i, j);
    struct check check = check_as(checked, precision);
    memcpy(p->c + first * p->n, original, bytes);
    free(original);
    if (check.correct)
        fail_msg("a mistake in %ldx%ldx%ld at %ld, %ld is not found", (long)p->m, (long)p->k, (long)p->n, (long)i,
                 (long)j);
    assert_non_null(strstr(check.reason, "wrong answer"));
}

void assert_found(struct problem *p, enum precision precision, mistake *make, int64_t i, int64_t j)
{
    make_check_undo(p, p, precision, make, i, j);
}

void assert_found_in_row(struct problem *p, enum precision precision, mistake *make, int64_t i, int64_t j)
{
    struct reference reference;
    struct problem row = one_row(p, i, &reference);
    make_check_undo(p, &row, precision, make, i, j);
}

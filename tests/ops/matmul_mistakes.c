#include "matmul_mistakes.h"
#include "tests/unit.h"

double mistake_least(enum precision precision)
{
    return precision == PRECISION_FP32 ? 1e-3 : 3e-3;
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

static void leave_out_the_last_product(struct problem *p)
{
    for (int64_t e = 0; e < p->m * p->n; e++)
        p->c[e] -= p->a[e / p->n * p->k + p->k - 1] * p->b[(p->k - 1) * p->n + e % p->n];
}

void make_mistake(struct problem *p, enum precision precision, enum mistake mistake, int64_t i, int64_t j)
{
    float *element = &p->c[i * p->n + j], *row = &p->c[i * p->n];
    const int64_t elements = p->m * p->n;
    switch (mistake) {
    case ONE_IS_ZERO: *element = 0; break;
    case ONE_IS_OFF: *element += (float)(mistake_least(precision) * magnitude_at(p, i, j)); break;
    case SWAPPED_IN_ROW: swap(element, neighbour_in_row(p, i, j)); break;
    case SWAPPED_IN_COLUMN: swap(element, neighbour_in_column(p, i, j)); break;
    case ONE_IS_NAN: *element = NAN; break;
    case ONE_IS_INFINITE: *element = INFINITY; break;
    case ONE_HAS_THE_OTHER_SIGN: *element *= -1; break;
    case ROW_SHIFTED: memmove(row, row + 1, (size_t)(p->n - 1) * sizeof *row); break;
    case ROWS_SWAPPED:
        for (int64_t column = 0; column < p->n; column++)
            swap(&row[column], neighbour_in_column(p, i, column));
        break;
    case ALL_ARE_NAN: memset(p->c, 0xFF, (size_t)elements * sizeof *p->c); break;
    case ALL_ARE_ZERO: memset(p->c, 0, (size_t)elements * sizeof *p->c); break;
    case ALL_ARE_HALVED:
        for (int64_t e = 0; e < elements; e++)
            p->c[e] /= 2;
        break;
    default: leave_out_the_last_product(p);
    }
}

int64_t outstanding(const struct problem *p, enum precision precision, int64_t i, int64_t j)
{
    for (;; j = j + 1 < p->n ? j + 1 : 0) {
        float c = p->c[i * p->n + j];
        double change =
            fmin(fabsf(c), fmin(fabsf(c - *neighbour_in_row(p, i, j)), fabsf(c - *neighbour_in_column(p, i, j))));
        if (change > mistake_least(precision) * magnitude_at(p, i, j))
            return j;
    }
}

/* Row i as a problem of its own. Its reference is written to `reference`; that of a sampled reference consists of
 * Freivalds' check only. */
static struct problem one_row(const struct problem *p, int64_t i, struct reference *reference)
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
static void make_check_undo(struct problem *p, const struct problem *checked, enum precision precision,
                            enum mistake mistake, int64_t i, int64_t j)
{
    int64_t first = i > 0 ? i - 1 : 0, rows = (i + 1 < p->m ? i + 2 : p->m) - first;
    size_t bytes = (size_t)(rows * p->n) * sizeof *p->c;
    float *original = floats(rows, p->n);
    memcpy(original, p->c + first * p->n, bytes);
    make_mistake(p, precision, mistake, i, j);
    struct check check = check_as(checked, precision);
    memcpy(p->c + first * p->n, original, bytes);
    free(original);
    if (check.correct)
        fail_msg("mistake %d in %ldx%ldx%ld at %ld, %ld is not found", (int)mistake, (long)p->m, (long)p->k, (long)p->n,
                 (long)i, (long)j);
    assert_non_null(strstr(check.reason, "wrong answer"));
}

void assert_found(struct problem *p, enum precision precision, enum mistake mistake, int64_t i, int64_t j)
{
    make_check_undo(p, p, precision, mistake, i, j);
}

void assert_found_in_row(struct problem *p, enum precision precision, enum mistake mistake, int64_t i, int64_t j)
{
    struct reference reference;
    struct problem row = one_row(p, i, &reference);
    make_check_undo(p, &row, precision, mistake, i, j);
}

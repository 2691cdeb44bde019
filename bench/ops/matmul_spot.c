#include "matmul_spot.h"

#include "bench/base/seeded.h"
#include "matmul_check.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 64 };
/* Of the reference, in multiply-adds; at least one row is checked. */
static const int64_t work_limit = 20000000;

static int64_t row_count(const struct matmul_spot *spot)
{
    int64_t rows = work_limit / spot->k / spot->n;
    rows = rows < 1 ? 1 : rows < ROWS_MAX ? rows : ROWS_MAX;
    return rows < spot->m ? rows : spot->m;
}

/* Gathers rows of A and C, one from each of `rows` equal parts. */
static void gather(const struct matmul_spot *spot, int64_t rows, float *a, float *c)
{
    size_t a_bytes = (size_t)spot->k * sizeof *a, c_bytes = (size_t)spot->n * sizeof *c;
    for (int64_t i = 0; i < rows; i++) {
        int64_t from = i * spot->m / rows, to = (i + 1) * spot->m / rows;
        size_t row = (size_t)from + (size_t)(seeded_bits(spot->choice, (uint64_t)i) % (uint64_t)(to - from));
        noise_fill(a + i * spot->k, a_bytes, spot->a, row * a_bytes);
        memcpy(c + i * spot->n, spot->c + row * (size_t)spot->n, c_bytes);
    }
}

static void check_rows(const struct matmul_spot *spot, int64_t rows, const float *a, const float *b, const float *c,
                       enum precision precision, struct check *check)
{
    struct input_note note = {.text = "noise"};
    struct matmul_reference *reference = matmul_reference_make(rows, spot->n, spot->k, a, b, &note);
    if (reference)
        matmul_check(reference, precision, c, check);
    matmul_reference_free(reference);
}

void matmul_spot_check(const struct matmul_spot *spot, enum precision precision, struct check *check)
{
    int64_t rows = row_count(spot);
    size_t b_bytes = (size_t)spot->k * (size_t)spot->n * sizeof(float);
    float *a = malloc((size_t)rows * (size_t)spot->k * sizeof *a), *b = malloc(b_bytes);
    float *c = malloc((size_t)rows * (size_t)spot->n * sizeof *c);
    *check = (struct check){.correct = false, .reason = "no memory to check it"};
    if (a && b && c) {
        gather(spot, rows, a, c);
        noise_fill(b, b_bytes, spot->b, 0);
        check_rows(spot, rows, a, b, c, precision, check);
    }
    free(a);
    free(b);
    free(c);
}

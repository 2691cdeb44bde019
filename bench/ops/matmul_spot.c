#include "matmul_spot.h"

#include "bench/base/seeded.h"
#include "matmul_check.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 64 };
/* Of the reference, in multiply-adds; at least one row is checked. */
static const int64_t work_limit = 20000000;

static int64_t row_count(const struct matmul_product *product)
{
    int64_t rows = work_limit / product->k / product->n;
    rows = rows < 1 ? 1 : rows < ROWS_MAX ? rows : ROWS_MAX;
    return rows < product->m ? rows : product->m;
}

/* A row of A, wherever its elements lie. */
static void make_row(const struct matmul_spot *spot, size_t row, float *a)
{
    const struct matmul_product *p = &spot->product;
    size_t k = (size_t)p->k;
    if (!p->a_transposed)
        noise_fill(a, k * sizeof *a, spot->a, row * k * sizeof *a);
    for (size_t i = 0; i < k && p->a_transposed; i++)
        noise_fill(a + i, sizeof *a, spot->a, (i * (size_t)p->m + row) * sizeof *a);
}

/* Gathers rows of A and C, one from each of `rows` equal parts. */
static void gather(const struct matmul_spot *spot, int64_t rows, float *a, float *c)
{
    int64_t m = spot->product.m, n = spot->product.n;
    for (int64_t i = 0; i < rows; i++) {
        int64_t from = i * m / rows, to = (i + 1) * m / rows;
        size_t row = (size_t)from + (size_t)(seeded_bits(spot->choice, (uint64_t)i) % (uint64_t)(to - from));
        make_row(spot, row, a + i * spot->product.k);
        memcpy(c + i * n, spot->c + row * (size_t)n, (size_t)n * sizeof *c);
    }
}

static void check_rows(const struct matmul_product *rows, const float *a, const float *b, const float *c,
                       enum precision precision, struct check *check)
{
    struct input_note note = {.text = "noise"};
    struct matmul_reference *reference = matmul_reference_make(rows, a, b, &note);
    if (reference)
        matmul_check(reference, precision, c, check);
    matmul_reference_free(reference);
}

void matmul_spot_check(const struct matmul_spot *spot, enum precision precision, struct check *check)
{
    struct matmul_product rows = spot->product;
    rows.m = row_count(&spot->product);
    rows.a_transposed = false;
    size_t b_bytes = (size_t)rows.k * (size_t)rows.n * sizeof(float);
    float *a = malloc((size_t)rows.m * (size_t)rows.k * sizeof *a), *b = malloc(b_bytes);
    float *c = malloc((size_t)rows.m * (size_t)rows.n * sizeof *c);
    *check = (struct check){.is_unjudged = true, .reason = "no memory to check it"};
    if (a && b && c) {
        gather(spot, rows.m, a, c);
        noise_fill(b, b_bytes, spot->b, 0);
        check_rows(&rows, a, b, c, precision, check);
    }
    free(a);
    free(b);
    free(c);
}

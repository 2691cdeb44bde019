#include "matmul_reference.h"

#include "bench/base/host.h"
#include "bench/base/parallel.h"

#include <math.h>
#include <stdlib.h>

/* Block sizes of known_block(): the accumulators of a block fit in the L1 cache. */
enum { ROWS_AT_ONCE = 4, COLUMNS_AT_ONCE = 128 };
enum { TRANSPOSED_AT_ONCE = 16 }; /* a cache line of elements */

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

static int64_t sampled_rows(int64_t m, int64_t n)
{
    int64_t rows = ceil_div(MATMUL_SAMPLED_ELEMENTS, n);
    return smaller(m, rows > MATMUL_SAMPLED_ROWS ? rows : MATMUL_SAMPLED_ROWS);
}

static bool is_full(int64_t m, int64_t n, int64_t k)
{
    return 2.0 * (double)m * (double)n * (double)k <= MATMUL_FULL_REFERENCE_FLOP || sampled_rows(m, n) == m;
}

/* The number of columns in a block. The bound of a block grows with sqrt(columns * k). It must stay below 1/4 of 1e-3
 * (|A||B|), the smallest error of one element that has to be detected. */
static int64_t freivalds_columns(int64_t k)
{
    const int64_t columns_times_k = 300000;
    int64_t columns = columns_times_k / k;
    return columns < 1 ? 1 : smaller(columns, MATMUL_FREIVALDS_COLUMNS_MAX);
}

/* Of copies that are made of transposed factors, while the reference is made. */
static size_t copied_bytes(struct matmul_product p)
{
    size_t a = p.a_transposed ? (size_t)p.m * (size_t)p.k : 0, b = p.b_transposed ? (size_t)p.k * (size_t)p.n : 0;
    return (a + b) * sizeof(float);
}

size_t matmul_reference_bytes(struct matmul_product product)
{
    int64_t m = product.m, n = product.n, k = product.k;
    if (is_full(m, n, k))
        return (size_t)m * (size_t)n * 2 * sizeof(double) + copied_bytes(product);
    size_t blocks = (size_t)ceil_div(n, freivalds_columns(k)), rows = (size_t)sampled_rows(m, n);
    size_t doubles = rows * (size_t)n * 2 + (size_t)n + (size_t)m * blocks * 3 + (size_t)k * blocks * 2;
    return doubles * sizeof(double) + copied_bytes(product);
}

struct rows_of {
    const struct known *rows;
    int64_t k;
    const float *a, *b;
};

/* Computes a few rows of C and |A| |B|. The product of two binary32 numbers is exact in double. */
static void known_block(void *self, int64_t block)
{
    const struct rows_of *known = self;
    const struct known *rows = known->rows;
    int64_t n = rows->columns, k = known->k, i0 = block * ROWS_AT_ONCE,
            height = smaller(ROWS_AT_ONCE, rows->count - i0);
    for (int64_t j0 = 0; j0 < n; j0 += COLUMNS_AT_ONCE) {
        int64_t width = smaller(COLUMNS_AT_ONCE, n - j0);
        double sum[ROWS_AT_ONCE][COLUMNS_AT_ONCE] = {{0}};
        double magnitude[ROWS_AT_ONCE][COLUMNS_AT_ONCE] = {{0}};
        for (int64_t p = 0; p < k; p++) {
            const float *b_row = known->b + p * n + j0;
            for (int64_t i = 0; i < height; i++) {
                double factor = known->a[(rows->index ? rows->index[i0 + i] : i0 + i) * k + p];
                for (int64_t j = 0; j < width; j++) {
                    double product = factor * b_row[j];
                    sum[i][j] += product;
                    magnitude[i][j] += fabs(product);
                }
            }
        }
        for (int64_t i = 0; i < height; i++) {
            for (int64_t j = 0; j < width; j++) {
                rows->value[(i0 + i) * n + j0 + j] = sum[i][j];
                rows->scale[(i0 + i) * n + j0 + j] = magnitude[i][j];
            }
        }
    }
}

/* Little work is not worth a thread. */
static void known_rows(const struct known *rows, int64_t k, const float *a, const float *b)
{
    const double flop_at_least = 1e7;
    struct rows_of known = {rows, k, a, b};
    int64_t blocks = ceil_div(rows->count, ROWS_AT_ONCE);
    bool is_much = 2.0 * (double)rows->count * (double)rows->columns * (double)k >= flop_at_least;
    if (is_much)
        parallel_each(blocks, known_block, &known);
    for (int64_t block = 0; block < blocks && !is_much; block++)
        known_block(&known, block);
}

/* Freivalds' check ("Probabilistic machines can use less running time", IFIP 1977) with a bound for rounding errors.
 *
 * C[i,j] is a sum of k products. For any order of summation it is rounded k - 1 times, when two partial sums are added,
 * each time by at most u (|A||B|)[i,j]. If products are rounded too, all of them together add no more than one such
 * rounding, as the root of the sum of squares. The model takes each error as independent of the others and equally
 * likely to be positive or negative (Higham and Mary, "A new approach to probabilistic rounding error analysis", SIAM
 * J. Sci. Comput. 41, 2019). Hoeffding's inequality then bounds the sum of the errors of a block by lambda u sqrt(k)
 * ||((|A||B|)[i,j] x[j])_j||_2, except with probability 2 exp(-lambda^2 / 2).
 * Minkowski's inequality bounds that norm by |A| times the norms of B's rows. Sums of positive numbers fit the model
 * less well, since each partial sum is as large as its bound. Measured errors of such sums were 1/10 of the bound for k
 * up to 100000 and 1/4 for 500000.
 *
 * TF32 rounds the factors as well. A[i,p] is rounded once for the whole block, so its error is multiplied by (B x)[p].
 * Each B[p,j] is rounded once. Together these errors are at most
 *     lambda u_tf32 sqrt(sum_p A[i,p]^2 ((B x)[p]^2 + ||(B[p,j] x[j])_j||_2^2)). */
static void freivalds(struct matmul_reference *reference, const float *a, const float *b, double *bx, double *norm)
{
    const struct matmul_freivalds *f = &reference->freivalds;
    int64_t m = reference->product.m, n = reference->product.n, k = reference->product.k, blocks = f->blocks;

    /* Magnitudes in [1/2, 1) and alternating signs: a swap of two neighbours always changes the sum. */
    uint64_t seed = entropy_bits();
    for (int64_t j = 0; j < n; j++) {
        double size = 0.5 + (double)(made_bits(seed, (uint64_t)j) >> 11) * 0x1p-54;
        f->x[j] = j % 2 == 0 ? size : -size;
    }
    for (int64_t p = 0; p < k; p++) {
        for (int64_t block = 0; block < blocks; block++) {
            int64_t end = smaller(n, (block + 1) * f->columns);
            double sum = 0, squares = 0;
            for (int64_t j = block * f->columns; j < end; j++) {
                double product = b[p * n + j] * f->x[j];
                sum += product;
                squares += product * product;
            }
            bx[p * blocks + block] = sum;
            norm[p * blocks + block] = sqrt(squares);
        }
    }
    for (int64_t i = 0; i < m; i++) {
        double *product = f->product + i * blocks, *norm_of_row = f->norm + i * blocks,
               *factors = f->factors + i * blocks;
        for (int64_t block = 0; block < blocks; block++)
            product[block] = norm_of_row[block] = factors[block] = 0;
        for (int64_t p = 0; p < k; p++) {
            double factor = a[i * k + p], size = fabs(factor);
            for (int64_t block = 0; block < blocks; block++) {
                double sum = factor * bx[p * blocks + block], length = size * norm[p * blocks + block];
                product[block] += sum;
                norm_of_row[block] += length;
                factors[block] += sum * sum + length * length;
            }
        }
        for (int64_t block = 0; block < blocks; block++)
            factors[block] = MATMUL_LAMBDA * sqrt(factors[block]);
    }
}

/* Samples the first row, the last row, and one random row in each of the equal parts between. */
static void sample_rows(const struct known *rows, int64_t m)
{
    uint64_t seed = entropy_bits();
    for (int64_t s = 0; s < rows->count; s++) {
        int64_t from = s * m / rows->count, to = (s + 1) * m / rows->count;
        rows->index[s] = from + (int64_t)(made_bits(seed, (uint64_t)s) % (uint64_t)(to - from));
    }
    rows->index[0] = 0;
    rows->index[rows->count - 1] = m - 1;
}

static double *doubles(int64_t rows, int64_t columns)
{
    return malloc((size_t)rows * (size_t)columns * sizeof(double));
}

static bool make_full(struct matmul_reference *reference, const float *a, const float *b)
{
    const struct matmul_product p = reference->product;
    if (!known_allocate(&reference->rows, p.m, p.n))
        return false;
    known_rows(&reference->rows, p.k, a, b);
    return true;
}

static bool make_sampled(struct matmul_reference *reference, const float *a, const float *b)
{
    int64_t m = reference->product.m, n = reference->product.n, k = reference->product.k;
    struct known *rows = &reference->rows;
    struct matmul_freivalds *f = &reference->freivalds;
    bool ok = known_allocate(rows, sampled_rows(m, n), n);
    rows->index = malloc((size_t)rows->count * sizeof *rows->index);
    f->columns = freivalds_columns(k);
    f->blocks = ceil_div(n, f->columns);
    f->x = doubles(n, 1);
    f->product = doubles(m, f->blocks);
    f->norm = doubles(m, f->blocks);
    f->factors = doubles(m, f->blocks);
    double *bx = doubles(k, f->blocks), *norm = doubles(k, f->blocks);
    ok = ok && rows->index && f->x && f->product && f->norm && f->factors && bx && norm;
    if (ok) {
        sample_rows(rows, m);
        known_rows(rows, k, a, b);
        freivalds(reference, a, b, bx, norm);
    }
    free(bx);
    free(norm);
    return ok;
}

/* A copy of a matrix that lies as columns x rows, as rows x columns. NULL: out of memory. */
static float *transposed(const float *matrix, int64_t rows, int64_t columns)
{
    float *copy = malloc((size_t)rows * (size_t)columns * sizeof *copy);
    for (int64_t i0 = 0; i0 < rows && copy; i0 += TRANSPOSED_AT_ONCE)
        for (int64_t j0 = 0; j0 < columns; j0 += TRANSPOSED_AT_ONCE)
            for (int64_t i = i0; i < smaller(rows, i0 + TRANSPOSED_AT_ONCE); i++)
                for (int64_t j = j0; j < smaller(columns, j0 + TRANSPOSED_AT_ONCE); j++)
                    copy[i * columns + j] = matrix[j * rows + i];
    return copy;
}

/* From factors that lie as the product says. */
static bool make(struct matmul_reference *reference, const float *a, const float *b)
{
    const struct matmul_product product = reference->product;
    int64_t m = product.m, n = product.n, k = product.k;
    float *a_copy = product.a_transposed ? transposed(a, m, k) : NULL;
    float *b_copy = product.b_transposed ? transposed(b, k, n) : NULL;
    bool ok = (a_copy || !product.a_transposed) && (b_copy || !product.b_transposed);
    if (ok)
        ok = (is_full(m, n, k) ? make_full : make_sampled)(reference, a_copy ? a_copy : a, b_copy ? b_copy : b);
    free(a_copy);
    free(b_copy);
    return ok;
}

struct matmul_reference *matmul_reference_make(struct matmul_product product, const float *a, const float *b,
                                               const struct input_note *note)
{
    struct matmul_reference *reference = calloc(1, sizeof *reference);
    if (!reference)
        return NULL;
    reference->product = product;
    reference->note = *note;
    if (note->terms == 0)
        reference->note.terms = product.k;
    if (!make(reference, a, b)) {
        matmul_reference_free(reference);
        return NULL;
    }
    return reference;
}

void matmul_reference_free(void *opaque)
{
    struct matmul_reference *reference = opaque;
    if (!reference)
        return;
    known_free(&reference->rows);
    free(reference->freivalds.x);
    free(reference->freivalds.product);
    free(reference->freivalds.norm);
    free(reference->freivalds.factors);
    free(reference);
}

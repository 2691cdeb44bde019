#include "matmul_input.h"

#include "mnist.h"
#include "sharp.h"

#include <math.h>
#include <stdio.h>

/* FP32 holds all integers up to here. */
static const int64_t exact_integers = 1 << 24;

struct factors {
    int64_t m, n, k;
    float *a, *b;
    int64_t a_row, a_column, b_row, b_column; /* from one row or column to the next, in elements */
    uint64_t seed_a, seed_b;
};

static float *a_at(const struct factors *f, int64_t i, int64_t p)
{
    return f->a + i * f->a_row + p * f->a_column;
}

static float *b_at(const struct factors *f, int64_t p, int64_t j)
{
    return f->b + p * f->b_row + j * f->b_column;
}

static void fill_with(float *matrix, int64_t elements, struct made made)
{
    made_fill(matrix, (size_t)elements * sizeof *matrix, &made, 0);
}

static void fill_random(const struct factors *f)
{
    fill_with(f->a, f->m * f->k, made_unit(f->seed_a, 1));
    fill_with(f->b, f->k * f->n, made_unit(f->seed_b, 1));
}

static void fill_images(const struct factors *f, const struct mnist *mnist)
{
    fill_with(f->a, f->m * f->k, mnist_made(mnist, MADE_FRACTIONS));
    fill_with(f->b, f->k * f->n, made_unit(f->seed_b, 1));
}

/* From -largest to largest. */
static int integer(uint64_t seed, int64_t index, int largest)
{
    return (int)(made_bits(seed, (uint64_t)index) % (uint64_t)(2 * largest + 1)) - largest;
}

/* FP32 holds the sum of k products of integers up to this one, and BF16 holds the integers. */
static int largest_integer(int64_t k)
{
    const double held_by_bf16 = 255;
    return (int)fmax(1, fmin(held_by_bf16, sqrt((double)exact_integers / (double)k)));
}

/* Any product that is left out or counted twice shows, however large K is. */
static void fill_integers(const struct factors *f)
{
    int largest = largest_integer(f->k);
    for (int64_t e = 0; e < f->m * f->k; e++)
        f->a[e] = (float)integer(f->seed_a, e, largest);
    for (int64_t e = 0; e < f->k * f->n; e++)
        f->b[e] = (float)integer(f->seed_b, e, largest);
}

/* Some columns of A become subnormal numbers, and the rows of B that they are multiplied with zeros: whether subnormal
 * numbers are flushed to zero, as fast libraries do and may, changes no sum. */
static void put_subnormals(const struct factors *f)
{
    uint64_t columns = made_seed(f->seed_a, 'd');
    for (int64_t p = 0; p < f->k; p++) {
        if (made_bits(columns, (uint64_t)p) % 8 != 0)
            continue;
        for (int64_t i = 0; i < f->m; i++)
            *a_at(f, i, p) = ldexpf(1 + (float)(i % 3), -140);
        for (int64_t j = 0; j < f->n; j++)
            *b_at(f, p, j) = 0;
    }
}

/* Columns of B: zeros, or zeros but for one element. */
static void put_columns_of_zeros(const struct factors *f)
{
    uint64_t columns = made_seed(f->seed_b, 'c');
    for (int64_t j = 0; j < f->n; j++) {
        uint64_t bits = made_bits(columns, (uint64_t)j);
        int64_t kept = (int64_t)(bits / 8 % (uint64_t)f->k);
        for (int64_t p = 0; p < f->k && bits % 4 == 0; p++)
            if (bits % 8 == 0 || p != kept)
                *b_at(f, p, j) = 0;
    }
}

/* A has rows and columns of zeros, its first of both among them, and scattered zeros. This finds rungs that take a zero
 * or two for a whole row of them, or a column of zeros for one that is always zero, as the edges of images are. */
static void fill_zeros(const struct factors *f)
{
    fill_integers(f);
    put_subnormals(f);
    uint64_t rows = made_seed(f->seed_a, 'r'), columns = made_seed(f->seed_a, 'c');
    uint64_t scattered = made_seed(f->seed_a, 's');
    for (int64_t i = 0; i < f->m; i++) {
        bool row = i == 0 || made_bits(rows, (uint64_t)i) % 4 == 0;
        for (int64_t p = 0; p < f->k; p++) {
            bool column = p == 0 || made_bits(columns, (uint64_t)p) % 4 == 0;
            uint64_t bits = made_bits(scattered, (uint64_t)(i * f->k + p));
            if (row || column || bits % 4 == 0)
                *a_at(f, i, p) = bits >> 63 ? -0.0f : 0;
        }
    }
    put_columns_of_zeros(f);
}

/* Each element of C counts the products: K. Accumulators of fewer bits stick at 2^8 or 2^11. */
static void fill_ones(const struct factors *f)
{
    for (int64_t e = 0; e < f->m * f->k; e++)
        f->a[e] = 1;
    for (int64_t e = 0; e < f->k * f->n; e++)
        f->b[e] = 1;
}

static float power_of_two(uint64_t seed, int64_t element, int exponent)
{
    const int near = 2;
    float sign = made_bits(seed, (uint64_t)element) >> 63 ? -1 : 1;
    return ldexpf(sign, exponent + integer(seed, element, near));
}

/* A = R P S and B = S^-1 Q T with diagonal matrices R, S and T of widely spread powers of two, and P and Q of close
 * ones. The products that an element sums are close, so all sums are exact; but factors lie between 2^-102 and 2^102,
 * and products between 2^-84 and 2^84. This finds formats with fewer exponents than FP32 or with one scale for many
 * numbers, and methods that add elements of different rows or columns, as Strassen's does. Subnormal numbers are not
 * among them. */
static void fill_powers_of_two(const struct factors *f)
{
    const int of_rows = 40, of_columns = 40, inner = 60;
    uint64_t r = made_seed(f->seed_a, 'r'), s = made_seed(f->seed_a, 's'), t = made_seed(f->seed_b, 't');
    for (int64_t i = 0; i < f->m; i++)
        for (int64_t p = 0; p < f->k; p++)
            *a_at(f, i, p) = power_of_two(f->seed_a, i * f->k + p, integer(r, i, of_rows) + integer(s, p, inner));
    for (int64_t p = 0; p < f->k; p++)
        for (int64_t j = 0; j < f->n; j++)
            *b_at(f, p, j) = power_of_two(f->seed_b, p * f->n + j, integer(t, j, of_columns) - integer(s, p, inner));
}

/* Half of the rows of A equal the first one; the others differ from it in one element. So do columns of B. This finds
 * rungs that compare a few elements of two rows and copy the answer, as pays for images that repeat. */
static void fill_equal_rows(const struct factors *f)
{
    fill_integers(f);
    int largest = largest_integer(f->k);
    for (int64_t i = 1; i < f->m; i++) {
        for (int64_t p = 0; p < f->k; p++)
            *a_at(f, i, p) = *a_at(f, 0, p);
        uint64_t bits = made_bits(f->seed_a, (uint64_t)i);
        int64_t p = (int64_t)((bits >> 1) % (uint64_t)f->k);
        if (bits & 1)
            *a_at(f, i, p) = (float)(*a_at(f, i, p) > 0 ? -largest : largest);
    }
    for (int64_t j = 1; j < f->n; j++) {
        uint64_t bits = made_bits(f->seed_b, (uint64_t)j);
        int64_t changed = bits & 1 ? (int64_t)((bits >> 1) % (uint64_t)f->k) : -1;
        for (int64_t p = 0; p < f->k; p++) {
            float first = *b_at(f, p, 0);
            *b_at(f, p, j) = p != changed ? first : (float)(first > 0 ? -largest : largest);
        }
    }
}

/* Each row of A has one element that is not zero. Its products have the error of one multiplication, however large K
 * is: this finds factors of fewer bits where K is large, which the errors of long sums hide. */
static void fill_sparse(const struct factors *f)
{
    fill_random(f);
    uint64_t places = made_seed(f->seed_a, 'p');
    for (int64_t i = 0; i < f->m; i++) {
        int64_t kept = (int64_t)(made_bits(places, (uint64_t)i) % (uint64_t)f->k);
        for (int64_t p = 0; p < f->k; p++)
            if (p != kept)
                *a_at(f, i, p) = 0;
    }
}

static void (*const fills[INPUT_KINDS])(const struct factors *f) = {
    [INPUT_RANDOM] = fill_random,
    [INPUT_ZEROS] = fill_zeros,
    [INPUT_ONES] = fill_ones,
    [INPUT_POWERS_OF_TWO] = fill_powers_of_two,
    [INPUT_EQUAL_ROWS] = fill_equal_rows,
    [INPUT_INTEGERS] = fill_integers,
    [INPUT_SPARSE] = fill_sparse,
};

/* Powers of two: the products of an element lie between 2^-4 and 2^4 times a power of two. */
static bool is_exact(enum input_kind kind, int64_t k)
{
    if (kind == INPUT_RANDOM || kind == INPUT_SPARSE)
        return false;
    int64_t largest = kind == INPUT_POWERS_OF_TWO ? 1 << 4 : kind == INPUT_ONES ? 1 : largest_integer(k);
    return k <= exact_integers / (largest * largest);
}

/* Whether the rows of A, as it lies, are images. */
static bool takes_images(const struct matmul_product *product, const struct input_source *source)
{
    return product->of_images && source->kind == INPUT_RANDOM && source->mnist &&
           (product->a_transposed ? product->m : product->k) == MNIST_PIXELS;
}

static void note_images(const struct matmul_product *product, const struct mnist *mnist, struct input_note *note)
{
    mnist_note(mnist, product->a_transposed ? product->k : product->m, note->text, sizeof note->text);
}

void matmul_input_fill(const struct matmul_product *product, const struct input_source *source, float *a, float *b,
                       struct input_note *note)
{
    const int64_t m = product->m, n = product->n, k = product->k;
    const bool at = product->a_transposed, bt = product->b_transposed, images = takes_images(product, source);
    struct factors f = {m, n, k, a, b, at ? 1 : k, at ? m : 1, bt ? 1 : n, bt ? k : 1, 0, 0};
    f.seed_a = made_seed(source->seed, 0);
    f.seed_b = made_seed(source->seed, 1);
    note->zero_mean = (source->kind == INPUT_RANDOM && !images) || source->kind == INPUT_SPARSE;
    note->terms = source->kind == INPUT_SPARSE ? 1 : 0;
    note->exact = is_exact(source->kind, k);
    if (images) {
        fill_images(&f, source->mnist);
        note_images(product, source->mnist, note);
    } else {
        fills[source->kind](&f);
        snprintf(note->text, sizeof note->text, "%s", input_kind_names[source->kind]);
    }
}

void matmul_input_question(const struct matmul_product *product, const struct input_source *source, struct made *a,
                           struct made *b, struct input_note *note)
{
    const uint64_t seed_a = made_seed(source->seed, 0), seed_b = made_seed(source->seed, 1);
    *note = (struct input_note){.text = "random", .zero_mean = true};
    *a = sharp_factor(seed_a, product->k);
    *b = sharp_factor(seed_b, product->k);
    if (!takes_images(product, source))
        return;
    *a = mnist_permuted(source->mnist, MADE_FRACTIONS, seed_a);
    *b = sharp_factor_of_images(seed_b, product->k);
    note_images(product, source->mnist, note);
}

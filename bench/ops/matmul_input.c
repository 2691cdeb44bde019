#include "matmul_input.h"

#include "bench/data/mnist.h"
#include "input_matrix.h"
#include "sharp.h"

#include <math.h>
#include <stdio.h>

/* FP32 holds all integers up to here. */
static const int64_t exact_integers = 1 << 24;

static uint64_t bits_of_term(const struct input_matrix *of, int64_t p)
{
    return made_bits(of->seed_of_terms, (uint64_t)p);
}

/* FP32 holds the sum of k products of integers up to this one, and BF16 holds the integers. Any product that is left
 * out or counted twice shows, however large K is. */
static int largest_integer(int64_t k)
{
    const double held_by_bf16 = 255;
    return (int)fmax(1, fmin(held_by_bf16, sqrt((double)exact_integers / (double)k)));
}

/* A has rows and columns of zeros, its first of both among them, and scattered zeros. This finds rungs that take a zero
 * or two for a whole row of them, or a column of zeros for one that is always zero, as the edges of images are. Other
 * columns of A are subnormal numbers, and the rows of B that they are multiplied with zeros: whether subnormal numbers
 * are flushed to zero, as fast libraries do and may, changes no sum. Columns of B are zeros, or zeros but for one
 * element. */
static float zero(const struct input_matrix *of, uint64_t row, int64_t i, int64_t p)
{
    const uint64_t term = bits_of_term(of, p), kept = row / 8 % (uint64_t)of->columns;
    const bool is_subnormal = term / 4 % 8 == 0;
    if (of->is_second)
        return is_subnormal || (row % 4 == 0 && (row % 8 == 0 || (uint64_t)p != kept)) ? 0
                                                                                       : input_integer(of, row, i, p);
    const uint64_t bits = input_bits(of, i, p);
    if (i == 0 || row % 4 == 0 || p == 0 || term % 4 == 0 || bits >> 61 < 2)
        return input_signed_zero(bits << 3);
    return is_subnormal ? ldexpf(1 + (float)(i % 3), -140) : input_integer(of, row, i, p);
}

/* A = R P S and B = S^-1 Q T with diagonal matrices R, S and T of widely spread powers of two, and P and Q of close
 * ones. The products that an element sums are close, so all sums are exact; but factors lie between 2^-102 and 2^102,
 * and products between 2^-84 and 2^84. This finds formats with fewer exponents than FP32 or with one scale for many
 * numbers, and methods that add elements of different rows or columns, as Strassen's does. Subnormal numbers are not
 * among them. */
static float power_of_two(const struct input_matrix *of, uint64_t row, int64_t i, int64_t p)
{
    const int of_row = 40, of_term = 60, near = 2;
    const uint64_t bits = input_bits(of, i, p);
    const int of_i = input_integer_of(row, of_row), of_p = input_integer_of(bits_of_term(of, p), of_term);
    return ldexpf(bits >> 63 ? -1 : 1, of_i + (of->is_second ? -of_p : of_p) + input_integer_of(bits, near));
}

/* Each row of A has one element that is not zero. Its products have the error of one multiplication, however large K
 * is: this finds factors of fewer bits where K is large, which the errors of long sums hide. */
static float sparse(const struct input_matrix *of, uint64_t row, int64_t i, int64_t p)
{
    (void)i;
    return row % (uint64_t)of->columns == (uint64_t)p ? (float)(int32_t)(row >> 32) * 0x1p-31f : 0;
}

/* Rows of A and columns of B that are equal find rungs that compare a few elements of two rows and copy the answer, as
 * pays for images that repeat. Ones count the products: accumulators of fewer bits stick at 2^8 or 2^11. */
static input_element *const elements[INPUT_KINDS] = {
    [INPUT_ZEROS] = zero,
    [INPUT_ONES] = input_one,
    [INPUT_POWERS_OF_TWO] = power_of_two,
    [INPUT_EQUAL_ROWS] = input_equal_rows,
    [INPUT_INTEGERS] = input_integer,
    [INPUT_SPARSE] = sparse,
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
static bool takes_images(struct matmul_product product, const struct input_source *source)
{
    return product.of_images && source->kind == INPUT_RANDOM && source->mnist &&
           (product.a_transposed ? product.m : product.k) == MNIST_PIXELS;
}

static void note_images(struct matmul_product product, const struct mnist *mnist, struct input_note *note)
{
    mnist_note(mnist, product.a_transposed ? product.k : product.m, note->text, sizeof note->text);
}

void matmul_input_fill(struct matmul_product product, const struct input_source *source, float *a, float *b,
                       struct input_note *note)
{
    const int64_t m = product.m, n = product.n, k = product.k;
    const bool at = product.a_transposed, bt = product.b_transposed, images = takes_images(product, source);
    const uint64_t seed_a = made_seed(source->seed, 0), seed_b = made_seed(source->seed, 1);
    const uint64_t common = made_seed(source->seed, 2);
    const struct input_matrix of_a = {a, m, k, at ? 1 : k, at ? m : 1, seed_a, largest_integer(k), false, common};
    const struct input_matrix of_b = {b, n, k, bt ? k : 1, bt ? 1 : n, seed_b, largest_integer(k), true, common};
    note->zero_mean = (source->kind == INPUT_RANDOM && !images) || source->kind == INPUT_SPARSE;
    note->terms = source->kind == INPUT_SPARSE ? 1 : 0;
    note->exact = is_exact(source->kind, k);
    snprintf(note->text, sizeof note->text, "%s", input_kind_names[source->kind]);
    if (images)
        note_images(product, source->mnist, note);
    const struct made made_a = images ? mnist_made(source->mnist, MADE_FRACTIONS) : made_unit(seed_a, 1);
    const struct made made_b = made_unit(seed_b, 1);
    input_fill(&of_a, &made_a, elements[source->kind]);
    input_fill(&of_b, &made_b, source->kind == INPUT_SPARSE ? NULL : elements[source->kind]);
}

void matmul_input_question(struct matmul_product product, const struct input_source *source, struct made *a,
                           struct made *b, struct input_note *note)
{
    const uint64_t seed_a = made_seed(source->seed, 0), seed_b = made_seed(source->seed, 1);
    *note = (struct input_note){.text = "random", .zero_mean = true};
    const bool sharp = sharp_is_question(source->seed), images = takes_images(product, source);
    *a = sharp ? sharp_factor(seed_a, product.k) : made_unit(seed_a, 1);
    *b = !sharp   ? made_unit(seed_b, 1)
         : images ? sharp_factor_of_images(seed_b, product.k)
                  : sharp_factor(seed_b, product.k);
    if (!images)
        return;
    *a = mnist_permuted(source->mnist, MADE_FRACTIONS, seed_a);
    note_images(product, source->mnist, note);
}

#include "matmul_check.h"

#include "sharp.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const double unit_fp32 = 0x1p-24, unit_tf32 = 0x1p-11, smallest_subnormal = 0x1p-149;

/* |C - AB| <= relative_bound |A||B| + k eta, if the input is not exact; k is the number of products that may not be
 * zero. Splitting a factor into two TF32 numbers loses at most 2 u of it, the product of the low parts that is left out
 * is at most 4 u, and a tensor core that truncates loses up to 2 u in each of the additions of the other parts. */
static double relative_bound(enum precision precision, int64_t k, bool zero_mean)
{
    const double split_factors = 12 * unit_fp32;
    double rounding = (double)k * unit_fp32;
    double gamma = rounding < 1 ? rounding / (1 - rounding) : INFINITY;
    if (zero_mean)
        gamma = fmin(gamma, MATMUL_LAMBDA * sqrt((double)k) * unit_fp32);
    gamma += split_factors;
    return precision == PRECISION_TF32 ? gamma + 2 * unit_tf32 * (1 + gamma) : gamma;
}

/* For very many elements. FP32:
 * - where k is small, above 3xTF32 (1.5 for k = 1) and below factors rounded to 22 bits (2.5);
 * - then above BF16x9 (0.9), whatever k is;
 * - then above sums of positive products first (0.19 sqrt(k)), below accumulators that truncate (0.56 sqrt(k));
 * - then below factors rounded to TF32 (5740 / sqrt(k)).
 * TF32, in its own unit: above rounded factors (0.58 / sqrt(k)), below those rounded to BF16 (4.6 / sqrt(k)). */
static double rms_limit(enum precision precision, int64_t k)
{
    double root = sqrt((double)k);
    if (precision == PRECISION_TF32)
        return 2 / root;
    return fmax(fmax(1.25, 2 - 0.25 * (double)k), fmin(0.25 * root, 2000 / root));
}

/* The root mean square of few errors spreads. Where factors are rounded, elements of a row or column share the errors
 * of these: no more count than k times the smaller side. */
double matmul_rms_limit(enum precision precision, int64_t k, int64_t rows, int64_t n)
{
    double independent = fmin((double)rows * (double)n, (double)k * fmin((double)rows, (double)n));
    return rms_limit(precision, k) * (1 + 4 / sqrt(independent));
}

/* Sharp sums have the errors of eight products, but where a tensor core adds all parts of their factors in one chain,
 * it truncates each time: 2.2 in FP32, however large k is, as where k is 80. */
double matmul_rms_limit_of_elements(struct matmul_product product, enum precision precision, int64_t elements,
                                    bool dense)
{
    const double k = (double)product.k, terms = dense ? k : fmin(k, SHARP_TERMS);
    const double independent = fmin((double)elements, terms * fmin((double)product.m, (double)product.n));
    const double like = dense ? k : precision == PRECISION_TF32 ? terms : fmin(k, 100);
    return rms_limit(precision, (int64_t)like) * (1 + 4 / sqrt(independent));
}

static double unit(enum precision precision)
{
    return precision == PRECISION_TF32 ? unit_tf32 : unit_fp32;
}

/* Leaves room for the errors of C x and A (B x) themselves, which are computed in double. */
static const double unit_of_sums_in_double = 0x1p-44;

static void report_wrong_block(const char *answer, int64_t row, int64_t first, int64_t last, double sum,
                               double expected, double bound, struct check *check)
{
    snprintf(check->reason, sizeof check->reason,
             "wrong answer: in row %" PRId64 ", columns %" PRId64 " to %" PRId64
             " of %s the weighted sum is %.9g, expected %.9g within %.3g (Freivalds' check)",
             row, first, last, answer, sum, expected, bound);
}

static void report_imprecise(const char *where, double rms, double limit, struct check *check)
{
    snprintf(check->reason, sizeof check->reason,
             "imprecise answer%s: the RMS error is %.3g units of roundoff, expected at most %.3g: lower precision than "
             "the rung promises",
             where, rms, limit);
}

/* Checks the blocks of row i. Sums up the squares of their errors, in units of roundoff. */
static bool check_freivalds_row(const struct matmul_reference *reference, enum precision precision, const float *c,
                                int64_t i, double *squares, struct check *check)
{
    const struct matmul_freivalds *f = &reference->freivalds;
    int64_t n = reference->product.n;
    bool rounded_factors = precision == PRECISION_TF32 && !reference->note.exact;
    double unit_of_sums = reference->note.exact ? unit_of_sums_in_double : unit_fp32;
    double bound_per_norm = MATMUL_LAMBDA * sqrt((double)reference->note.terms) * unit_of_sums;
    double underflow = reference->note.exact ? 0 : (double)reference->note.terms * smallest_subnormal;
    *squares = 0;
    for (int64_t block = 0; block < f->blocks; block++) {
        int64_t first = block * f->columns, end = first + f->columns < n ? first + f->columns : n;
        double sum = 0;
        for (int64_t j = first; j < end; j++)
            sum += c[i * n + j] * f->x[j];
        double lost = (double)(end - first) * underflow;
        double expected = f->product[i * f->blocks + block], norm = f->norm[i * f->blocks + block];
        double bound = bound_per_norm * norm + lost;
        if (rounded_factors)
            bound += f->factors[i * f->blocks + block] * unit_tf32;
        double err = fabs(sum - expected);
        if (!(err <= bound)) {
            report_wrong_block(reference->product.answer, i, first, end - 1, sum, expected, bound, check);
            return false;
        }
        if (norm > 0)
            *squares += pow(fmax(err - lost, 0) / (unit(precision) * norm), 2);
    }
    return true;
}

static bool check_freivalds(const struct matmul_reference *reference, enum precision precision, const float *c,
                            struct check *check)
{
    int64_t blocks = reference->freivalds.blocks;
    double limit = matmul_rms_limit(precision, reference->note.terms, 1, blocks);
    for (int64_t i = 0; i < reference->product.m && blocks > 0; i++) {
        double squares;
        if (!check_freivalds_row(reference, precision, c, i, &squares, check))
            return false;
        double rms = sqrt(squares / (double)blocks);
        if (reference->note.zero_mean && !(rms <= limit)) {
            char where[64];
            snprintf(where, sizeof where, " in row %" PRId64 " (Freivalds' check)", i);
            report_imprecise(where, rms, limit, check);
            return false;
        }
    }
    return true;
}

void matmul_check(const void *opaque, enum precision precision, void *const outputs[], struct check *check)
{
    const struct matmul_reference *reference = opaque;
    const struct matmul_product product = reference->product;
    const struct input_note *note = &reference->note;
    const float *c = outputs[2]; /* behind A and B */
    struct tolerance tolerance = {.unit = unit(precision)};
    if (!note->exact) {
        tolerance.relative = relative_bound(precision, note->terms, note->zero_mean);
        tolerance.underflow = (double)note->terms * smallest_subnormal;
    }
    const struct array_shape shape = {product.answer, 2, {product.m, product.n}};
    int64_t measured = known_compare(&reference->rows, &tolerance, &shape, c, check);
    if (check->max_abs_err == 0) /* no element has an error, so there is no bound to report */
        check->err_bound = NAN;
    double limit = matmul_rms_limit(precision, note->terms, reference->rows.count, product.n);
    if (!check->correct)
        return;
    check->correct = !note->zero_mean || measured < MATMUL_PRECISE_MIN_ELEMENTS || check->rms_err <= limit;
    if (check->correct)
        check->correct = check_freivalds(reference, precision, c, check);
    else
        report_imprecise("", check->rms_err, limit, check);
}

#include "matmul_check.h"

#include "bench/base/parallel.h"
#include "sharp.h"

#include <assert.h>
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
double matmul_rms_limit_of_elements(const struct matmul_product *product, enum precision precision, int64_t elements)
{
    const double k = (double)product->k, terms = fmin(k, SHARP_TERMS);
    const double independent = fmin((double)elements, terms * fmin((double)product->m, (double)product->n));
    return rms_limit(precision, (int64_t)(precision == PRECISION_TF32 ? terms : fmin(k, 100))) *
           (1 + 4 / sqrt(independent));
}

static double unit(enum precision precision)
{
    return precision == PRECISION_TF32 ? unit_tf32 : unit_fp32;
}

/* |C - AB| <= relative |A||B| + underflow; an error is told in units. */
struct tolerance {
    double relative, underflow, unit;
};

struct findings {
    int64_t wrong;
    int64_t row, column; /* the first wrong element */
    double got, expected, bound;
    double max_abs_err, bound_at_max;
    double squares;
    int64_t measured;
};

/* Most elements are right, so the errors of a run of them are found first, without branches, and looked at then. */
enum { RUN = 64 };

static void note_element(double err, double bound, struct findings *found)
{
    if (!isnan(found->max_abs_err) && !(err <= found->max_abs_err)) {
        found->max_abs_err = err;
        found->bound_at_max = bound;
    }
}

static void check_run(const double expected[], const double magnitude[], const float got[], int64_t count,
                      const struct tolerance *tolerance, int64_t row, int64_t column, struct findings *found)
{
    double err[RUN], bound[RUN], squares[RUN];
    int64_t wrong = 0, larger = 0, measured = 0;
    for (int64_t j = 0; j < count; j++)
        err[j] = fabs(got[j] - expected[j]);
    for (int64_t j = 0; j < count; j++) {
        bound[j] = tolerance->relative * magnitude[j] + tolerance->underflow;
        double units = (err[j] - tolerance->underflow) / (tolerance->unit * magnitude[j]);
        squares[j] = units * fabs(units);
    }
    for (int64_t j = 0; j < count; j++) {
        wrong += !(err[j] <= bound[j]);
        larger += !(err[j] <= found->max_abs_err);
        measured += magnitude[j] > 0;
    }
    for (int64_t j = 0; j < count; j++)
        found->squares += squares[j] > 0 ? squares[j] : 0;
    found->measured += measured;
    for (int64_t j = 0; j < count && larger > 0; j++)
        note_element(err[j], bound[j], found);
    for (int64_t j = 0; j < count && wrong > 0; j++) {
        if (err[j] <= bound[j] || found->wrong++ > 0)
            continue;
        found->row = row;
        found->column = column + j;
        found->got = got[j];
        found->expected = expected[j];
        found->bound = bound[j];
    }
}

/* Known rows are checked in shares. Each has findings of its own, and so many elements at least, which are worth a
 * thread. */
enum { SHARE_ELEMENTS = 1 << 18, SHARES_MAX = 64 };

struct shares {
    const struct matmul_reference *reference;
    const float *c;
    struct tolerance tolerance;
    int64_t rows; /* of a share */
    struct findings found[SHARES_MAX];
};

static void check_share(void *self, int64_t share)
{
    struct shares *shares = self;
    const struct matmul_rows *rows = &shares->reference->rows;
    int64_t n = shares->reference->n, begin = share * shares->rows, end = begin + shares->rows;
    struct findings found = {0};
    for (int64_t s = begin; s < end && s < rows->count; s++) {
        int64_t i = rows->index ? rows->index[s] : s;
        for (int64_t j = 0; j < n; j += RUN)
            check_run(rows->c + s * n + j, rows->magnitude + s * n + j, shares->c + i * n + j,
                      n - j < RUN ? n - j : RUN, &shares->tolerance, i, j, &found);
    }
    shares->found[share] = found;
}

/* The shares come in the order of rows. */
static void add_findings(struct findings *all, const struct findings *more)
{
    int64_t wrong = all->wrong + more->wrong, measured = all->measured + more->measured;
    double squares = all->squares + more->squares;
    struct findings largest = isnan(all->max_abs_err) || all->max_abs_err >= more->max_abs_err ? *all : *more;
    struct findings first = all->wrong > 0 ? *all : *more;
    *all = first;
    all->wrong = wrong;
    all->max_abs_err = largest.max_abs_err;
    all->bound_at_max = largest.bound_at_max;
    all->squares = squares;
    all->measured = measured;
}

static void check_rows(const struct matmul_reference *reference, enum precision precision, const float *c,
                       struct findings *found)
{
    struct shares shares = {.reference = reference, .c = c, .tolerance = {.unit = unit(precision)}};
    int64_t count = reference->rows.count, few = SHARE_ELEMENTS / reference->n + 1, many = (count - 1) / SHARES_MAX + 1;
    if (!reference->exact) {
        shares.tolerance.relative = relative_bound(precision, reference->terms, reference->zero_mean);
        shares.tolerance.underflow = (double)reference->terms * smallest_subnormal;
    }
    shares.rows = few > many ? few : many;
    int64_t share_count = (count - 1) / shares.rows + 1;
    assert(share_count <= SHARES_MAX);
    parallel_each(share_count, check_share, &shares);
    for (int64_t share = 0; share < share_count; share++)
        add_findings(found, &shares.found[share]);
}

static void report_wrong_element(const struct matmul_reference *reference, const struct findings *found,
                                 struct check *check)
{
    char within[32];
    snprintf(within, sizeof within, reference->exact ? "exactly" : "within %.3g", found->bound);
    snprintf(check->reason, sizeof check->reason,
             "wrong answer: %s[%" PRId64 ",%" PRId64 "] is %.9g, expected %.9g %s; %" PRId64 " of %" PRId64
             " checked elements are wrong",
             reference->answer, found->row, found->column, found->got, found->expected, within, found->wrong,
             reference->rows.count * reference->n);
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
    int64_t n = reference->n;
    bool rounded_factors = precision == PRECISION_TF32 && !reference->exact;
    double unit_of_sums = reference->exact ? unit_of_sums_in_double : unit_fp32;
    double bound_per_norm = MATMUL_LAMBDA * sqrt((double)reference->terms) * unit_of_sums;
    double underflow = reference->exact ? 0 : (double)reference->terms * smallest_subnormal;
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
            report_wrong_block(reference->answer, i, first, end - 1, sum, expected, bound, check);
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
    double limit = matmul_rms_limit(precision, reference->terms, 1, blocks);
    for (int64_t i = 0; i < reference->m && blocks > 0; i++) {
        double squares;
        if (!check_freivalds_row(reference, precision, c, i, &squares, check))
            return false;
        double rms = sqrt(squares / (double)blocks);
        if (reference->zero_mean && !(rms <= limit)) {
            char where[64];
            snprintf(where, sizeof where, " in row %" PRId64 " (Freivalds' check)", i);
            report_imprecise(where, rms, limit, check);
            return false;
        }
    }
    return true;
}

void matmul_check(const struct matmul_reference *reference, enum precision precision, const float *c,
                  struct check *check)
{
    const struct matmul_rows *rows = &reference->rows;
    int64_t n = reference->n;
    struct findings found = {0};
    check_rows(reference, precision, c, &found);
    *check = (struct check){
        .correct = found.wrong == 0,
        .max_abs_err = found.max_abs_err,
        .err_bound = found.bound_at_max,
        .rms_err = found.measured > 0 ? sqrt(found.squares / (double)found.measured) : NAN,
    };
    if (found.max_abs_err == 0) /* no element has an error, so there is no bound to report */
        check->err_bound = NAN;
    double limit = matmul_rms_limit(precision, reference->terms, rows->count, n);
    bool precise_applies = reference->zero_mean && found.measured >= MATMUL_PRECISE_MIN_ELEMENTS;
    if (!check->correct) {
        report_wrong_element(reference, &found, check);
    } else if (precise_applies && !(check->rms_err <= limit)) {
        check->correct = false;
        report_imprecise("", check->rms_err, limit, check);
    } else {
        check->correct = check_freivalds(reference, precision, c, check);
    }
}

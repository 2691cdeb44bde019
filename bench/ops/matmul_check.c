#include "matmul_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const double unit_fp32 = 0x1p-24, unit_tf32 = 0x1p-11, smallest_subnormal = 0x1p-149;

/* |C - AB| <= relative_bound |A||B| + k eta, if the input is not exact. */
static double relative_bound(enum precision precision, int64_t k, bool zero_mean)
{
    const double lambda = 8;
    double rounding = (double)k * unit_fp32;
    double gamma = rounding < 1 ? rounding / (1 - rounding) : INFINITY;
    if (zero_mean)
        gamma = fmin(gamma, lambda * sqrt((double)k) * unit_fp32);
    return precision == PRECISION_TF32 ? gamma + 2 * unit_tf32 * (1 + gamma) : gamma;
}

static double unit(enum precision precision)
{
    return precision == PRECISION_TF32 ? unit_tf32 : unit_fp32;
}

struct findings {
    int64_t wrong;
    int64_t row, column; /* the first wrong element */
    double got, expected, bound;
    double max_abs_err, bound_at_max;
    double squares;
    int64_t measured;
};

static void check_rows(const struct matmul_reference *reference, enum precision precision, const float *c,
                       struct findings *found)
{
    const struct matmul_rows *rows = &reference->rows;
    int64_t n = reference->n;
    double relative = reference->exact ? 0 : relative_bound(precision, reference->k, reference->zero_mean);
    double underflow = reference->exact ? 0 : (double)reference->k * smallest_subnormal;
    for (int64_t s = 0; s < rows->count; s++) {
        int64_t i = rows->index ? rows->index[s] : s;
        for (int64_t j = 0; j < n; j++) {
            double expected = rows->c[s * n + j], magnitude = rows->magnitude[s * n + j];
            double got = c[i * n + j];
            double err = fabs(got - expected), bound = relative * magnitude + underflow;
            if (!isnan(found->max_abs_err) && !(err <= found->max_abs_err)) {
                found->max_abs_err = err;
                found->bound_at_max = bound;
            }
            if (!(err <= bound) && found->wrong++ == 0) {
                found->row = i;
                found->column = j;
                found->got = got;
                found->expected = expected;
                found->bound = bound;
            }
            if (magnitude > 0) {
                double units = err / (unit(precision) * magnitude);
                found->squares += units * units;
                found->measured++;
            }
        }
    }
}

static void report_wrong_element(const struct findings *found, int64_t elements, bool exact, struct check *check)
{
    char within[32];
    snprintf(within, sizeof within, exact ? "exactly" : "within %.3g", found->bound);
    snprintf(check->reason, sizeof check->reason,
             "wrong answer: C[%" PRId64 ",%" PRId64 "] is %.9g, expected %.9g %s; %" PRId64 " of %" PRId64
             " checked elements are wrong",
             found->row, found->column, found->got, found->expected, within, found->wrong, elements);
}

/* Leaves room for the errors of C x and A (B x) themselves, which are computed in double. */
static const double unit_of_sums_in_double = 0x1p-44;

static bool check_freivalds(const struct matmul_reference *reference, enum precision precision, const float *c,
                            struct check *check)
{
    const struct matmul_freivalds *f = &reference->freivalds;
    int64_t n = reference->n, wrong = 0;
    double unit = reference->exact ? unit_of_sums_in_double : unit_fp32;
    double underflow = reference->exact ? 0 : (double)reference->k * smallest_subnormal;
    for (int64_t i = 0; i < reference->m; i++) {
        for (int64_t block = 0; block < f->blocks; block++) {
            int64_t first = block * f->columns;
            int64_t end = first + f->columns < n ? first + f->columns : n;
            double sum = 0;
            for (int64_t j = first; j < end; j++)
                sum += c[i * n + j] * f->x[j];
            double expected = f->product[i * f->blocks + block];
            double bound = f->bound[i * f->blocks + block] * unit + (double)(end - first) * underflow;
            if (precision == PRECISION_TF32 && !reference->exact)
                bound += f->factors[i * f->blocks + block] * unit_tf32;
            if (!(fabs(sum - expected) <= bound) && wrong++ == 0)
                snprintf(check->reason, sizeof check->reason,
                         "wrong answer: in row %" PRId64 ", columns %" PRId64 " to %" PRId64
                         " of C the weighted sum is %.9g, expected %.9g within %.3g (Freivalds' check)",
                         i, first, end - 1, sum, expected, bound);
        }
    }
    return wrong == 0;
}

void matmul_check(const struct matmul_reference *reference, enum precision precision, const float *c,
                  struct check *check)
{
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
    if (!check->correct) {
        report_wrong_element(&found, reference->rows.count * reference->n, reference->exact, check);
        return;
    }
    if (!check_freivalds(reference, precision, c, check)) {
        check->correct = false;
        return;
    }
    bool precise_applies =
        reference->zero_mean && reference->k >= MATMUL_PRECISE_MIN_K && found.measured >= MATMUL_PRECISE_MIN_ELEMENTS;
    if (precise_applies && !(check->rms_err <= MATMUL_PRECISE_RMS_LIMIT)) {
        check->correct = false;
        snprintf(
            check->reason, sizeof check->reason,
            "imprecise answer: the RMS error is %.3g units of roundoff, expected at most %g: lower precision than the "
            "rung promises",
            check->rms_err, MATMUL_PRECISE_RMS_LIMIT);
    }
}

/* How a rung's answer is compared with the right one, and what is said of it. */
#include "answer.h"

#include "bench/base/ceil_div.h"
#include "bench/base/parallel.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct wrong {
    int64_t element;
    double got;
    struct exact expected;
};

struct findings {
    struct wrong first;
    int64_t wrong;
    double max_abs_err, bound_at_max; /* NAN: an error without a size */
    double squares, most;             /* units of roundoff */
    int64_t measured;
};

static void note_error(double error, double bound, struct findings *found)
{
    if (!isnan(found->max_abs_err) && !(error <= found->max_abs_err)) {
        found->max_abs_err = error;
        found->bound_at_max = bound;
    }
}

static struct exact exact_of(const struct reference *r, enum precision precision, int64_t known)
{
    if (r->exact)
        return (struct exact){element_value(r->type, r->exact, known), 0, NAN, false};
    const double value = r->value[known], bound = r->bound[known], scale = r->is_precise ? r->scale[known] : NAN;
    const bool is_rounded = r->is_precise && !r->note.exact;
    return (struct exact){value, bound + (is_rounded ? sums_rounded_factors(precision, scale, bound) : 0), scale,
                          false};
}

static void compare_element(const struct reference *r, enum precision precision, const void *answer, int64_t known,
                            struct findings *found)
{
    const int64_t element = reference_place(r, known);
    const struct exact exact = exact_of(r, precision, known);
    const double got = element_result(r->type, answer, element);
    const double underflow = (double)r->note.terms * 0x1p-149; /* that is no want of precision */
    double error;
    if (!exact_is_met(&exact, got, &error) && found->wrong++ == 0)
        found->first = (struct wrong){element, got, exact};
    note_error(error, exact.bound, found);
    const double units = fmax(error - underflow, 0) / (precision_unit(precision) * exact.scale);
    found->squares += units > 0 ? units * units : 0;
    found->most = fmax(found->most, units); /* fmax() ignores NAN */
    found->measured += exact.scale > 0;
}

/* Elements are compared in shares. Each has findings of its own, and so many elements at least, which are worth a
 * thread. */
enum { SHARE_ELEMENTS = 1 << 18, SHARES_MAX = 64 };

struct shares {
    const struct reference *reference;
    enum precision precision;
    const void *answer;
    int64_t elements, of_share;
    struct findings found[SHARES_MAX];
};

static void compare_share(void *self, int64_t share)
{
    struct shares *shares = self;
    const int64_t begin = share * shares->of_share, end = smaller(begin + shares->of_share, shares->elements);
    struct findings found = {0};
    for (int64_t known = begin; known < end; known++)
        compare_element(shares->reference, shares->precision, shares->answer, known, &found);
    shares->found[share] = found;
}

/* The shares come in the order of elements. */
static void add_findings(struct findings *all, const struct findings *more)
{
    if (all->wrong == 0)
        all->first = more->first;
    all->wrong += more->wrong;
    all->squares += more->squares;
    all->most = fmax(all->most, more->most);
    all->measured += more->measured;
    note_error(more->max_abs_err, more->bound_at_max, all);
}

static struct findings compare(const struct reference *r, enum precision precision, const void *answer)
{
    const int64_t elements = r->rows * r->columns, of_share = ceil_div(elements, SHARES_MAX);
    struct shares shares = {.reference = r, .precision = precision, .answer = answer, .elements = elements};
    shares.of_share = of_share > SHARE_ELEMENTS ? of_share : SHARE_ELEMENTS;
    struct findings found = {0};
    const int64_t share_count = ceil_div(elements, shares.of_share);
    parallel_each(share_count, compare_share, &shares);
    for (int64_t share = 0; share < share_count; share++)
        add_findings(&found, &shares.found[share]);
    return found;
}

enum { NAME_BYTES = 128 };

/* "y[3,5]" */
static void name_element(const struct reference *r, int64_t element, char name[NAME_BYTES])
{
    int64_t extent[OP_RANK_MAX], below = 1;
    const int rank = op_extents(r->op, &r->workload, r->output, extent);
    int used = snprintf(name, NAME_BYTES, "%s[", r->op->args[r->output].name);
    for (int i = 1; i < rank; i++)
        below *= extent[i];
    for (int i = 0; i < rank; i++) {
        used += snprintf(name + used, (size_t)(NAME_BYTES - used), "%s%" PRId64, i > 0 ? "," : "", element / below);
        element %= below;
        below /= i + 1 < rank ? extent[i + 1] : 1;
    }
    snprintf(name + used, (size_t)(NAME_BYTES - used), "]");
}

static void report_wrong(const struct reference *r, const struct findings *found, struct check *check)
{
    char element[NAME_BYTES], within[32];
    check->wrong_buffer = r->output;
    check->wrong_element = found->first.element;
    name_element(r, found->first.element, element);
    snprintf(within, sizeof within, found->first.expected.bound > 0 ? "within %.3g" : "exactly",
             found->first.expected.bound);
    const bool wants_nan = isnan(found->first.expected.value), has_nan = isnan(found->first.got);
    const char *hint = wants_nan && !has_nan ? " (NaN must stay NaN, which a comparison or max() loses)"
                       : has_nan && !wants_nan
                           ? " (NaN comes of what the array held before, as in beta * C, or of an infinity)"
                           : "";
    snprintf(check->reason, sizeof check->reason,
             "wrong answer: %s is %.9g, expected %.9g %s%s; %" PRId64 " of %" PRId64 " checked elements are wrong",
             element, found->first.got, found->first.expected.value, within, hint, found->wrong, r->rows * r->columns);
}

static void report_imprecise(const char *where, double rms, double limit, struct check *check)
{
    snprintf(check->reason, sizeof check->reason,
             "imprecise answer%s: the RMS error is %.3g units of roundoff, expected at most %.3g: lower precision than "
             "the rung promises",
             where, rms, limit);
}

static void report_finding(const struct reference *r, const struct freivalds_finding *finding, struct check *check)
{
    char first[NAME_BYTES], last[NAME_BYTES], where[2 * NAME_BYTES + 40];
    name_element(r, finding->first, first);
    name_element(r, finding->last, last);
    snprintf(where, sizeof where, " from %s to %s (Freivalds' check)", first, last);
    if (finding->is_imprecise)
        report_imprecise(where, finding->sum, finding->bound, check);
    else
        snprintf(check->reason, sizeof check->reason,
                 "wrong answer: the weighted sum%s is %.9g, expected %.9g within %.3g", where, finding->sum,
                 finding->expected, finding->bound);
}

static void check_precision(const struct reference *r, enum precision precision, const void *answer, int64_t measured,
                            struct check *check)
{
    const int64_t side = r->index ? smaller(sums_side(&r->sums), r->rows) : sums_side(&r->sums);
    const double limit = sums_rms_limit(precision, r->note.terms, r->rows * r->columns, side);
    struct freivalds_finding finding;
    check->correct = !r->note.zero_mean || measured < REFERENCE_PRECISE_ELEMENTS || check->rms_err <= limit;
    if (!check->correct)
        report_imprecise("", check->rms_err, limit, check);
    if (!check->correct || !r->freivalds)
        return;
    check->correct = freivalds_check(r->freivalds, precision, &r->note, answer, &finding);
    if (!check->correct)
        report_finding(r, &finding, check);
}

static void check_output(const struct reference *r, enum precision precision, void *const host[], struct check *check)
{
    const void *answer = host[r->output];
    struct findings found = {0};
    if (!r->exact || memcmp(answer, r->exact, (size_t)(r->rows * r->columns) * element_bytes(r->type)) != 0)
        found = compare(r, precision, answer);
    const bool has_no_error = r->is_precise && found.max_abs_err == 0; /* then there is no bound to report */
    *check = (struct check){
        .correct = found.wrong == 0,
        .max_abs_err = found.max_abs_err,
        .err_bound = has_no_error ? NAN : found.bound_at_max,
        .rms_err = found.measured > 0 ? sqrt(found.squares / (double)found.measured) : NAN,
        .max_err = found.most,
    };
    if (!check->correct)
        report_wrong(r, &found, check);
    else if (r->is_precise)
        check_precision(r, precision, answer, found.measured, check);
}

void op_check(const struct reference *r, enum precision precision, void *const host[], struct check *check)
{
    struct check of_next;
    check_output(r, precision, host, check);
    for (r = r->next; r && check->correct; r = r->next) {
        check_output(r, precision, host, &of_next);
        if (!of_next.correct || !(of_next.max_abs_err <= check->max_abs_err))
            *check = of_next;
    }
}

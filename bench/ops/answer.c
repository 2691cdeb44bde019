#include "answer.h"

#include "bench/base/host.h"
#include "bench/base/parallel.h"

#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double parallel_flops = 1e7; /* less is not worth a thread */

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t sampled_rows(int64_t rows, int64_t columns)
{
    const int64_t enough = (REFERENCE_SAMPLED_ELEMENTS - 1) / columns + 1;
    return smaller(rows, enough > REFERENCE_SAMPLED_ROWS ? enough : REFERENCE_SAMPLED_ROWS);
}

/* Elements that are computed together. */
static int64_t piece_of(const struct op *op, const struct workload *workload)
{
    int64_t extent[OP_RANK_MAX];
    const struct op of_piece = {.sizes = op->sizes, .args = {{.extents = op->piece}}};
    if (!op->piece)
        return REFERENCE_JOB_ELEMENTS;
    (void)op_extents(&of_piece, workload, 0, extent);
    return extent[0];
}

/* What is known of the answer, before anything is computed. */
static struct reference outline(const struct op *op, const struct workload *workload)
{
    struct reference r = {.op = op, .workload = *workload, .job = piece_of(op, workload)};
    int64_t extent[OP_RANK_MAX];
    r.output = op_output(op);
    r.type = op->args[r.output].type;
    r.is_sum = sums_of(op, workload, &r.sums);
    const int rank = op_extents(op, workload, r.output, extent);
    r.columns = extent[rank - 1];
    r.rows = 1;
    for (int i = 0; i < rank - 1; i++)
        r.rows *= extent[i];
    assert(!op->is_exact || r.job <= REFERENCE_JOB_ELEMENTS);
    return r;
}

static bool is_sampled(const struct reference *r)
{
    return r->is_sum && sums_are_precise(&r->sums) && op_cost(r->op, &r->workload).flops > REFERENCE_FULL_FLOPS &&
           sampled_rows(r->rows, r->columns) < r->rows &&
           freivalds_bytes(&r->sums) < (size_t)(r->rows * r->columns) * 2 * sizeof(double);
}

size_t op_reference_bytes(const struct op *op, const struct workload *workload)
{
    const struct reference r = outline(op, workload);
    const size_t rows = (size_t)(is_sampled(&r) ? sampled_rows(r.rows, r.columns) : r.rows);
    const size_t of_element = op->is_exact ? element_bytes(r.type) : 2 * sizeof(double);
    return sizeof r + rows * (size_t)r.columns * of_element + (is_sampled(&r) ? freivalds_bytes(&r.sums) : 0);
}

/* The first row, the last row, and one random row in each of the equal parts between. */
static bool sample_rows(struct reference *r)
{
    const int64_t rows = r->rows;
    const uint64_t seed = entropy_bits();
    r->rows = sampled_rows(rows, r->columns);
    r->index = malloc((size_t)r->rows * sizeof *r->index);
    for (int64_t s = 0; s < r->rows && r->index; s++) {
        const int64_t from = s * rows / r->rows, to = (s + 1) * rows / r->rows;
        r->index[s] = from + (int64_t)(made_bits(seed, (uint64_t)s) % (uint64_t)(to - from));
    }
    if (!r->index)
        return false;
    r->index[0] = 0;
    r->index[r->rows - 1] = rows - 1;
    return true;
}

/* Where element `known` of those that are known is in the answer. */
static int64_t place_of(const struct reference *r, int64_t known)
{
    return r->index ? r->index[known / r->columns] * r->columns + known % r->columns : known;
}

static void make_sums(struct reference *r, int64_t first, int64_t count)
{
    struct sum sum[REFERENCE_JOB_ELEMENTS];
    sums_compute(&r->sums, r->memory, place_of(r, first), count, sum);
    for (int64_t i = 0; i < count; i++) {
        const double bound = r->note.exact ? 0 : sum_bound(&sum[i]);
        r->value[first + i] = sum[i].value;
        r->scale[first + i] = sums_are_precise(&r->sums) ? sum[i].magnitude : bound;
    }
}

static bool make_exact(struct reference *r, int64_t first, int64_t count)
{
    double value[REFERENCE_JOB_ELEMENTS] = {0}, bound[REFERENCE_JOB_ELEMENTS] = {0};
    if (!r->op->compute(&(struct op_piece){r->workload.size, r->inputs, first, count, value, bound}))
        return false;
    for (int64_t i = 0; i < count; i++)
        element_set(r->type, r->exact, first + i, value[i]);
    return true;
}

static void make_job(void *self, int64_t number)
{
    struct reference *r = self;
    const bool in_rows = r->is_sum; /* jobs end where rows do */
    const int64_t jobs_of_row = in_rows ? (r->columns - 1) / r->job + 1 : 1;
    const int64_t end = in_rows ? (number / jobs_of_row + 1) * r->columns : r->rows * r->columns;
    const int64_t first = in_rows ? end - r->columns + number % jobs_of_row * r->job : number * r->job;
    const int64_t count = smaller(r->job, end - first);
    bool ok = true;
    if (r->is_sum)
        make_sums(r, first, count);
    else if (r->op->is_exact)
        ok = make_exact(r, first, count);
    else
        ok = r->op->compute(
            &(struct op_piece){r->workload.size, r->inputs, first, count, r->value + first, r->scale + first});
    if (!ok)
        r->failed = true;
}

static bool make(struct reference *r)
{
    const size_t elements = (size_t)(r->rows * r->columns);
    const int64_t jobs =
        r->is_sum ? r->rows * ((r->columns - 1) / r->job + 1) : (r->rows * r->columns - 1) / r->job + 1;
    if (r->op->is_exact)
        r->exact = malloc(elements * element_bytes(r->type));
    else
        r->value = malloc(elements * sizeof *r->value), r->scale = malloc(elements * sizeof *r->scale);
    if (!r->exact && (!r->value || !r->scale))
        return false;
    if (op_work(r->op, &r->workload) >= parallel_flops)
        parallel_each(jobs, make_job, r);
    else
        for (int64_t number = 0; number < jobs; number++)
            make_job(r, number);
    return !r->failed;
}

struct reference *op_reference_make(const struct op *op, const struct workload *workload, const struct input_note *note,
                                    void *const host[])
{
    struct reference *r = malloc(sizeof *r);
    if (!r)
        return NULL;
    *r = outline(op, workload);
    r->note = *note;
    if (r->is_sum && note->terms == 0)
        r->note.terms = r->sums.terms;
    for (size_t i = 0; i < r->output; i++) {
        r->memory[i] = host[i];
        r->inputs[i] = (struct op_reader){.memory = host[i], .type = op->args[i].type};
    }
    bool ok = true;
    if (is_sampled(r)) {
        r->freivalds = freivalds_make(&r->sums, r->memory);
        ok = r->freivalds && sample_rows(r);
    }
    if (ok && make(r))
        return r;
    op_reference_free(r);
    return NULL;
}

void op_reference_free(struct reference *r)
{
    if (!r)
        return;
    free(r->index);
    free(r->value);
    free(r->scale);
    free(r->exact);
    freivalds_free(r->freivalds);
    free(r);
}

struct tolerance {
    double relative, underflow; /* an element may be off by relative * scale + underflow */
    double unit;                /* an error is told in such units of the scale; 0: it is not */
};

struct findings {
    int64_t wrong;
    int64_t element; /* the first wrong one */
    double got, expected, bound;
    double max_abs_err, bound_at_max; /* NAN: an error without a size */
    double squares;
    int64_t measured;
};

/* 0 where both are the same infinity, or NaN; NAN or infinite where only one is. */
static inline double error_of(double got, double expected)
{
    return got == expected || (isnan(got) && isnan(expected)) ? 0 : fabs(got - expected);
}

static inline bool is_right(double err, double bound)
{
    return err == 0 || (err <= bound && err <= DBL_MAX);
}

static void note_element(double err, double bound, struct findings *found)
{
    if (!isnan(found->max_abs_err) && !(err <= found->max_abs_err)) {
        found->max_abs_err = err;
        found->bound_at_max = bound;
    }
}

/* Most elements are right, so the errors of a run of them are found first, without branches, and looked at then. */
enum { RUN = 64 };

/* The first of the run is `element` of the answer. */
static void compare_run(const double expected[], const double scale[], const double got[], int64_t count,
                        const struct tolerance *tolerance, int64_t element, struct findings *found)
{
    double err[RUN], bound[RUN], squares[RUN];
    int64_t wrong = 0, larger = 0, measured = 0;
    for (int64_t j = 0; j < count; j++)
        err[j] = error_of(got[j], expected[j]);
    for (int64_t j = 0; j < count; j++) {
        bound[j] = tolerance->relative * scale[j] + tolerance->underflow;
        double units = (err[j] - tolerance->underflow) / (tolerance->unit * scale[j]);
        squares[j] = units * fabs(units);
    }
    for (int64_t j = 0; j < count; j++) {
        wrong += !is_right(err[j], bound[j]);
        larger += !(err[j] <= found->max_abs_err);
        measured += scale[j] > 0;
    }
    for (int64_t j = 0; j < count; j++)
        found->squares += squares[j] > 0 ? squares[j] : 0;
    found->measured += measured;
    for (int64_t j = 0; j < count && larger > 0; j++)
        note_element(err[j], bound[j], found);
    for (int64_t j = 0; j < count && wrong > 0; j++) {
        if (is_right(err[j], bound[j]) || found->wrong++ > 0)
            continue;
        found->element = element + j;
        found->got = got[j];
        found->expected = expected[j];
        found->bound = bound[j];
    }
}

/* Elements are compared in shares. Each has findings of its own, and so many elements at least, which are worth a
 * thread. */
enum { SHARE_ELEMENTS = 1 << 18, SHARES_MAX = 64 };

struct shares {
    const struct reference *reference;
    const struct tolerance *tolerance;
    const void *answer;
    int64_t rows; /* of a share */
    struct findings found[SHARES_MAX];
};

static void compare_some(const struct shares *shares, int64_t first, int64_t count, struct findings *found)
{
    static const double no_scale[RUN];
    const struct reference *r = shares->reference;
    const int64_t place = place_of(r, first);
    double got[RUN], exact[RUN];
    for (int64_t j = 0; j < count; j++) {
        got[j] = element_value(r->type, shares->answer, place + j);
        exact[j] = r->exact ? element_value(r->type, r->exact, first + j) : 0;
    }
    compare_run(r->exact ? exact : r->value + first, r->exact ? no_scale : r->scale + first, got, count,
                shares->tolerance, place, found);
}

static void compare_share(void *self, int64_t share)
{
    struct shares *shares = self;
    const struct reference *r = shares->reference;
    const int64_t begin = share * shares->rows, end = smaller(begin + shares->rows, r->rows);
    struct findings found = {0};
    for (int64_t row = begin; row < end; row++)
        for (int64_t j = 0; j < r->columns; j += RUN)
            compare_some(shares, row * r->columns + j, smaller(RUN, r->columns - j), &found);
    shares->found[share] = found;
}

/* The shares come in the order of rows. */
static void add_findings(struct findings *all, const struct findings *more)
{
    const struct findings before = *all;
    if (before.wrong == 0)
        *all = *more;
    all->wrong = before.wrong + more->wrong;
    all->squares = before.squares + more->squares;
    all->measured = before.measured + more->measured;
    all->max_abs_err = before.max_abs_err;
    all->bound_at_max = before.bound_at_max;
    note_element(more->max_abs_err, more->bound_at_max, all);
}

static struct findings compare(const struct reference *r, const struct tolerance *tolerance, const void *answer)
{
    const int64_t few = SHARE_ELEMENTS / r->columns + 1, many = (r->rows - 1) / SHARES_MAX + 1;
    struct shares shares = {r, tolerance, answer, few > many ? few : many, {{0}}};
    struct findings found = {0};
    const int64_t share_count = (r->rows - 1) / shares.rows + 1;
    assert(share_count <= SHARES_MAX);
    if (share_count > 1)
        parallel_each(share_count, compare_share, &shares);
    else
        compare_share(&shares, 0);
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
    name_element(r, found->element, element);
    snprintf(within, sizeof within, found->bound > 0 ? "within %.3g" : "exactly", found->bound);
    snprintf(check->reason, sizeof check->reason,
             "wrong answer: %s is %.9g, expected %.9g %s; %" PRId64 " of %" PRId64 " checked elements are wrong",
             element, found->got, found->expected, within, found->wrong, r->rows * r->columns);
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

static struct tolerance tolerance_of(const struct reference *r, enum precision precision)
{
    const struct input_note *note = &r->note;
    if (!r->is_sum || !sums_are_precise(&r->sums))
        return (struct tolerance){.relative = 1};
    struct tolerance tolerance = {.unit = precision == PRECISION_TF32 ? 0x1p-11 : 0x1p-24};
    if (!note->exact) {
        tolerance.relative = sums_relative_bound(precision, note->terms, note->zero_mean);
        tolerance.underflow = (double)note->terms * 0x1p-149;
    }
    return tolerance;
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

void op_check(const struct reference *r, enum precision precision, void *const host[], struct check *check)
{
    const struct tolerance tolerance = tolerance_of(r, precision);
    const void *answer = host[r->output];
    struct findings found = {0};
    if (!r->exact || memcmp(answer, r->exact, (size_t)(r->rows * r->columns) * element_bytes(r->type)) != 0)
        found = compare(r, &tolerance, answer);
    const bool has_rms = tolerance.unit > 0 && found.measured > 0;
    const bool has_no_error = tolerance.unit > 0 && found.max_abs_err == 0; /* then there is no bound to report */
    *check = (struct check){
        .correct = found.wrong == 0,
        .max_abs_err = found.max_abs_err,
        .err_bound = has_no_error ? NAN : found.bound_at_max,
        .rms_err = has_rms ? sqrt(found.squares / (double)found.measured) : NAN,
    };
    if (!check->correct)
        report_wrong(r, &found, check);
    else if (tolerance.unit > 0)
        check_precision(r, precision, answer, found.measured, check);
}

/* Of the piece that was computed last, further elements cost nothing. */
static bool exact_of_piece(const struct op *op, const struct workload *workload, const struct op_reader inputs[],
                           int64_t element, int64_t elements, struct exact *exact)
{
    static struct {
        const struct op *op;
        struct workload workload;
        uint64_t seed;
        int64_t first;
        double *value; /* and the bounds behind them */
    } last;
    const int64_t length = op->piece ? piece_of(op, workload) : 1;
    const int64_t first = element / length * length, count = smaller(length, elements - first);
    const uint64_t seed = inputs[0].made->seed;
    if (last.op != op || last.seed != seed || last.first != first ||
        memcmp(last.workload.size, workload->size, sizeof last.workload.size) != 0) {
        free(last.value);
        last.op = NULL;
        last.value = malloc((size_t)count * 2 * sizeof *last.value);
        if (!last.value ||
            !op->compute(&(struct op_piece){workload->size, inputs, first, count, last.value, last.value + count}))
            return false;
        last.op = op;
        last.workload = *workload;
        last.seed = seed;
        last.first = first;
    }
    *exact = (struct exact){last.value[element - first], last.value[element - first + count], NAN, false};
    return true;
}

bool op_element(const struct op *op, const struct workload *workload, const struct made made[OP_BUFFERS_MAX],
                int64_t element, enum precision precision, struct exact *exact)
{
    static struct reference last; /* elements come by the thousand */
    struct op_reader inputs[OP_BUFFERS_MAX];
    if (last.op != op || memcmp(last.workload.size, workload->size, sizeof workload->size) != 0)
        last = outline(op, workload);
    for (size_t i = 0; i < last.output; i++)
        inputs[i] = (struct op_reader){.made = &made[i], .type = op->args[i].type};
    if (!last.is_sum)
        return exact_of_piece(op, workload, inputs, element, last.rows * last.columns, exact);
    *exact = sums_exact(&last.sums, inputs, element, precision);
    return true;
}

double op_element_reads(const struct op *op, const struct workload *workload)
{
    const struct reference r = outline(op, workload);
    const double each = r.is_sum ? (double)r.sums.terms : op->piece ? (double)r.job : 1;
    return (double)r.output * each;
}

bool op_visit_inputs(const struct op *op, const struct workload *workload, int64_t first, int64_t count,
                     op_visit *visit, void *self)
{
    const struct reference r = outline(op, workload);
    struct op_reader inputs[OP_BUFFERS_MAX];
    const int64_t piece = op->piece ? r.job : 1, begin = first / piece * piece;
    double value[REFERENCE_JOB_ELEMENTS] = {0}, bound[REFERENCE_JOB_ELEMENTS] = {0};
    if (r.is_sum) {
        sums_visit(&r.sums, first, count, visit, self);
        return true;
    }
    for (size_t i = 0; i < r.output; i++)
        inputs[i] = (struct op_reader){.visit = visit, .self = self, .input = i};
    for (int64_t at = begin; at < first + count; at += piece)
        if (piece > REFERENCE_JOB_ELEMENTS ||
            !op->compute(&(struct op_piece){workload->size, inputs, at, piece, value, bound}))
            return false;
    return true;
}

double op_rms_limit(const struct op *op, const struct workload *workload, enum precision precision, int64_t elements,
                    bool dense)
{
    struct sums sums;
    if (!sums_of(op, workload, &sums) || !sums_are_precise(&sums))
        return INFINITY;
    return sums_rms_limit_of_elements(&sums, precision, elements, dense);
}

#include "comparison.h"

#include "bench/base/memory.h"
#include "bench/base/plain_text.h"
#include "bench/base/statistics.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct context {
    const struct comparison *comparison;
    struct row_walk walk; /* at the row */
    struct compared_row *row;
    struct error *error;
};

/* Appends to the row's remark, after "; " if there is one already. */
__attribute__((format(printf, 2, 3))) static void remark(struct compared_row *row, const char *format, ...)
{
    char text[sizeof row->remark];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    text_append(row->remark, sizeof row->remark, "%s%s", row->remark[0] ? "; " : "", text);
}

/* Mean of what is known; NAN: nothing is. */
static double clock_mhz(const struct row_rounds *rounds)
{
    double sum = 0, known = 0;
    for (size_t i = 0; i < rounds->count; i++) {
        const char *cell = rounds->items[i].text[COLUMN_cpu_clock_mhz];
        sum += cell[0] != '\0' ? strtod(cell, NULL) : 0;
        known += cell[0] != '\0';
    }
    return sum / known;
}

/* Length of what a text of compilers says of the C compiler: "GNU 12.2.0 -O3 + nvcc 13.0.88 -O3". These rows run on the
 * host. */
static size_t c_part(const char *compilers)
{
    const char *end = strstr(compilers, " + ");
    return end ? (size_t)(end - compilers) : strlen(compilers);
}

/* What differs between two runs of a row on the host, apart from its code. */
static void remark_on_runs(struct compared_row *row, const struct row_rounds *base, const struct row_rounds *other)
{
    const char *was = rounds_first(base, STATUS_OK)->text[COLUMN_compiler],
               *is = rounds_first(other, STATUS_OK)->text[COLUMN_compiler];
    double before_mhz = clock_mhz(base), after_mhz = clock_mhz(other);
    if (fabs(log(after_mhz / before_mhz)) > log1p(row->evidence.limits.threshold))
        remark(row, "the CPU's clock: %.0f MHz, then %.0f MHz", before_mhz, after_mhz);
    size_t length = c_part(was);
    if (was[0] != '\0' && is[0] != '\0' && (c_part(is) != length || strncmp(was, is, length) != 0))
        remark(row, "another compiler, or other flags");
}

/* A row that only the new side has is held against what the device can do, since there is nothing else. */
static void remark_on_new(struct compared_row *row, const struct row_rounds *rounds)
{
    const struct observation *timed = rounds_first(rounds, STATUS_OK);
    const char *ceiling = timed->text[COLUMN_ceiling_pct];
    remark(row, "%.4g us%s%s%s", timed->time_s * 1e6, ceiling[0] ? ", " : "", ceiling,
           ceiling[0] ? " % of its ceiling" : "");
}

static bool has_failed_in(const struct row_rounds *rounds, long round)
{
    for (size_t i = 0; i < rounds->count; i++)
        if (rounds->items[i].status == STATUS_FAILED && rounds->items[i].round == round)
            return true;
    return false;
}

/* Whether the new side is wrong in a round in which the base is not. */
static bool is_newly_wrong(const struct row_rounds *base, const struct row_rounds *other)
{
    for (size_t i = 0; i < other->count; i++)
        if (other->items[i].status == STATUS_FAILED && !has_failed_in(base, other->items[i].round))
            return true;
    return false;
}

static bool decide_by_status(struct context *context)
{
    const struct row_rounds *base = &context->walk.rounds[BASE], *other = &context->walk.rounds[NEW];
    struct compared_row *row = context->row;
    const struct observation *failed = rounds_first(other, STATUS_FAILED);
    const struct observation *skipped = rounds_first(other, STATUS_SKIPPED);
    bool base_ok = rounds_first(base, STATUS_OK);
    bool base_failed = rounds_first(base, STATUS_FAILED) && (!base_ok || !is_newly_wrong(base, other));
    row->is_decided = true;
    if (failed) {
        row->verdict = base_failed ? VERDICT_NOT_GATED : VERDICT_FAILED;
        row->reason = failed->reason;
    } else if (base_ok && other->count == 0) {
        row->verdict = VERDICT_MISSING;
    } else if (base_ok && 2 * rounds_with_status(other, STATUS_SKIPPED) > other->count) {
        row->verdict = VERDICT_NEWLY_SKIPPED;
        row->reason = skipped->reason;
    } else if (!base_ok) {
        row->verdict = rounds_first(other, STATUS_OK) ? VERDICT_NEW : VERDICT_SKIPPED;
        row->reason = skipped ? skipped->reason : "";
    } else {
        row->is_decided = false;
    }
    return row->is_decided;
}

static bool is_other_code(const struct observation *a, const struct observation *b)
{
    static const enum column_id columns[] = {COLUMN_code, COLUMN_blas_version, COLUMN_cuda_version};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        if (strcmp(a->text[columns[i]], b->text[columns[i]]) != 0)
            return true;
    return false;
}

enum code_match code_match_of(const struct row_rounds sides[2])
{
    const struct observation *first = rounds_first(&sides[BASE], STATUS_OK);
    enum code_match match = first ? CODE_SAME : CODE_UNKNOWN;
    for (int s = BASE; s <= NEW; s++)
        for (size_t i = 0; i < sides[s].count; i++) {
            const struct observation *o = &sides[s].items[i];
            if (!first || o->status != STATUS_OK)
                continue;
            if (o->text[COLUMN_code][0] == '\0')
                return CODE_UNKNOWN;
            if (is_other_code(first, o))
                match = CODE_CHANGED;
        }
    return match;
}

static bool check_identity(const struct context *context)
{
    const struct row_rounds *sides = context->walk.rounds;
    enum identity_demand demand = context->comparison->options->other_device ? IDENTITY_ANY_MACHINE
                                  : context->row->foreign                    ? IDENTITY_SAME
                                  : context->comparison->paired              ? IDENTITY_SITTING
                                                                             : IDENTITY_KNOWN;
    for (int s = BASE; s <= NEW; s++)
        for (size_t i = 0; i < sides[s].count; i++)
            if (sides[s].items[i].status == STATUS_OK &&
                !identity_check(rounds_first(&sides[BASE], STATUS_OK), &sides[s].items[i], demand, context->error))
                return false;
    return true;
}

/* The times of the usable rounds of both sides, and how many; if rounds are paired, a round must be usable on both. The
 * tick is that of the base: a new build must not widen its own tolerance. */
static double collect_times(const struct context *context, size_t count[2])
{
    double tick_s = 0;
    for (int s = BASE; s <= NEW; s++) {
        const struct row_rounds *own = &context->walk.rounds[s], *other = &context->walk.rounds[1 - s];
        context->row->times_s[s] = memory_get(own->count, sizeof(double));
        for (size_t i = 0; i < own->count; i++) {
            if (!observation_is_usable(&own->items[i]) ||
                (context->comparison->paired && !observation_is_usable(&other->items[i])))
                continue;
            context->row->times_s[s][count[s]++] = own->items[i].time_s;
            tick_s = s == BASE ? fmax(tick_s, own->items[i].tick_s) : tick_s;
        }
    }
    return tick_s;
}

/* For rows of which more than half of the rounds are not usable. If most rounds of both sides are launch-bound, the row
 * is not gated. */
static void decide_unusable(struct context *context)
{
    size_t bound = 0;
    bool always_was = true;
    for (int s = BASE; s <= NEW; s++) {
        const struct row_rounds *side = &context->walk.rounds[s];
        size_t of_side = 0;
        for (size_t i = 0; i < side->count; i++)
            of_side += side->items[i].launch_bound;
        bound += of_side;
        always_was = always_was && 2 * of_side > side->count;
    }
    context->row->is_decided = true;
    context->row->verdict = always_was ? VERDICT_NOT_GATED : VERDICT_INCONCLUSIVE;
    context->row->reason =
        bound > 0 ? "launch-bound: the host was too slow to keep the device busy" : "too few of its rounds were timed";
}

/* Where the widest gap is, of those that leave two times or more, and as many as a tenth, on either side; 0: nowhere.
 */
static size_t widest_gap(const double *sorted, size_t count)
{
    const size_t fewest = count / 10 > 2 ? count / 10 : 2;
    size_t widest = 0;
    for (size_t i = fewest; i + fewest <= count; i++)
        if (widest == 0 || sorted[i] - sorted[i - 1] > sorted[widest] - sorted[widest - 1])
            widest = i;
    return widest;
}

/* Two levels: times of processes that fall into two groups, further apart than three times the spread of either and
 * than what is a change. Where physical memory lies or how a library chose its kernel stays for a whole process, and
 * more rounds do not average it out. */
static void remark_on_levels(struct compared_row *row, int side, size_t count)
{
    double *sorted = memcpy(memory_get(count, sizeof(double)), row->times_s[side], count * sizeof(double));
    const struct statistics all = statistics_of(sorted, count); /* sorts them */
    const size_t split = widest_gap(sorted, count);
    if (split != 0) {
        const double least = fmax(row->evidence.limits.threshold, 2 * row->evidence.tick_s / row->evidence.base_s),
                     gap = sorted[split] - sorted[split - 1],
                     spread = fmax(sorted[split - 1] - all.min, all.max - sorted[split]),
                     lower_s = statistics_of(sorted, split).median,
                     upper_s = statistics_of(sorted + split, count - split).median;
        if (gap > 3 * spread && gap > least * lower_s)
            remark(row, "%s: two levels, %.4g us in %zu rounds and %.4g us in %zu", gate_sides[side], lower_s * 1e6,
                   split, upper_s * 1e6, count - split);
    }
    free(sorted);
}

static void collect_evidence(struct context *context)
{
    struct compared_row *row = context->row;
    const struct gate_options *options = context->comparison->options;
    const struct row_rounds *sides = context->walk.rounds;
    size_t count[2] = {0, 0};
    const double tick_s = collect_times(context, count);
    if (2 * count[BASE] < sides[BASE].count || 2 * count[NEW] < sides[NEW].count) {
        decide_unusable(context);
        return;
    }
    row->on_host = rounds_first(&sides[BASE], STATUS_OK)->on_host;
    row->has_evidence = true;
    const struct exception *own = exceptions_find(context->comparison->exceptions, THRESHOLD, row->name);
    struct limits limits = own                         ? limits_from(own->threshold)
                           : isnan(options->threshold) ? limits_of(row->on_host, context->comparison->paired)
                                                       : limits_from(options->threshold);
    row->evidence = context->comparison->paired
                        ? evidence_of_pairs(row->times_s[BASE], row->times_s[NEW], count[BASE], tick_s, limits,
                                            options->seed, !options->no_intervals)
                        : evidence_of_samples(row->times_s[BASE], count[BASE], row->times_s[NEW], count[NEW], tick_s,
                                              limits, options->seed);
    if (own)
        remark(row, "threshold %g %%: %s", 100 * own->threshold, own->reason);
    for (int s = BASE; s <= NEW; s++) {
        const size_t timed = rounds_with_status(&sides[s], STATUS_OK);
        if (timed < sides[s].count)
            remark(row, "%s: timed in %zu of %zu rounds", gate_sides[s], timed, sides[s].count);
    }
    if (row->on_host && !context->comparison->paired)
        remark_on_runs(row, &sides[BASE], &sides[NEW]);
    for (int s = BASE; s <= NEW; s++)
        remark_on_levels(row, s, count[s]);
}

static bool compare_row(struct context *context)
{
    const struct row_rounds *sides = context->walk.rounds;
    for (int s = BASE; s <= NEW; s++)
        context->row->foreign = context->row->foreign || (sides[s].count > 0 && sides[s].items[0].foreign);
    for (size_t i = 0; i < sides[NEW].count; i++)
        context->row->slowed = context->row->slowed || sides[NEW].items[i].slowed;
    if (decide_by_status(context)) {
        if (context->row->verdict == VERDICT_NEW)
            remark_on_new(context->row, &sides[NEW]);
        return true;
    }
    if (!check_identity(context))
        return false;
    context->row->code = code_match_of(sides);
    collect_evidence(context);
    return true;
}

static bool check_not_slowed(const struct recording *base, struct error *error)
{
    for (size_t i = 0; i < base->count; i++)
        if (base->items[i].slowed)
            return error_set(error,
                             "%s: line %zu: the row was slowed on purpose (--slowdown), expected a base that was not",
                             base->name, base->items[i].line);
    return true;
}

static const char *first_device(const struct recording *recording)
{
    for (size_t i = 0; i < recording->count; i++)
        if (recording->items[i].text[COLUMN_device][0] != '\0')
            return recording->items[i].text[COLUMN_device];
    return "";
}

/* Two runs must have at least one row in common, or they are unrelated. */
static bool has_common_row(const struct comparison *comparison, const struct recording *base,
                           const struct recording *other, struct error *error)
{
    for (size_t i = 0; i < comparison->count; i++)
        if (comparison->paired ||
            (comparison->rows[i].verdict != VERDICT_MISSING && comparison->rows[i].verdict != VERDICT_NEW))
            return true;
    return error_set(error, "%s and %s have no row in common: there is nothing to compare", base->name, other->name);
}

bool comparison_make(const struct recording *base, const struct recording *other, const struct gate_options *options,
                     const struct exceptions *exceptions, struct comparison *comparison, struct error *error)
{
    *comparison = (struct comparison){0};
    if (base->count == 0 || other->count == 0)
        return error_set(error, "%s has no row: there is nothing to compare", (base->count ? other : base)->name);
    *comparison = (struct comparison){.options = options,
                                      .exceptions = exceptions,
                                      .level = options->task == TASK_FILES ? RULE_FILES_LEVEL : RULE_SITTING_LEVEL,
                                      .base_revision = base->items[0].text[COLUMN_git_rev],
                                      .new_revision = other->items[0].text[COLUMN_git_rev],
                                      .device = first_device(other),
                                      .paired = rounds_are_paired(base, other)};
    if (!check_not_slowed(base, error) || (comparison->paired && !rounds_check_pairs(base, other, error)))
        return false;
    comparison->rows = memory_get(base->count + other->count, sizeof *comparison->rows);
    struct context context = {.comparison = comparison, .walk = {.recordings = {base, other}}, .error = error};
    bool ok = true;
    while (ok && walk_to_next_row(&context.walk)) {
        const struct row_rounds *sides = context.walk.rounds;
        if (options->common && (sides[BASE].count == 0 || sides[NEW].count == 0)) {
            comparison->alone[sides[BASE].count == 0]++;
            continue;
        }
        context.row = &comparison->rows[comparison->count++];
        *context.row =
            (struct compared_row){.name = context.walk.name, .reason = "", .rounds = {sides[BASE], sides[NEW]}};
        ok = compare_row(&context);
    }
    if (ok && has_common_row(comparison, base, other, error))
        return true;
    comparison_free(comparison);
    return false;
}

void comparison_free(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->count; i++) {
        free(comparison->rows[i].why);
        for (int s = BASE; s <= NEW; s++)
            free(comparison->rows[i].times_s[s]);
    }
    free(comparison->rows);
    *comparison = (struct comparison){0};
}

size_t comparison_count(const struct comparison *comparison, enum verdict verdict)
{
    size_t count = 0;
    for (size_t i = 0; i < comparison->count; i++)
        count += comparison->rows[i].verdict == verdict;
    return count;
}

bool row_is_unchanged(const struct compared_row *row)
{
    return row->code == CODE_SAME && !row->slowed;
}

static enum verdict last_word(const struct comparison *comparison, const struct compared_row *row, enum verdict verdict)
{
    bool other_device = comparison->options->other_device;
    bool is_doubtful = other_device || (!comparison->paired && (row->on_host || row->foreign));
    if (evidence_fewest_rounds(&row->evidence) < 2) /* a single one does not say how much they vary */
        verdict = VERDICT_INCONCLUSIVE;
    if (row_is_unchanged(row) && !other_device && verdict != VERDICT_CLEARED)
        return verdict == VERDICT_INCONCLUSIVE ? VERDICT_SAME_CODE : VERDICT_LAYOUT;
    return verdict == VERDICT_SLOWER && is_doubtful ? VERDICT_SUSPECTED : verdict;
}

/* Holm's correction counts only the rows of a family. `decisions` has room for all. */
static void decide_family(struct comparison *comparison, bool unchanged, struct decision *decisions)
{
    for (size_t i = 0; i < comparison->count; i++) {
        const struct compared_row *row = &comparison->rows[i];
        decisions[i].evidence = row->evidence;
        decisions[i].is_open = !row->is_decided && row_is_unchanged(row) == unchanged;
    }
    rule_decide(decisions, comparison->count, comparison->level);
    for (size_t i = 0; i < comparison->count; i++)
        if (decisions[i].is_open) {
            struct compared_row *row = &comparison->rows[i];
            row->verdict = last_word(comparison, row, decisions[i].verdict);
            row->is_decided = true;
        }
}

void comparison_decide(struct comparison *comparison)
{
    struct decision *decisions = memory_get(comparison->count, sizeof *decisions);
    decide_family(comparison, false, decisions);
    decide_family(comparison, true, decisions);
    free(decisions);
}

void comparison_except(struct comparison *comparison)
{
    const struct exceptions *exceptions = comparison->exceptions;
    for (size_t i = 0; i < comparison->count; i++) {
        struct compared_row *row = &comparison->rows[i];
        bool may_be_slower = row->verdict == VERDICT_SLOWER || row->verdict == VERDICT_SUSPECTED ||
                             (row->verdict == VERDICT_INCONCLUSIVE && row->has_evidence);
        const struct exception *accepted = may_be_slower ? exceptions_find(exceptions, ACCEPT_SLOWER, row->name)
                                           : row->verdict == VERDICT_MISSING
                                               ? exceptions_find(exceptions, ACCEPT_MISSING, row->name)
                                               : NULL;
        const struct exception *ignored = exceptions_find(exceptions, IGNORE, row->name);
        if (accepted) {
            remark(row, "%s: %s", verdict_name(row->verdict), accepted->reason);
            row->verdict = VERDICT_ACCEPTED;
        } else if (ignored && row->verdict != VERDICT_FAILED) {
            remark(row, "ignored: %s", ignored->reason);
            row->verdict = VERDICT_NOT_GATED;
        }
    }
}

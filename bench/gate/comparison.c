#include "comparison.h"

#include "identity.h"
#include "pairing.h"
#include "remarks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* If two times of a row differ by more than this factor, they cannot have the same unit. */
static const double largest_ratio = 100;

struct side {
    const struct recording *recording;
    struct row_rounds rounds;
};

/* What is needed to compare one row. */
struct context {
    const struct comparison_settings *settings;
    bool paired;
    struct side base, other;
    struct compared_row *row;
    struct error *error;
};

static const char *reason_of(const struct row_rounds *rounds, enum status status)
{
    for (size_t i = 0; i < rounds->count; i++)
        if (rounds->items[i].status == status)
            return rounds->items[i].reason;
    return "";
}

/* Whether the new side is wrong in a round in which the base is not. */
static bool is_newly_wrong(const struct row_rounds *base, const struct row_rounds *other)
{
    for (size_t i = 0; i < other->count; i++) {
        if (other->items[i].status != STATUS_FAILED)
            continue;
        bool base_too = false;
        for (size_t j = 0; j < base->count; j++)
            base_too =
                base_too || (base->items[j].status == STATUS_FAILED && base->items[j].round == other->items[i].round);
        if (!base_too)
            return true;
    }
    return false;
}

/* Returns true if the statuses alone decide the verdict. */
static bool decide_by_status(struct context *context)
{
    const struct row_rounds *base = &context->base.rounds, *other = &context->other.rounds;
    struct compared_row *row = context->row;
    bool base_ok = rounds_with_status(base, STATUS_OK) > 0;
    bool base_failed = rounds_with_status(base, STATUS_FAILED) > 0 && (!base_ok || !is_newly_wrong(base, other));
    row->is_decided = true;
    if (rounds_with_status(other, STATUS_FAILED) > 0) {
        row->verdict = base_failed ? VERDICT_NOT_GATED : VERDICT_FAILED;
        row->reason = reason_of(other, STATUS_FAILED);
    } else if (base_ok && other->count == 0) {
        row->verdict = VERDICT_MISSING;
    } else if (base_ok && 2 * rounds_with_status(other, STATUS_SKIPPED) > other->count) {
        row->verdict = VERDICT_NEWLY_SKIPPED;
        row->reason = reason_of(other, STATUS_SKIPPED);
    } else if (!base_ok) {
        row->verdict = rounds_with_status(other, STATUS_OK) > 0 ? VERDICT_NEW : VERDICT_SKIPPED;
        row->reason = reason_of(other, STATUS_SKIPPED);
    } else {
        row->is_decided = false;
    }
    return row->is_decided;
}

/* The same code: one digest in all timed rounds of both sides. */
static enum code_match match_code(const struct row_rounds *base, const struct row_rounds *other)
{
    const struct row_rounds *sides[] = {base, other};
    const char *code = rounds_first_timed(base)->text[COLUMN_code];
    enum code_match match = CODE_SAME;
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < sides[s]->count; i++) {
            const struct observation *o = &sides[s]->items[i];
            if (o->status != STATUS_OK)
                continue;
            if (o->text[COLUMN_code][0] == '\0')
                return CODE_UNKNOWN;
            if (strcmp(o->text[COLUMN_code], code) != 0)
                match = CODE_CHANGED;
        }
    return match;
}

static bool check_identity(const struct context *context)
{
    const struct side *base = &context->base, *other = &context->other;
    enum identity_demand demand = context->settings->other_device ? IDENTITY_ANY_MACHINE
                                  : context->paired               ? IDENTITY_SAME
                                                                  : IDENTITY_KNOWN;
    const struct side *sides[] = {base, other};
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < sides[s]->rounds.count; i++)
            if (sides[s]->rounds.items[i].status == STATUS_OK &&
                !identity_check(rounds_first_timed(&base->rounds), base->recording->name, &sides[s]->rounds.items[i],
                                sides[s]->recording->name, demand, context->error))
                return false;
    return true;
}

/* Times of the usable rounds of both sides. If rounds are paired, a round must be usable on both. */
struct times {
    double *base, *other;
    size_t base_count, other_count;
    double tick_s;
};

/* The tick is that of the base: a new build must not widen its own tolerance. */
static void collect_times(const struct context *context, struct times *times)
{
    const struct row_rounds *base = &context->base.rounds, *other = &context->other.rounds;
    for (size_t i = 0; i < base->count; i++)
        if (observation_is_usable(&base->items[i]) && (!context->paired || observation_is_usable(&other->items[i]))) {
            times->base[times->base_count++] = base->items[i].time_s;
            times->tick_s = fmax(times->tick_s, base->items[i].tick_s);
        }
    for (size_t i = 0; i < other->count; i++)
        if (observation_is_usable(&other->items[i]) && (!context->paired || observation_is_usable(&base->items[i])))
            times->other[times->other_count++] = other->items[i].time_s;
}

/* Checks all rounds, since one round in another unit would be hidden in the means. Rounds that were not timed are NAN,
 * and comparisons with NAN are false. */
static bool check_units(const struct context *context)
{
    const struct side *sides[] = {&context->base, &context->other}, *of_least = sides[0], *of_most = sides[0];
    const struct observation *least = rounds_first_timed(&context->base.rounds), *most = least;
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < sides[s]->rounds.count; i++) {
            const struct observation *o = &sides[s]->rounds.items[i];
            if (o->time_s < least->time_s) {
                least = o;
                of_least = sides[s];
            }
            if (o->time_s > most->time_s) {
                most = o;
                of_most = sides[s];
            }
        }
    return most->time_s < largest_ratio * least->time_s ||
           error_set(context->error, "%s takes %g s (%s, line %zu) and %g s (%s, line %zu), expected times of one unit",
                     context->row->name, least->time_s, of_least->recording->name, least->line, most->time_s,
                     of_most->recording->name, most->line);
}

static size_t count_launch_bound(const struct row_rounds *rounds)
{
    size_t count = 0;
    for (size_t i = 0; i < rounds->count; i++)
        count += rounds->items[i].launch_bound;
    return count;
}

/* For rows of which more than half of the rounds are not usable. If most rounds of both sides are launch-bound, the row
 * is not gated. */
static void decide_unusable(struct context *context)
{
    const struct row_rounds *base = &context->base.rounds, *other = &context->other.rounds;
    size_t bound = count_launch_bound(base);
    context->row->is_decided = true;
    bool always_was = 2 * bound > base->count && 2 * count_launch_bound(other) > other->count;
    context->row->verdict = always_was ? VERDICT_NOT_GATED : VERDICT_INCONCLUSIVE;
    context->row->reason = bound + count_launch_bound(other) > 0
                               ? "launch-bound: the host was too slow to keep the device busy"
                               : "too few of its rounds were timed";
}

static bool collect_evidence(struct context *context, struct times *times)
{
    struct compared_row *row = context->row;
    const struct comparison_settings *settings = context->settings;
    collect_times(context, times);
    if (2 * times->base_count < context->base.rounds.count || 2 * times->other_count < context->other.rounds.count) {
        decide_unusable(context);
        return true;
    }
    row->on_host = rounds_first_timed(&context->base.rounds)->on_host;
    const struct exception *own = exceptions_find(settings->exceptions, THRESHOLD, row->name);
    struct limits limits = own                          ? limits_from(own->threshold)
                           : isnan(settings->threshold) ? limits_of(row->on_host, context->paired)
                                                        : limits_from(settings->threshold);
    row->has_evidence = context->paired
                            ? evidence_of_pairs(times->base, times->other, times->base_count, times->tick_s, limits,
                                                settings->seed, &row->evidence) &&
                                  interval_of_pairs(times->base, times->other, times->base_count, settings->seed,
                                                    &row->evidence.interval)
                            : evidence_of_samples(times->base, times->base_count, times->other, times->other_count,
                                                  times->tick_s, limits, settings->seed, &row->evidence);
    if (!row->has_evidence)
        return error_set(context->error, "no memory for the comparison");
    if (own)
        remark(row, "threshold %g %%: %s", 100 * own->threshold, own->reason);
    remark_on_rounds(row, "base", &context->base.rounds);
    remark_on_rounds(row, "new", &context->other.rounds);
    if (row->on_host && !context->paired)
        remark_on_runs(row, &context->base.rounds, &context->other.rounds);
    remark_on_levels(row, "base", times->base, times->base_count);
    remark_on_levels(row, "new", times->other, times->other_count);
    return true;
}

/* The rounds of one row on both sides, where one side may have none. */
static bool compare_row(struct context *context)
{
    const struct row_rounds *base = &context->base.rounds, *other = &context->other.rounds;
    for (size_t i = 0; i < other->count; i++)
        context->row->slowed = context->row->slowed || other->items[i].slowed;
    if (decide_by_status(context)) {
        if (context->row->verdict == VERDICT_NEW)
            remark_on_new(context->row, other);
        return true;
    }
    if (!check_identity(context) || !check_units(context))
        return false;
    context->row->code = match_code(base, other);
    struct times times = {malloc(base->count * sizeof(double)), malloc(other->count * sizeof(double)), 0, 0, 0};
    bool ok = times.base && times.other ? collect_evidence(context, &times)
                                        : error_set(context->error, "no memory for the comparison");
    free(times.base);
    free(times.other);
    return ok;
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

/* Merges both recordings, which are sorted by name. */
static bool compare_rows(struct context *context, struct comparison *comparison)
{
    const struct recording *base = context->base.recording, *other = context->other.recording;
    for (size_t b = 0, o = 0; b < base->count || o < other->count;) {
        int order = b == base->count ? 1 : o == other->count ? -1 : strcmp(base->items[b].name, other->items[o].name);
        context->base.rounds = order <= 0 ? recording_row_at(base, b) : (struct row_rounds){0};
        context->other.rounds = order >= 0 ? recording_row_at(other, o) : (struct row_rounds){0};
        b += context->base.rounds.count;
        o += context->other.rounds.count;
        context->row = &comparison->rows[comparison->count++];
        *context->row = (struct compared_row){
            .name = (order <= 0 ? context->base : context->other).rounds.items[0].name, .reason = ""};
        if ((order == 0 && context->paired &&
             !pairing_check_row(base, &context->base.rounds, other, &context->other.rounds, context->error)) ||
            !compare_row(context))
            return false;
    }
    return true;
}

bool comparison_make(const struct recording *base, const struct recording *other,
                     const struct comparison_settings *settings, struct comparison *comparison, struct error *error)
{
    *comparison = (struct comparison){0};
    if (base->count == 0 || other->count == 0)
        return error_set(error, "%s has no row: there is nothing to compare", (base->count ? other : base)->name);
    *comparison = (struct comparison){.base_revision = base->items[0].text[COLUMN_git_rev],
                                      .new_revision = other->items[0].text[COLUMN_git_rev],
                                      .device = first_device(other)};
    if (!check_not_slowed(base, error) || !pairing_shares_session(base, other, &comparison->paired, error))
        return false;
    if (comparison->paired && !pairing_check(base, other, error))
        return false;
    comparison->rows = malloc((base->count + other->count) * sizeof *comparison->rows);
    struct context context = {settings, comparison->paired, {base, {0}}, {other, {0}}, NULL, error};
    bool ok = comparison->rows ? compare_rows(&context, comparison) : error_set(error, "no memory for the comparison");
    ok = ok && has_common_row(comparison, base, other, error);
    if (!ok)
        comparison_free(comparison);
    return ok;
}

void comparison_free(struct comparison *comparison)
{
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

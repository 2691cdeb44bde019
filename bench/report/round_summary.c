#include "round_summary.h"

#include "result_list.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct round_summary {
    struct result_list results;
};

/* The results of one row, a result a round. */
struct row_rounds {
    const struct result **items;
    size_t count;
    double *scratch; /* room for a number of each */
};

/* What is the median of the rounds' own; each a double. */
static const size_t median_fields[] = {
    offsetof(struct result, tick_s),
    offsetof(struct result, upload_s),
    offsetof(struct result, kernel_s),
    offsetof(struct result, download_s),
    offsetof(struct result, empty_kernel_s),
    offsetof(struct result, floor_s),
    offsetof(struct result, speedup),
    offsetof(struct result, slowdown_pct),
    offsetof(struct result, conditions.sm_clock_mhz),
    offsetof(struct result, conditions.memory_clock_mhz),
    offsetof(struct result, conditions.temperature_c),
    offsetof(struct result, conditions.power_w),
    offsetof(struct result, conditions.energy_j),
    offsetof(struct result, conditions.energy_over_s),
    offsetof(struct result, conditions.preemptions),
};

struct round_summary *round_summary_make(void)
{
    return calloc(1, sizeof(struct round_summary));
}

void round_summary_free(struct round_summary *summary)
{
    if (summary)
        result_list_free(&summary->results);
    free(summary);
}

bool round_summary_result(void *self, const struct result *result, struct error *error)
{
    struct round_summary *summary = self;
    return result_list_add(&summary->results, result) || error_set(error, "no memory for the results of all rounds");
}

/* Statistics over the rounds of the field at `offset`, where it is known. */
static struct statistics over_rounds(const struct row_rounds *rounds, size_t offset)
{
    size_t known = 0;
    for (size_t i = 0; i < rounds->count; i++) {
        double value;
        memcpy(&value, (const char *)rounds->items[i] + offset, sizeof value);
        if (!isnan(value))
            rounds->scratch[known++] = value;
    }
    return statistics_of(rounds->scratch, known);
}

static void merge_marks(struct conditions *all, const struct conditions *of_round)
{
    char words[sizeof of_round->marks], *rest;
    memcpy(words, of_round->marks, sizeof words);
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        conditions_mark(all, word);
}

static bool is_throttled(const struct conditions *conditions)
{
    return conditions->throttled[0] && strcmp(conditions->throttled, "no") != 0;
}

/* What a row says once if any round says it. */
static void merge_texts(struct result *merged, const struct result *round)
{
    struct conditions *conditions = &merged->conditions;
    merge_marks(conditions, &round->conditions);
    if (conditions->throttled[0] == '\0' || (!is_throttled(conditions) && is_throttled(&round->conditions)))
        memcpy(conditions->throttled, round->conditions.throttled, sizeof conditions->throttled);
    merged->launch_bound = merged->launch_bound || round->launch_bound;
    if (!merged->baseline || merged->baseline[0] == '\0')
        merged->baseline = round->baseline;
    if (isnan(merged->max_abs_err) || round->max_abs_err > merged->max_abs_err) {
        merged->max_abs_err = round->max_abs_err;
        merged->err_bound = round->err_bound;
        merged->rms_err = round->rms_err;
    }
}

/* Fewer rounds than the table's heading says. */
static void mark_missing_rounds(struct result *merged, size_t count)
{
    char mark[48];
    if (count >= (size_t)merged->round_count)
        return;
    snprintf(mark, sizeof mark, "%zu-of-%d-rounds", count, merged->round_count);
    conditions_mark(&merged->conditions, mark);
}

static struct result merge_ok(const struct row_rounds *rounds)
{
    struct result merged = *rounds->items[0];
    for (size_t i = 1; i < rounds->count; i++)
        merge_texts(&merged, rounds->items[i]);
    for (size_t i = 0; i < sizeof median_fields / sizeof median_fields[0]; i++) {
        double median = over_rounds(rounds, median_fields[i]).median;
        memcpy((char *)&merged + median_fields[i], &median, sizeof median);
    }
    merged.statistics = over_rounds(rounds, offsetof(struct result, statistics.median));
    mark_missing_rounds(&merged, rounds->count);
    merged.iterations = 1;
    merged.stop_reason = "";
    merged.round = 0;
    return merged;
}

static const struct result *first_with(const struct row_rounds *rounds, enum status status)
{
    for (size_t i = 0; i < rounds->count; i++)
        if (rounds->items[i]->status == status)
            return rounds->items[i];
    return NULL;
}

static struct result failed_in_round(const struct result *failed)
{
    struct result result = *failed;
    const int room = sizeof result.reason - sizeof "round 2147483647: ";
    snprintf(result.reason, sizeof result.reason, "round %d: %.*s", failed->round, room, failed->reason);
    result.round = 0;
    return result;
}

static struct result merge(struct row_rounds *rounds)
{
    const struct result *failed = first_with(rounds, STATUS_FAILED);
    if (failed)
        return failed_in_round(failed);
    if (!first_with(rounds, STATUS_OK)) {
        struct result skipped = *rounds->items[0];
        skipped.round = 0;
        return skipped;
    }
    size_t ok = 0;
    for (size_t i = 0; i < rounds->count; i++)
        if (rounds->items[i]->status == STATUS_OK)
            rounds->items[ok++] = rounds->items[i];
    rounds->count = ok;
    return merge_ok(rounds);
}

static void find_rounds(const struct result_list *results, const char *name, struct row_rounds *rounds)
{
    rounds->count = 0;
    for (size_t i = 0; i < results->count; i++)
        if (strcmp(results->items[i].name, name) == 0)
            rounds->items[rounds->count++] = &results->items[i];
}

bool round_summary_emit(const struct round_summary *summary, const char *const *names, size_t name_count,
                        const struct reporter *reporters, size_t reporter_count, struct error *error)
{
    size_t room = summary->results.count;
    if (room == 0)
        return true;
    struct row_rounds rounds = {calloc(room, sizeof *rounds.items), 0, calloc(room, sizeof *rounds.scratch)};
    bool ok = (rounds.items && rounds.scratch) || error_set(error, "no memory for the summary of all rounds");
    for (size_t i = 0; i < name_count && ok; i++) {
        find_rounds(&summary->results, names[i], &rounds);
        if (rounds.count > 0) {
            struct result result = merge(&rounds);
            ok = reporters_result(reporters, reporter_count, &result, error);
        }
    }
    free(rounds.items);
    free(rounds.scratch);
    return ok;
}

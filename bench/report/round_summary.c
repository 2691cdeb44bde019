#include "round_summary.h"

#include "column.h"
#include "result_list.h"

#include <math.h>
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

/* Statistics over the rounds that know the column. */
static struct statistics over_rounds(const struct row_rounds *rounds, const struct column *column)
{
    size_t known = 0;
    for (size_t i = 0; i < rounds->count; i++) {
        double value = column_number(column, rounds->items[i]);
        if (!isnan(value))
            rounds->scratch[known++] = value;
    }
    return statistics_of(rounds->scratch, known);
}

static const struct result *first_to_say(const struct row_rounds *rounds, const struct column *column)
{
    const struct result *said = rounds->items[0];
    char buffer[COLUMN_BUFFER];
    for (size_t i = 0; i < rounds->count; i++) {
        const char *text = column_text(column, rounds->items[i], buffer);
        if (text[0] != '\0')
            said = rounds->items[i];
        if (text[0] != '\0' && strcmp(text, "no") != 0)
            break;
    }
    return said;
}

static const struct result *with_largest_error(const struct row_rounds *rounds)
{
    const struct result *worst = rounds->items[0];
    for (size_t i = 1; i < rounds->count; i++)
        if (isnan(worst->max_abs_err) || rounds->items[i]->max_abs_err > worst->max_abs_err)
            worst = rounds->items[i];
    return worst;
}

static void join(const struct row_rounds *rounds, size_t offset, char *words, size_t size)
{
    words[0] = '\0';
    for (size_t i = 0; i < rounds->count; i++) {
        struct result copy = *rounds->items[i];
        char *rest;
        for (char *word = strtok_r((char *)&copy + offset, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
            words_add(words, size, word, ' ');
    }
}

static void copy_from(const struct result *round, const struct column *column, void *member)
{
    memcpy(member, (const char *)round + column->offset, column->size);
}

static void merge_column(const struct row_rounds *rounds, const struct column *column, struct result *merged)
{
    void *member = (char *)merged + column->offset;
    switch (column->merge) {
    case MERGE_MEDIAN: *(double *)member = over_rounds(rounds, column).median; break;
    case MERGE_FIRST: copy_from(first_to_say(rounds, column), column, member); break;
    case MERGE_WORST: copy_from(with_largest_error(rounds), column, member); break;
    case MERGE_JOINED: join(rounds, column->offset, member, column->size); break;
    case MERGE_DROPPED: column_parse(column, "", merged); break;
    case MERGE_SAME:
    case MERGE_TIMES:
    case MERGE_DERIVED: break;
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
    for (size_t i = 0; i < RESULT_COLUMNS; i++)
        merge_column(rounds, &result_columns[i], &merged);
    merged.statistics = over_rounds(rounds, &result_columns[COLUMN_time_median_s]);
    result_derive(&merged);
    mark_missing_rounds(&merged, rounds->count);
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
    return result;
}

static struct result merge(struct row_rounds *rounds)
{
    const struct result *failed = first_with(rounds, STATUS_FAILED);
    if (failed)
        return failed_in_round(failed);
    if (!first_with(rounds, STATUS_OK))
        return *rounds->items[0];
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

/* The row that its speed-up is over; NULL: there is none. */
static const struct result *find_baseline(const struct result_list *merged, const struct result *row)
{
    for (size_t i = 0; i < merged->count; i++) {
        const struct result *other = &merged->items[i];
        if (strcmp(other->op, row->op) == 0 && strcmp(other->workload, row->workload) == 0 &&
            strcmp(other->variant, row->baseline) == 0 && strcmp(other->mode, row->baseline_mode) == 0)
            return other;
    }
    return NULL;
}

/* The ratio of the times that are shown: the median of the rounds' own may be another. */
static void set_speedups(struct result_list *merged)
{
    for (size_t i = 0; i < merged->count; i++) {
        struct result *row = &merged->items[i];
        const struct result *baseline = find_baseline(merged, row);
        row->speedup = baseline ? baseline->statistics.median / row->statistics.median : (double)NAN;
    }
}

static bool merge_all(const struct result_list *results, const char *const *names, size_t name_count,
                      struct result_list *merged)
{
    size_t room = results->count + 1;
    struct row_rounds rounds = {calloc(room, sizeof *rounds.items), 0, calloc(room, sizeof *rounds.scratch)};
    bool ok = rounds.items && rounds.scratch;
    for (size_t i = 0; i < name_count && ok; i++) {
        find_rounds(results, names[i], &rounds);
        if (rounds.count > 0) {
            struct result result = merge(&rounds);
            result.round = 0;
            ok = result_list_add(merged, &result);
        }
    }
    free(rounds.items);
    free(rounds.scratch);
    return ok;
}

bool round_summary_emit(const struct round_summary *summary, const char *const *names, size_t name_count,
                        const struct reporter *reporters, size_t reporter_count, struct error *error)
{
    struct result_list merged = {0};
    bool ok = merge_all(&summary->results, names, name_count, &merged) ||
              error_set(error, "no memory for the summary of all rounds");
    set_speedups(&merged);
    for (size_t i = 0; i < merged.count && ok; i++)
        ok = reporters_result(reporters, reporter_count, &merged.items[i], error);
    result_list_free(&merged);
    return ok;
}

#include "merge_rounds.h"

#include "bench/measure/arithmetic.h"
#include "column.h"
#include "rounds_by_name.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The results of one row, one per round. */
struct row_rounds {
    const struct result **items;
    size_t count;
    double *scratch; /* one number per item */
};

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

/* How much a round has to say of a column that is taken from one round. */
static double weight(const struct column *column, const struct result *round)
{
    char buffer[COLUMN_BUFFER];
    const char *text = column_text(column, round, buffer);
    if (column->merge == MERGE_WORST)
        return isnan(round->max_abs_err) ? -1 : round->max_abs_err;
    return text[0] == '\0' ? 0 : strcmp(text, "no") == 0 ? 1 : 2;
}

static const struct result *weightiest(const struct row_rounds *rounds, const struct column *column)
{
    const struct result *found = rounds->items[0];
    for (size_t i = 1; i < rounds->count; i++)
        if (weight(column, rounds->items[i]) > weight(column, found))
            found = rounds->items[i];
    return found;
}

static void join_words(const struct row_rounds *rounds, const struct column *column, char *words)
{
    words[0] = '\0';
    for (size_t i = 0; i < rounds->count; i++) {
        struct result copy = *rounds->items[i];
        char *more = (char *)&copy + column->offset, *rest;
        for (char *word = strtok_r(more, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
            words_add(words, column->size, word, ' ');
    }
}

static void merge_column(const struct row_rounds *rounds, const struct column *column, struct result *merged)
{
    void *member = (char *)merged + column->offset;
    if (column->merge == MERGE_MEDIAN)
        *(double *)member = over_rounds(rounds, column).median;
    else if (column->merge == MERGE_LEAST)
        *(double *)member = over_rounds(rounds, column).min;
    else if (column->merge == MERGE_FIRST || column->merge == MERGE_WORST)
        memcpy(member, (const char *)weightiest(rounds, column) + column->offset, column->size);
    else if (column->merge == MERGE_JOINED)
        join_words(rounds, column, member);
    else if (column->merge == MERGE_DROPPED)
        column_parse(column, "", merged);
}

/* Marks a row that has fewer rounds than the heading says. */
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
    if (merged.round_count <= 1)
        return merged;
    for (size_t i = 0; i < RESULT_COLUMNS; i++)
        merge_column(rounds, &result_columns[i], &merged);
    merged.statistics = over_rounds(rounds, &result_columns[COLUMN_time_median_s]);
    result_derive(&merged);
    mark_missing_rounds(&merged, rounds->count);
    return merged;
}

/* Whether the row has that status in any round; which those are. */
static bool find_rounds(const struct rounds_by_name *all, const char *name, enum status status,
                        struct row_rounds *rounds)
{
    rounds->count = 0;
    for (const struct result *round = rounds_first(all, name); round; round = rounds_next(all, round))
        if (round->status == status)
            rounds->items[rounds->count++] = round;
    return rounds->count > 0;
}

/* False: no round has the row. */
static bool merge(const struct rounds_by_name *all, const char *name, struct row_rounds *rounds, struct result *merged)
{
    if (find_rounds(all, name, STATUS_FAILED, rounds)) {
        const struct result *failed = *rounds->items;
        const int room = sizeof failed->reason - sizeof "round 2147483647: ";
        *merged = *failed;
        if (failed->round_count > 1)
            snprintf(merged->reason, sizeof merged->reason, "round %" PRId64 ": %.*s", failed->round, room,
                     failed->reason);
    } else if (find_rounds(all, name, STATUS_OK, rounds)) {
        *merged = merge_ok(rounds);
    } else if (find_rounds(all, name, STATUS_SKIPPED, rounds)) {
        *merged = **rounds->items;
    }
    merged->round = 0;
    return rounds->count > 0;
}

/* The ratio of the times that are shown: the median of the rounds' own may be another. */
static bool set_speedups(struct result_list *merged)
{
    struct row_index rows = {NULL};
    bool ok = true;
    for (struct result *row = merged->items; row < merged->items + merged->count && ok; row++)
        ok = row_index_keep(&rows, (struct row_key){{row->op, row->workload, row->variant, row->mode}}, row, NULL);
    for (struct result *row = merged->items; row < merged->items + merged->count && ok; row++) {
        const struct result *baseline =
            row_index_find(&rows, (struct row_key){{row->op, row->workload, row->baseline, row->baseline_mode}});
        row->speedup = (baseline ? baseline->statistics.median : row->library_s) / row->statistics.median;
    }
    row_index_free(&rows);
    return ok;
}

/* Rows that share it have the same ceiling at the same size as their floor. */
static struct row_key floor_key(const struct result *row)
{
    const char *ceiling = arithmetic_find(row->ceiling) ? row->ceiling : "";
    return (struct row_key){{ceiling, row->backend, row->mode, row->op, row->workload}};
}

static bool is_lower(const struct result *row, const struct result *kept)
{
    return isnan(kept->floor_s) || row->floor_s < kept->floor_s;
}

static bool share_ceilings(struct result_list *merged)
{
    struct row_index lowest = {NULL};
    bool ok = true;
    for (struct result *row = merged->items; row < merged->items + merged->count && ok; row++)
        ok = row_index_keep(&lowest, floor_key(row), row, is_lower);
    for (struct result *row = merged->items; row < merged->items + merged->count && ok; row++) {
        double floor_s = row_index_find(&lowest, floor_key(row))->floor_s;
        if (floor_s < row->floor_s)
            row->floor_s = floor_s;
        result_derive(row);
    }
    row_index_free(&lowest);
    return ok;
}

bool merge_rounds(const struct result_list *results, row_namer *name, const void *rows, size_t count,
                  struct result_list *merged, struct error *error)
{
    size_t room = results->count + 1;
    struct row_rounds rounds = {calloc(room, sizeof *rounds.items), 0, calloc(room, sizeof *rounds.scratch)};
    struct rounds_by_name all;
    bool ok = rounds_by_name_make(results, &all, error);
    ok = ok && ((rounds.items && rounds.scratch) || error_set(error, "no memory for the summary of all rounds"));
    for (size_t i = 0; i < count && ok; i++) {
        struct result row;
        char text[sizeof row.name];
        name(rows, i, text, sizeof text);
        if (merge(&all, text, &rounds, &row))
            ok = result_list_add(merged, &row, error);
    }
    ok = ok && ((set_speedups(merged) && share_ceilings(merged)) ||
                error_set(error, "no memory for the summary of all rounds"));
    rounds_by_name_free(&all);
    free(rounds.items);
    free(rounds.scratch);
    return ok;
}

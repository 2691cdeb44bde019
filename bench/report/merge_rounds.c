#include "merge_rounds.h"

#include "bench/base/memory.h"
#include "bench/measure/ceilings.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int rounds_compare(const struct result *a, const struct result *b)
{
    int sittings = strcmp(a->run->sitting, b->run->sitting);
    return sittings ? sittings : (a->round > b->round) - (a->round < b->round);
}

static int by_place(const void *left, const void *right)
{
    const struct result *a = *(const struct result *const *)left, *b = *(const struct result *const *)right;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    int names = strcmp(a->name, b->name), rounds = names ? names : rounds_compare(a, b);
    return rounds ? rounds : (a > b) - (a < b);
}

const struct result **rounds_sorted(const struct result_list *results)
{
    const struct result **sorted = memory_get(results->count, sizeof *sorted);
    for (size_t i = 0; i < results->count; i++)
        sorted[i] = &results->items[i];
    qsort(sorted, results->count, sizeof *sorted, by_place);
    return sorted;
}

struct rounds rounds_at(const struct result *const *sorted, size_t count, size_t first)
{
    size_t end = first + 1;
    while (end < count && strcmp(sorted[end]->name, sorted[first]->name) == 0)
        end++;
    return (struct rounds){&sorted[first], end - first};
}

static struct statistics over_rounds(const struct rounds *rounds, const struct column *column)
{
    double *values = memory_get(rounds->count, sizeof *values);
    size_t known = 0;
    for (size_t i = 0; i < rounds->count; i++) {
        values[known] = column_number(column, rounds->items[i]);
        if (!isnan(values[known]))
            known++;
    }
    struct statistics statistics = statistics_of(values, known);
    free(values);
    return statistics;
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

static const struct result *weightiest(const struct rounds *rounds, const struct column *column)
{
    const struct result *found = rounds->items[0];
    for (size_t i = 1; i < rounds->count; i++)
        if (weight(column, rounds->items[i]) > weight(column, found))
            found = rounds->items[i];
    return found;
}

static void join_words(const struct rounds *rounds, const struct column *column, char *words)
{
    words[0] = '\0';
    for (size_t i = 0; i < rounds->count; i++)
        words_join(words, column->size, (const char *)rounds->items[i] + column->offset);
}

static void merge_column(const struct rounds *rounds, const struct column *column, struct result *merged)
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

static struct result merge_ok(const struct rounds *rounds)
{
    struct result merged = *rounds->items[0];
    if (merged.round_count <= 1)
        return merged;
    for (size_t i = 0; i < RESULT_COLUMNS; i++)
        merge_column(rounds, &result_columns[i], &merged);
    merged.statistics = over_rounds(rounds, &result_columns[COLUMN_time_median_s]);
    result_derive(&merged);
    if (rounds->count < (size_t)merged.round_count)
        conditions_mark(&merged.conditions, "missing-rounds");
    return merged;
}

/* Those that have the status which decides on the row, into `room`: a failure does, then a time. */
static struct rounds choose(const struct rounds *all, const struct result **room)
{
    static const enum status statuses[] = {STATUS_FAILED, STATUS_OK, STATUS_SKIPPED};
    struct rounds chosen = {room, 0};
    for (size_t i = 0; chosen.count == 0; i++)
        for (size_t round = 0; round < all->count; round++)
            if (all->items[round]->status == statuses[i])
                room[chosen.count++] = all->items[round];
    return chosen;
}

static struct result merge(const struct rounds *all, const struct result **room)
{
    const struct rounds rounds = choose(all, room);
    const struct result *first = rounds.items[0];
    if (first->status == STATUS_OK)
        return merge_ok(&rounds);
    struct result merged = *first;
    if (first->status == STATUS_FAILED && first->round_count > 1)
        snprintf(merged.reason, sizeof merged.reason, "round %" PRId64 ": %.*s", first->round,
                 (int)(sizeof merged.reason - sizeof "round 2147483647: "), first->reason);
    return merged;
}

static bool has_same_ceiling(const struct result *a, const struct result *b)
{
    const struct arithmetic *of_a = arithmetic_find(a->ceiling), *of_b = arithmetic_find(b->ceiling);
    return of_a == of_b && strcmp(a->backend, b->backend) == 0 && strcmp(a->mode, b->mode) == 0;
}

/* The floor of each is the lowest of those of its workload with the same ceiling. */
static void share_ceilings(const struct result_list *block)
{
    for (size_t i = 0; i < block->count; i++) {
        struct result *row = &block->items[i];
        for (size_t j = 0; j < block->count; j++)
            if (has_same_ceiling(row, &block->items[j]))
                row->floor_s = fmin(row->floor_s, block->items[j].floor_s);
        result_derive(row);
    }
}

void merge_rounds(const struct result_list *results, struct result_list *merged)
{
    const struct result **sorted = rounds_sorted(results), **room = memory_get(results->count, sizeof *room);
    struct rounds all;
    for (size_t i = 0; i < results->count; i += all.count) {
        all = rounds_at(sorted, results->count, i);
        struct result row = merge(&all, room);
        row.round = 0;
        row.speedup = NAN;
        result_list_add(merged, &row);
    }
    struct result_list block;
    for (size_t first = 0; first < merged->count; first += block.count) {
        block = result_list_around(merged, &merged->items[first]);
        share_ceilings(&block);
    }
    free(sorted);
    free(room);
}

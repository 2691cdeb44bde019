#include "shuffle.h"

#include "bench/base/seeded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is shuffled: workloads, the rungs within a workload, the rows within a rung. */
enum depth { WORKLOAD, RUNG, ROW, DEPTHS };

struct keyed_row {
    struct row row;
    struct {
        uint64_t key;
        char name[ROW_NAME];
    } at[DEPTHS];
};

static struct keyed_row add_keys(const struct row *row, uint64_t seed)
{
    struct keyed_row keyed = {.row = *row};
    const char *op = row->rung->op->name, *workload = row->workload->name, *variant = row->rung->variant;
    snprintf(keyed.at[WORKLOAD].name, sizeof keyed.at[WORKLOAD].name, "%s/%s", op, workload);
    snprintf(keyed.at[RUNG].name, sizeof keyed.at[RUNG].name, "%s/%s/%s", op, workload, variant);
    row_name(row, keyed.at[ROW].name, sizeof keyed.at[ROW].name);
    for (int depth = 0; depth < DEPTHS; depth++)
        keyed.at[depth].key = seeded_text_bits(seed, keyed.at[depth].name);
    return keyed;
}

/* By key; by name where two keys are equal, so that rows of one group stay together. */
static int by_keys(const void *left, const void *right)
{
    const struct keyed_row *a = left, *b = right;
    for (int depth = 0; depth < DEPTHS; depth++) {
        if (a->at[depth].key != b->at[depth].key)
            return a->at[depth].key < b->at[depth].key ? -1 : 1;
        int by_name = strcmp(a->at[depth].name, b->at[depth].name);
        if (by_name != 0)
            return by_name;
    }
    return 0;
}

bool shuffle_rows(struct selection *selection, uint64_t seed)
{
    struct keyed_row *keyed = malloc(selection->count * sizeof *keyed);
    if (!keyed)
        return false;
    for (size_t i = 0; i < selection->count; i++)
        keyed[i] = add_keys(&selection->rows[i], seed);
    qsort(keyed, selection->count, sizeof *keyed, by_keys);
    for (size_t i = 0; i < selection->count; i++)
        selection->rows[i] = keyed[i].row;
    free(keyed);
    return true;
}

bool shuffle_for_round(const struct selection *selection, uint64_t seed, int round, struct selection *shuffled)
{
    *shuffled = (struct selection){malloc(selection->count * sizeof *shuffled->rows), selection->count};
    if (!shuffled->rows)
        return false;
    memcpy(shuffled->rows, selection->rows, selection->count * sizeof *shuffled->rows);
    if (shuffle_rows(shuffled, seeded_stream(seed, 0x726f756e64 + (uint64_t)round)))
        return true;
    free(shuffled->rows);
    return false;
}

static bool same_workload(const struct row *a, const struct row *b)
{
    return a->rung->op == b->rung->op && a->workload == b->workload;
}

/* Adds the rows from `first` to `end` that are of libraries, or those that are not. */
static void add_kind(const struct selection *selection, size_t first, size_t end, bool libraries,
                     struct selection *ordered)
{
    for (size_t i = first; i < end; i++)
        if (((selection->rows[i].rung->traits & RUNG_LIBRARY) != 0) == libraries)
            ordered->rows[ordered->count++] = selection->rows[i];
}

bool libraries_first(const struct selection *selection, struct selection *ordered)
{
    *ordered = (struct selection){malloc((selection->count + 1) * sizeof *ordered->rows), 0};
    if (!ordered->rows)
        return false;
    for (size_t first = 0, end = 0; first < selection->count; first = end) {
        while (end < selection->count && same_workload(&selection->rows[first], &selection->rows[end]))
            end++;
        add_kind(selection, first, end, true, ordered);
        add_kind(selection, first, end, false, ordered);
    }
    return true;
}

#include "shuffle.h"

#include "bench/base/digest.h"
#include "bench/base/memory.h"
#include "bench/base/seeded.h"

#include <stdlib.h>
#include <string.h>

/* What is shuffled: workloads, the rungs within a workload, the rows within a rung. */
enum { DEPTHS = 3 };

struct keyed_row {
    struct row row;
    char key[DEPTHS][DIGEST_HEX];
};

static struct keyed_row add_keys(const struct row *row, uint64_t seed)
{
    struct keyed_row keyed = {.row = *row};
    const char *const names[] = {row->rung->op->name, row->workload->name, row->rung->variant,
                                 row->mode ? row->mode->name : "verify"};
    for (int depth = 0; depth < DEPTHS; depth++) {
        struct digest digest;
        digest_start(&digest);
        digest_add(&digest, &seed, sizeof seed);
        for (int i = 0; i <= depth + 1; i++)
            digest_add_text(&digest, names[i]);
        digest_finish(&digest, keyed.key[depth]);
    }
    return keyed;
}

static int by_keys(const void *left, const void *right)
{
    const struct keyed_row *a = left, *b = right;
    return memcmp(a->key, b->key, sizeof a->key);
}

void shuffle_rows(struct selection *selection, uint64_t seed)
{
    struct keyed_row *keyed = memory_get(selection->count, sizeof *keyed);
    for (size_t i = 0; i < selection->count; i++)
        keyed[i] = add_keys(&selection->rows[i], seed);
    qsort(keyed, selection->count, sizeof *keyed, by_keys);
    for (size_t i = 0; i < selection->count; i++)
        selection->rows[i] = keyed[i].row;
    free(keyed);
}

struct selection shuffle_for_round(const struct selection *selection, uint64_t seed, int round)
{
    struct selection shuffled = {memory_get(selection->count, sizeof *shuffled.rows), selection->count};
    memcpy(shuffled.rows, selection->rows, selection->count * sizeof *shuffled.rows);
    shuffle_rows(&shuffled, seeded_stream(seed, 0x726f756e64 + (uint64_t)round));
    return shuffled;
}

/* Adds the rows from `first` to `end` that are of libraries, or those that are not. */
static void add_kind(const struct selection *selection, size_t first, size_t end, bool libraries,
                     struct selection *ordered)
{
    for (size_t i = first; i < end; i++)
        if (((selection->rows[i].rung->traits & RUNG_LIBRARY) != 0) == libraries)
            ordered->rows[ordered->count++] = selection->rows[i];
}

struct selection libraries_first(const struct selection *selection)
{
    struct selection ordered = {memory_get(selection->count, sizeof *ordered.rows), 0};
    const struct row *rows = selection->rows;
    for (size_t first = 0, end = 0; first < selection->count; first = end) {
        while (end < selection->count && rows[first].rung->op == rows[end].rung->op &&
               rows[first].workload == rows[end].workload)
            end++;
        add_kind(selection, first, end, true, &ordered);
        add_kind(selection, first, end, false, &ordered);
    }
    return ordered;
}

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

void shuffle_rows(struct selection *selection, uint64_t seed, int round)
{
    const uint64_t of_round = seeded_stream(seed, 0x726f756e64 + (uint64_t)round);
    struct keyed_row *keyed = memory_get(selection->count, sizeof *keyed);
    for (size_t i = 0; i < selection->count; i++)
        keyed[i] = add_keys(&selection->rows[i], of_round);
    qsort(keyed, selection->count, sizeof *keyed, by_keys);
    for (size_t i = 0; i < selection->count; i++)
        selection->rows[i] = keyed[i].row;
    free(keyed);
}

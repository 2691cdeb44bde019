#define _GNU_SOURCE /* tdestroy() */
#include "row_index.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

struct indexed {
    struct row_key key;
    const struct result *row;
};

static int by_key(const void *left, const void *right)
{
    const struct row_key *a = &((const struct indexed *)left)->key, *b = &((const struct indexed *)right)->key;
    int order = 0;
    for (size_t i = 0; i < sizeof a->texts / sizeof a->texts[0] && a->texts[i] && order == 0; i++)
        order = strcmp(a->texts[i], b->texts[i]);
    return order;
}

/* NULL: no memory. */
static struct indexed *add(struct row_index *index, struct indexed entry)
{
    struct indexed *added = malloc(sizeof *added);
    if (added) {
        *added = entry;
        if (tsearch(added, &index->tree, by_key))
            return added;
    }
    free(added);
    index->lacks_memory = true;
    return NULL;
}

const struct result *row_index_keep(struct row_index *index, struct row_key key, const struct result *row,
                                    row_rule *is_better)
{
    struct indexed wanted = {key, row}, *const *node = tfind(&wanted, &index->tree, by_key);
    struct indexed *entry = node ? *node : add(index, wanted);
    if (entry && is_better && is_better(row, entry->row))
        entry->row = row;
    return entry ? entry->row : NULL;
}

const struct result *row_index_find(const struct row_index *index, struct row_key key)
{
    struct indexed wanted = {.key = key}, *const *node = tfind(&wanted, &index->tree, by_key);
    return node ? (*node)->row : NULL;
}

bool row_index_free(struct row_index *index)
{
    tdestroy(index->tree, free);
    index->tree = NULL;
    return !index->lacks_memory;
}

#include "rounds_by_name.h"

#include <stdlib.h>

static bool comes_first(const struct result *round, const struct result *kept)
{
    return round < kept;
}

bool rounds_by_name_make(const struct result_list *results, struct rounds_by_name *rounds, struct error *error)
{
    *rounds = (struct rounds_by_name){results->items, calloc(results->count + 1, sizeof *rounds->next), {NULL}};
    bool ok = rounds->next;
    for (size_t i = results->count; ok && i-- > 0;) {
        const struct result *round = &results->items[i];
        rounds->next[i] = rounds_first(rounds, round->name);
        ok = row_index_keep(&rounds->first, (struct row_key){{round->name}}, round, comes_first);
    }
    return ok || error_set(error, "no memory for the rounds");
}

const struct result *rounds_first(const struct rounds_by_name *rounds, const char *name)
{
    return row_index_find(&rounds->first, (struct row_key){{name}});
}

const struct result *rounds_next(const struct rounds_by_name *rounds, const struct result *result)
{
    return rounds->next[result - rounds->items];
}

void rounds_by_name_free(struct rounds_by_name *rounds)
{
    free(rounds->next);
    row_index_free(&rounds->first);
}

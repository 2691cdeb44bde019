#include "result_list.h"

#include <stdlib.h>
#include <string.h>

bool result_list_add(struct result_list *list, const struct result *result, struct error *error)
{
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 32;
        struct result *items = realloc(list->items, room * sizeof *items);
        if (!items)
            return error_set(error, "no memory for the results");
        list->items = items;
        list->room = room;
    }
    list->items[list->count] = *result;
    list->items[list->count++].sample_s = NULL;
    return true;
}

bool result_same_workload(const struct result *a, const struct result *b)
{
    return strcmp(a->op, b->op) == 0 && strcmp(a->workload, b->workload) == 0;
}

const struct result *result_list_best(const struct result_list *list, const struct result *like, const char *mode,
                                      enum side side)
{
    const struct result *best = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const struct result *row = &list->items[i];
        if (result_is_fair(row) && (side == SIDE_ANY || row->is_host == (side == SIDE_HOST)) &&
            strcmp(row->mode, mode) == 0 && result_same_workload(row, like) &&
            (!best || row->statistics.median < best->statistics.median))
            best = row;
    }
    return best;
}

void result_list_free(struct result_list *list)
{
    free(list->items);
    *list = (struct result_list){0};
}

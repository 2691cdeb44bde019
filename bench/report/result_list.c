#include "result_list.h"

#include <stdlib.h>

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

void result_list_free(struct result_list *list)
{
    free(list->items);
    *list = (struct result_list){0};
}

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

static int by_text(const void *left, const void *right)
{
    return strcmp(((const struct skip_reason *)left)->text, ((const struct skip_reason *)right)->text);
}

static int by_count(const void *left, const void *right)
{
    const struct skip_reason *a = left, *b = right;
    return a->count != b->count ? (a->count < b->count) - (a->count > b->count) : by_text(a, b);
}

struct skip_reason *result_list_skip_reasons(const struct result_list *list, size_t *count)
{
    struct skip_reason *reasons = malloc((list->count + 1) * sizeof *reasons);
    size_t skipped = 0;
    *count = 0;
    if (!reasons)
        return NULL;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].status == STATUS_SKIPPED)
            reasons[skipped++] = (struct skip_reason){list->items[i].reason, 1};
    qsort(reasons, skipped, sizeof *reasons, by_text);
    for (size_t i = 0; i < skipped; i++) {
        if (*count > 0 && by_text(&reasons[*count - 1], &reasons[i]) == 0)
            reasons[*count - 1].count++;
        else
            reasons[(*count)++] = reasons[i];
    }
    qsort(reasons, *count, sizeof *reasons, by_count);
    return reasons;
}

void result_list_free(struct result_list *list)
{
    free(list->items);
    *list = (struct result_list){0};
}

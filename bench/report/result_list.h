/* A growing list of results. */
#pragma once

#include "bench/base/error.h"
#include "result.h"

#include <stdbool.h>
#include <stddef.h>

struct result_list {
    struct result *items;
    size_t count, room;
};

/* Copies the result without its samples; whatever else it points to must outlive the list. False: no memory. */
bool result_list_add(struct result_list *list, const struct result *result, struct error *error);

/* Why rows were skipped, and how many: the most frequent reason first. They point into the list. free() them; NULL: no
 * memory. */
struct skip_reason {
    const char *text;
    size_t count;
};
struct skip_reason *result_list_skip_reasons(const struct result_list *list, size_t *count);

bool result_same_workload(const struct result *a, const struct result *b);

void result_list_free(struct result_list *list);

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

/* The fastest fair row in the mode, of those on the workload of row `like`, on one side or on both; NULL: none. */
enum side { SIDE_HOST, SIDE_DEVICE, SIDE_ANY };
const struct result *result_list_best(const struct result_list *list, const struct result *like, const char *mode,
                                      enum side side);

bool result_same_workload(const struct result *a, const struct result *b);

void result_list_free(struct result_list *list);

/* The rounds of each row of a list: the results that share a name. */
#pragma once

#include "result_list.h"
#include "row_index.h"

struct rounds_by_name {
    const struct result *items;
    const struct result **next; /* by item */
    struct row_index first;
};

/* The list must not change as long as this is used. False: no memory. Free it in any case. */
bool rounds_by_name_make(const struct result_list *results, struct rounds_by_name *rounds, struct error *error);

/* In the order of the list; NULL: there is none, or no further one. */
const struct result *rounds_first(const struct rounds_by_name *rounds, const char *name);
const struct result *rounds_next(const struct rounds_by_name *rounds, const struct result *result);

void rounds_by_name_free(struct rounds_by_name *rounds);

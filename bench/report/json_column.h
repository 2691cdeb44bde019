#pragma once

#include "column.h"

#include <jansson.h>
#include <stdbool.h>

/* Sets a member to the column's value, or none if it is unknown. An integer that is always known, as the seed is,
 * becomes a text: readers may take a number for one of 53 bits. False: no memory. */
bool json_put_column(json_t *to, const char *key, const struct column *column, const struct result *result);

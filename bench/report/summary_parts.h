/* Parts of the document of summary.h that are files of their own. */
#pragma once

#include "result_list.h"

#include <jansson.h>

/* The best rate that any of the rows tells of each ceiling, and where a device overtakes. NULL: no memory. */
json_t *summary_ceilings(const struct result_list *rows);
json_t *summary_crossovers(const struct result_list *rows);

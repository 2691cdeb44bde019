/* Results of several runs side by side: of the GPUs of a machine, or of several machines. */
#pragma once

#include "bench/base/error.h"
#include "bench/base/output.h"
#include "bench/table/registry.h"

#include <jansson.h>
#include <stdio.h>

/* Reads several runs of one revision and the same flags, as files of results have them; `paths` ends with a NULL.
 * `is_cut_short`: runs may lack rows, and there may be one alone. Prints to `to` what they say of each row, rounds
 * merged, and which run is slower than the others by more than its rounds differ among themselves, unless `out` is
 * stdout; NULL: nothing. Writes all rows to `out`, which is open, as one file of results, and ends it; NULL: nowhere.
 * The exit status: 77 where no row has been verified, 2 with the reason in `error`. */
int side_by_side(const char *const *paths, const struct registry *registry, bool is_cut_short, struct output *out,
                 FILE *to, struct error *error);

/* The same of one file, for charts: docs/summary.md says what is in it. Sets how many rows were measured. NULL, with
 * the reason in `error`. */
json_t *side_by_side_json(const char *path, const struct registry *registry, size_t *measured, struct error *error);

/* What NVIDIA's profiler, Nsight Compute (ncu), counts in one launch of a row. */
#pragma once

#include "bench/base/csv_text.h"

#include <limits.h>

struct counters {
    char ncu[PATH_MAX]; /* counters_find() */
    const char *program;
    char *const *flags; /* of the program, ended by a NULL */
};

extern const char ncu_places[]; /* "the PATH, ..." */

/* False: there is no ncu. */
bool counters_find(struct counters *counters);

/* Profiles one launch of the row and reads the metrics, separated by commas. False, with the reason: ncu refused, or
 * has seen none. csv_free() the table. */
bool counters_take(const struct counters *counters, const char *row, const char *metrics, struct csv_table *table,
                   struct error *error);

/* Kernels are the rows of the table from this on, as the first has units. */
enum { FIRST_KERNEL = 1 };
extern const char counted_duration[]; /* a metric */

/* NAN: not counted. */
double counters_value(const struct csv_table *table, size_t kernel, const char *metric);
size_t counters_longest(const struct csv_table *table);

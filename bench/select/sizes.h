/* Workloads of the user's own sizes: --size, --shape and the like. */
#pragma once

#include "options.h"

/* The workload that these sizes name, "5x784x10"; a first size of 1 may be left out where names of rows leave it out.
 * False, with the reason: it is none; `syntax` is what one looks like. */
bool sizes_read_shape(const struct op *op, const char *shape, const char *syntax, struct workload *workload,
                      struct error *reason);

/* Adds a workload, once: of one that is there already the rows would share the name. False, with the reason: there are
 * too many. */
bool sizes_add_workload(struct options *options, const struct user_workload *added, struct error *reason);

/* Adds the shapes that --tune times: general, narrow and with few rows, sizes that are as likely small as large, and
 * for each candidate as many that it takes as its constants need. */
void sizes_add_tuning(struct options *options);

/* Adds the workloads of each --size, of operations that the registry has. False, with the error. */
bool sizes_add(struct options *options, const struct registry *registry, struct error *error);

/* The selected workloads of an operation, by their numbers from 0: those of the suite, then those of the user's that
 * have another name. NULL: there is no more. */
const struct workload *sizes_workload(const struct options *options, const struct op *op, size_t number);

/* Adds workloads for kernels of the user's own that take certain sizes alone and would have none: the first that is
 * selected, made so. False, with the reason. */
bool sizes_add_fitting(struct options *options, const struct registry *registry, struct error *error);

/* "m=64;n=16": the sizes of a workload that vary in the --size that it comes from; empty: none does. */
void sizes_print_axes(const struct options *options, const struct workload *workload, char *text, size_t size);

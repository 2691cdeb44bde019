/* --watch: judges kernels of the user's own whenever their files, or that of their operation, change, and prints a line
 * per row. */
#pragma once

#include "run.h"

/* Until a signal comes, or stdout cannot be written: calls `run`, which comes to watch_measure() where the kernels
 * compile. Another operation is another program, which this process becomes as soon as `read_op` says that it is sound.
 * Returns an exit status. */
int watch_run(struct options *options, char **argv, int (*run)(struct options *options, char **argv),
              bool (*read_op)(char **argv, struct error *error));

/* Judges one version of what is watched, and prints its rows. */
int watch_measure(const struct run *run, const struct selection *selection, const struct run_facts *facts);

/* Whether one was judged, or compiled at least. */
bool watch_has_begun(void);

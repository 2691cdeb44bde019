/* --watch: judges kernels of the user's own whenever their files, or that of their operation, change, and prints a line
 * per row. */
#pragma once

#include "bench/base/error.h"
#include "bench/measure/ceilings.h"
#include "bench/own/own_kernel.h"
#include "bench/report/result.h"

#include <sys/stat.h>

struct watched_file {
    struct timespec changed;
    off_t bytes;
};

/* {0}: no version has been judged yet. */
struct watch {
    const char *op;                                 /* the file of an operation; NULL: there is none */
    struct watched_file files[OWN_KERNELS_MAX + 1]; /* as they were read last; the first is the operation's */
    struct result_list last;                        /* the last version's times, by row */
    struct ceiling_table ceilings;                  /* as the first version has found them */
};

/* Remembers how the files are, before they are read. */
void watch_begin(struct watch *watch, const struct own_request *own);

/* Waits until the files are others, and returns whether the operation's is. Returns without that when a signal comes.
 */
bool watch_wait(const struct watch *watch, const struct own_request *own, int (*interrupted)(void));

/* The rows of a version, for `last` of struct results; `self` is the watch. */
bool watch_print(void *self, const struct result_list *results, struct error *error);
void watch_free(struct watch *watch);

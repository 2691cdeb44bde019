/* --watch: judges kernels of the user's own whenever their files, or that of their operation, change, and prints a line
 * per row. */
#pragma once

#include "bench/base/error.h"
#include "bench/own/own_kernel.h"
#include "bench/report/reporter.h"

/* The last version's times, by row. {0}: none yet. */
struct watch {
    struct known_time *known;
    size_t count;
    struct stamps *stamps; /* of the files, when they were read last */
    const char *op;        /* the file of an operation; NULL: there is none */
};

/* Remembers how the files are, before they are read. False: no memory. */
bool watch_begin(struct watch *watch, const struct own_request *own, struct error *error);

/* Waits until the files are others, and returns whether the operation's is. Returns without that when a signal comes.
 */
bool watch_wait(const struct watch *watch, const struct own_request *own, int (*interrupted)(void));

/* A reporter's result(); `self` is the watch. */
bool watch_print(void *self, const struct result *result, struct error *error);
void watch_free(struct watch *watch);

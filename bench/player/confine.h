/* What a kernel of the user's own may do to the machine: it writes only to a scratch folder of its own and to devices,
 * it cannot look into other processes or end them, and what it takes of memory and tasks is limited. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct confinement {
    char folder[PATH_MAX]; /* for its scratch files; empty: none could be made */
    char group[PATH_MAX];  /* its cgroup; empty: none is delegated */
    int ruleset;           /* Landlock's; -1: this kernel has none */
};

/* Prepares it, in the process that will start the kernel's. Says once what is lacking. */
void confinement_open(struct confinement *confinement, void (*message)(const char *line));

/* Confines this process and all that it starts. False: it must not go on. */
bool confine(const struct confinement *confinement);

/* Why the process must be ended: it, and what it has started, takes too much. NULL: it does not. For systems that limit
 * it by themselves this is always so. */
const char *confinement_excess(const struct confinement *confinement, long process);

/* When the process has ended: removes what it wrote. */
void confinement_close(struct confinement *confinement);

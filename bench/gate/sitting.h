/* A sitting: programs that take turns on one machine, a process each a round, in an order that seeded coins decide.
 * What drifts while it lasts (clocks, temperature, other work) then drifts for all of them. */
#ifndef RUNGBENCH_SITTING_H
#define RUNGBENCH_SITTING_H

#include "error.h"
#include "output.h"
#include "recording.h"

#include <stdint.h>

enum { SITTING_ARMS_MAX = 8 };

/* One of the programs. */
struct arm {
    const char *program;
    const char *extra_flag;     /* NULL: none */
    struct recording recording; /* what its rounds said, under the arm's name; free it */
    struct output *kept;        /* its CSV goes there, too; NULL: nowhere */
    char crash[256];            /* how it crashed; empty: it did not */
};

struct sitting {
    const char *id;
    uint64_t seed;
    const char *const *flags; /* for all programs, ended by NULL */
    struct arm *arms;
    size_t arm_count;
    int (*interrupted)(void);
    void (*step)(size_t round, const char *arm); /* before each process */
};

enum sitting_end {
    SITTING_DONE,
    SITTING_FAILED,      /* a program could not be used; the error says why */
    SITTING_ALL_SKIPPED, /* a program says that nothing can be measured here; the error is its word on it */
    SITTING_INTERRUPTED,
};

/* Runs the rounds from `first` to before `end` of the rows that `filter` selects (NULL: all that the flags do), and
 * adds them to the arms' recordings. Where an arm other than the first crashes, the rows that it owes to that round are
 * added as failed, and no more rounds are run. */
enum sitting_end sitting_run(struct sitting *sitting, size_t first, size_t end, const char *filter,
                             struct error *error);

#endif

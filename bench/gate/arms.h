/* The sides of a session made ready: their programs, the files that their rounds are kept in, and the flags that all of
 * them get. */
#ifndef RUNGBENCH_ARMS_H
#define RUNGBENCH_ARMS_H

#include "gate_options.h"
#include "session.h"

struct arms {
    struct arm items[SESSION_ARMS_MAX];
    size_t count;
    struct output files[SESSION_ARMS_MAX];
    size_t file_count;
    char names[SESSION_ARMS_MAX][32]; /* "base", "new", "slowed-1" */
    const char **flags;               /* ended by NULL */
    char threads[32], min_time[32];   /* two of them */
};

/* The base and the new program, and for each --slowdown the new one again. With --keep, opens a file for each in that
 * folder, which it makes. False: that cannot be; nothing is left open. */
bool arms_make(const struct gate_options *options, struct arms *arms, struct error *error);

/* Gives the kept files their names. */
bool arms_keep(struct arms *arms, struct error *error);

/* Frees all, recordings too; kept files that have not got their names yet are removed. */
void arms_free(struct arms *arms);

#endif

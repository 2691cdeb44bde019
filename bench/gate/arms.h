/* The arms of a session: programs, the files that keep their rounds, and the flags that all of them get. */
#pragma once

#include "gate_options.h"
#include "session.h"

struct arms {
    struct arm items[SESSION_ARMS_MAX];
    size_t count;
    struct output files[SESSION_ARMS_MAX];
    size_t file_count;
    char names[SESSION_ARMS_MAX][32];  /* "base", "new", "slowed-1" */
    const char **flags;                /* ended by NULL */
    char threads[32], min_time[32];    /* two of the flags */
    char *slowdowns[SESSION_ARMS_MAX]; /* the extra flags of the slowed arms */
    double row_limit_s;                /* see struct session */
};

/* Makes an arm for the base, for the new program and for each --slowdown. With --keep, makes the folder and opens a
 * file per arm in it. False, with the reason: nothing is left open. */
bool arms_make(const struct gate_options *options, struct arms *arms, struct error *error);

/* Renames the kept files to their final names. */
bool arms_keep(struct arms *arms, struct error *error);

/* Frees everything, recordings too; removes kept files that arms_keep() has not renamed. */
void arms_free(struct arms *arms);

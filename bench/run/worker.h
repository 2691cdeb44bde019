/* A round of a supervisor, and one worker of it: started, listened to until it ends. */
#pragma once

#include "bench/base/process.h"
#include "channel.h"
#include "supervision.h"

struct round {
    const struct supervisor *supervisor;
    int number;
    bool *done; /* by row of the selection */
    struct error *error;
    bool writable; /* no reporter has failed, and the results could be read */
    /* Of the worker: */
    bool is_first;              /* of the round */
    const struct row *running;  /* NULL: it has begun none */
    const struct row *reported; /* last; NULL: none */
    bool rung_failed;           /* that row, or another of its rung on its workload */
    char key[CHANNEL_KEY_BYTES];
    char crash[256];  /* what it said of the signal that ends it; else empty */
    bool intruded;    /* a rung has written where only the worker does */
    bool has_samples; /* the header of its samples has come */
    size_t printed;   /* lines that are not this program's */
};

/* Whether a row of the selection has its result. */
bool *round_done(const struct round *round, const struct row *row);
size_t round_count_done(const struct round *round);

/* Passes the result on, once per row. */
void round_report(struct round *round, const struct row *row, const struct result *result);

/* Runs a worker, for the rows that are not done, to its end. False: it could not be started, or memory ran out. */
bool worker_run(struct round *round, struct process_end *end);

/* A recording: the rounds of one build on one machine, as the CSV of rungbench has them. */
#ifndef RUNGBENCH_RECORDING_H
#define RUNGBENCH_RECORDING_H

#include "bench/base/csv_table.h"
#include "bench/base/error.h"
#include "bench/report/column.h"

#include <stdbool.h>
#include <stddef.h>

/* A row in one round. */
struct observation {
    const char *name, *session;
    long round;
    enum status status;
    const char *reason;
    /* Of the round; NAN unless the status is ok. The median of its samples on a device. Where the host's clock or CPUs
     * have a part it is the least of them, for other work on the machine only ever adds to a sample (J. Chen and
     * J. Revels, "Robust benchmarking in noisy environments", 2016). */
    double time_s;
    double tick_s; /* what the timer could tell apart of one iteration's time; 0 if unknown */
    bool launch_bound;
    bool partial;                     /* of a round of several processes, some of which did not time it */
    bool slowed;                      /* on purpose, by --slowdown */
    bool on_host;                     /* timed by the host's clock, or run by its CPUs */
    const char *text[RESULT_COLUMNS]; /* the cells; empty where the file lacks the column */
    size_t line;                      /* in its file */
};

/* Whether the kernel's time can be had from it. */
bool observation_is_usable(const struct observation *observation);

/* Below, at or above 0 as the round of the one comes before, is, or comes after that of the other. */
int observation_compare_rounds(const struct observation *a, const struct observation *b);

struct recording {
    const char *name;          /* of the file, for errors */
    struct observation *items; /* by name, session, round; no two are alike in all three */
    size_t count;
    struct csv_table *tables; /* what the texts point into */
    size_t table_count;
};

/* Reads a CSV file of rungbench. False: it is not one, has no row, or holds what cannot be: nothing is kept. */
bool recording_read(const char *path, struct recording *recording, struct error *error);

/* The same into a recording that may have rows, from here on called by this name. False: the recording is to be freed
 * all the same. */
bool recording_read_more(const char *path, struct recording *recording, struct error *error);

/* Adds the rows of a table, which it takes over, whether or not it succeeds. */
bool recording_add(struct recording *recording, struct csv_table *table, struct error *error);

/* Adds as skipped or failed what `model` has in that round and the recording has not. `reason` and `model` must
 * outlive the recording. */
bool recording_add_owed(struct recording *recording, const struct recording *model, const char *session, long round,
                        enum status status, const char *reason, struct error *error);

void recording_free(struct recording *recording);

/* Observations of one row, by session and round. */
struct row_rounds {
    const struct observation *items;
    size_t count;
};

/* Those that start at `start`, up to the next name. */
struct row_rounds recording_row_at(const struct recording *recording, size_t start);

#endif

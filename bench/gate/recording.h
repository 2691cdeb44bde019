/* A recording: the rounds of one build on one machine, a table that the readers in read/ fill. And what belongs
 * together: the same round of two recordings, and several processes of one side that form one round. */
#pragma once

#include "bench/base/error.h"
#include "bench/base/pattern.h"
#include "bench/report/result.h"

/* A row in one round. */
struct observation {
    const char *name, *sitting;
    long round;
    enum status status;
    const char *reason;
    /* Time of the round; NAN unless ok. On a device the median of the samples; with the host's clock or CPUs the
     * minimum, because other work on the machine only adds to a sample (J. Chen and J. Revels, "Robust benchmarking in
     * noisy environments", 2016). */
    double time_s;
    double tick_s; /* smallest difference per iteration that the timer can show; 0: unknown */
    bool launch_bound;
    bool partial;                     /* some of the round's processes did not time it */
    bool slowed;                      /* on purpose, by --slowdown */
    bool on_host;                     /* timed by the host's clock, or run by its CPUs */
    bool foreign;                     /* of another tool, which does not say all of machine and code */
    const char *text[RESULT_COLUMNS]; /* the cells; empty where the file lacks the column */
    const char *file;                 /* the name of its recording, for errors */
    size_t line;                      /* in that; 0: none */
};

/* Whether it has a time of the kernel. */
bool observation_is_usable(const struct observation *observation);

/* The rows that --filter wants, by their names. NULL, with the reason: it is no pattern. */
struct pattern *row_filter_make(const char *text, struct error *error);
bool row_filter_wants(const void *filter, const char *name);

struct recording {
    const char *name;          /* of the file, for errors */
    struct observation *items; /* by name, sitting, round; no two are alike in all three */
    size_t count;
    char **texts; /* what those of the items point into */
    size_t text_count;
    const struct recording *earlier; /* rounds of the same build, whose answers these must repeat; NULL: none */
    bool (*wants)(const void *choice, const char *name); /* whether a row is wanted; NULL: all are */
    const void *choice;
};

/* For readers: whether a row of that name is wanted; one more item, which the reader sets; and a text that is freed
 * with the recording. After the last item the recording is finished: sorted, without the same round twice (else false),
 * and a row has failed whose verified answer differs from that of a round before, of the same code on the same machine
 * and input. */
bool recording_wants(const struct recording *recording, const char *name);
struct observation *recording_next(struct recording *recording);
char *recording_keep(struct recording *recording, char *text);
bool recording_finish(struct recording *recording, struct error *error);

/* Adds the rows that `model` has in that round and the recording lacks, with this status. `reason` and `model` must
 * outlive the recording. */
void recording_add_owed(struct recording *recording, const struct recording *model, const char *sitting, long round,
                        enum status status, const char *reason);

void recording_free(struct recording *recording);

/* Observations of one row, by sitting and round. */
struct row_rounds {
    const struct observation *items;
    size_t count;
};

size_t rounds_with_status(const struct row_rounds *rounds, enum status status);

/* The first of them; NULL: there is none. In rounds that were not timed some columns are empty. */
const struct observation *rounds_first(const struct row_rounds *rounds, enum status status);

/* Those that start at `start`, up to the next name. */
struct row_rounds recording_row_at(const struct recording *recording, size_t start);

/* Goes over the rows of two recordings by name. */
struct row_walk {
    const struct recording *recordings[2];
    struct row_rounds rounds[2]; /* in a row that only one of them has, the other has none */
    size_t at[2];                /* where the next rows start */
    const char *name;
};

/* False: there are no more rows. */
bool walk_to_next_row(struct row_walk *walk);

enum identity_demand {
    IDENTITY_ANY_MACHINE, /* the same work */
    IDENTITY_SITTING,     /* the same work on the same machine, perhaps with other libraries */
    IDENTITY_SAME,        /* the same work, and no known difference between the machines */
    IDENTITY_KNOWN,       /* as IDENTITY_SAME, and the machine's UUID or host name is known */
};

/* Whether two observations are of the same work, and of the same machine as far as demanded. If not, the error names
 * the column and both values. A device's rows must have the same device, UUID, driver, application clock and power
 * limit, and the same versions of CUDA and BLAS. Rows of CPU rungs, or with transfers, must also have the same host,
 * threads, affinity and governor. What another tool has not said is no difference. */
bool identity_check(const struct observation *base, const struct observation *other, enum identity_demand demand,
                    struct error *error);

/* Whether the recordings have a sitting in common: then their rounds are compared in pairs. */
bool rounds_are_paired(const struct recording *base, const struct recording *other);

/* Whether rows that both have are in the same rounds; if not, the error names the first round that only one has. */
bool rounds_check_pairs(const struct recording *base, const struct recording *other, struct error *error);

/* Drops rounds that are not complete in all recordings of a sitting, as after an interruption, unless something failed
 * in them. */
void rounds_drop_unfinished(struct recording *const *recordings, size_t count, size_t turns);

/* Makes one round of all that a process has of a row: its time is the median if a device's clock timed it, else the
 * least. In a file that names no sitting for a row, ROUNDS_OF_FILE are made of more than so many, of blocks of
 * neighbours: what lies close together is alike. */
enum { ROUNDS_OF_FILE = 20 };
void rounds_make_blocks(struct recording *recording, bool is_process);

/* Adds what is in `from`, and empties that. */
void recording_move(struct recording *recording, struct recording *from);

/* Merges the rounds `turns * n` to `turns * (n + 1) - 1` of a sitting into round n, for each row. The result is failed
 * if one of them is, skipped if all are, and otherwise has the least time. It is partial if not all were timed, since
 * the least time of fewer turns is longer. False: a row is not a CPU row, or two turns differ in work or machine; the
 * error says which. */
bool rounds_fold(struct recording *recording, size_t turns, struct error *error);

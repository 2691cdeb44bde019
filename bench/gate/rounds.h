/* What belongs together: the same round of two recordings, and several processes of one side that form one round. */
#pragma once

#include "bench/base/error.h"
#include "recording.h"

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
    IDENTITY_SAME,        /* the same work, and no known difference between the machines */
    IDENTITY_KNOWN,       /* as IDENTITY_SAME, and the machine's UUID or host name is known */
};

/* Whether two observations are of the same work, and of the same machine as far as demanded. If not, the error names
 * the column and both values. A device's rows must have the same device, UUID, driver, CUDA and BLAS versions,
 * application clock and power limit. Rows of CPU rungs, or with transfers, must also have the same host, threads,
 * affinity and governor. */
bool identity_check(const struct observation *base, const struct observation *other, enum identity_demand demand,
                    struct error *error);

/* Whether the recordings have a sitting in common: then their rounds are compared in pairs. */
bool rounds_are_paired(const struct recording *base, const struct recording *other);

/* Whether both have the same rounds; if not, the error names the first round that only one has. */
bool rounds_check_pairs(const struct recording *base, const struct recording *other, struct error *error);

/* The same for the rounds of a row that both have. */
bool rounds_check_row_pairs(const struct row_rounds *base, const struct row_rounds *other, struct error *error);

/* Turns: several processes of one side, seconds apart. On a shared CPU one process may find no quiet moment, and then
 * even its fastest sample is disturbed; of several, usually one finds a quiet moment. */
enum { TURNS_ALONE = 1, TURNS_ON_CPU = 6 };

/* Drops rounds that are not complete in all recordings of a sitting, as after an interruption, unless something failed
 * in them. */
void rounds_drop_unfinished(struct recording *const *recordings, size_t count, size_t turns);

/* Merges the rounds `turns * n` to `turns * (n + 1) - 1` of a sitting into round n, for each row. The result is failed
 * if one of them is, skipped if all are, and otherwise has the least time. It is partial if not all were timed, since
 * the least time of fewer turns is longer. False: a row is not a CPU row, or two turns differ in work or machine; the
 * error says which. */
bool rounds_fold(struct recording *recording, size_t turns, struct error *error);

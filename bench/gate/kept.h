/* The rounds that --keep left in folders, for looking at again. */
#ifndef RUNGBENCH_KEPT_H
#define RUNGBENCH_KEPT_H

#include "bench/base/error.h"
#include "recording.h"
#include "session.h"

struct kept {
    struct recording base, other;              /* of all folders together */
    struct recording slowed[SESSION_ARMS_MAX]; /* slowed-1, slowed-2 ... of those folders that have them */
    size_t slowed_count;
};

/* The name of the file of a side that was slowed, the `number`th from 1, without .csv. */
void kept_slowed_name(size_t number, char *name, size_t size);

/* Where a side's rounds are kept. False: the path is too long. */
bool kept_path(const char *folder, const char *side, char *path, size_t size, struct error *error);

/* Reads the folders, each of which holds base.csv and new.csv at least; so many `turns` make a round, of
 * which an unfinished one is left out. False: one cannot be read, or is of other rows; nothing is kept. */
bool kept_read(const char *const *folders, size_t count, size_t turns, struct kept *kept, struct error *error);

void kept_free(struct kept *kept);

#endif

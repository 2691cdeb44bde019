/* Rounds that --keep saved in folders, to compare them again. */
#pragma once

#include "bench/base/error.h"
#include "recording.h"
#include "session.h"

struct kept {
    struct recording base, other;              /* from all folders */
    struct recording slowed[SESSION_ARMS_MAX]; /* slowed-1, slowed-2, ... from the folders that have them */
    size_t slowed_count;
};

/* The file name, without .csv, of slowed side `number`, from 1. */
void kept_slowed_name(size_t number, char *name, size_t size);

/* The path of a side's rounds. False: the path is too long. */
bool kept_path(const char *folder, const char *side, char *path, size_t size, struct error *error);

/* Reads the folders, each of which must have base.csv and new.csv. A round consists of `turns` turns; unfinished rounds
 * are dropped. False: a folder cannot be read or has rows that do not fit; then nothing stays allocated. */
bool kept_read(const char *const *folders, size_t count, size_t turns, struct kept *kept, struct error *error);

void kept_free(struct kept *kept);

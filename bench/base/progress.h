/* The progress line on stderr: the current row, how many are done, the time left. */
#pragma once

#include "command_line.h"

#include <stdbool.h>
#include <stddef.h>

struct progress {
    bool enabled;
    bool rewrites; /* terminal: one line, overwritten; otherwise one line per step */
    double start_s, printed_s;
    size_t total;
    size_t width;      /* characters of the line on the terminal */
    const char *steps; /* what the steps are called, in a line per minute at most; NULL: a line per step */
    char last[192];    /* `what` of the last line printed */
};

/* Of `total` steps; auto: shown where stderr is a terminal. */
struct progress progress_make(enum choice wanted, size_t total, double now_s);

/* With auto, where stderr is no terminal: a line per minute at most, "12 of at most 40 processes, about 35 s left", for
 * the log of a CI job. The first comes after a minute. `steps` is what the steps are called. */
void progress_log_minutes(struct progress *progress, enum choice wanted, const char *steps);

/* `done` rows are finished, `what` is running. Where lines are not overwritten, a repeated `what` prints nothing. */
void progress_step(struct progress *progress, size_t done, const char *what, double now_s);

/* Erases the line, so that other text can be printed. */
void progress_clear(struct progress *progress);

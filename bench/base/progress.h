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
    const char *steps; /* of a line per minute at most; NULL: a line per step */
    char last[192];    /* `what` of the last line printed */
};

/* Of `total` steps. Auto shows it where stderr is a terminal. Elsewhere it writes a line per minute at most, the first
 * after a minute, for the log of a CI job: "12 of at most 40 processes, about 35 s left". `steps` is what the steps are
 * called there; NULL: nothing is written. */
struct progress progress_make(enum choice wanted, size_t total, const char *steps, double now_s);

/* `done` rows are finished, `what` is running. Where lines are not overwritten, a repeated `what` prints nothing. */
void progress_step(struct progress *progress, size_t done, const char *what, double now_s);

/* Erases the line, so that other text can be printed. */
void progress_clear(struct progress *progress);

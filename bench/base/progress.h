/* The progress line on stderr: the current row, how many are done, the time left. */
#pragma once

#include "command_line.h"

#include <stdbool.h>
#include <stddef.h>

struct progress {
    bool enabled;
    bool rewrites;                      /* terminal: one line, overwritten; otherwise one line per step */
    double start_s, printed_s, every_s; /* a line at most */
    size_t total;
    size_t width;   /* characters of the line on the terminal */
    char last[192]; /* `what` of the last line printed */
};

/* Of `total` steps at most. Auto shows it where stderr is a terminal. Elsewhere it writes a line per minute at most,
 * the first after a minute, if it is logged, as by a CI job. */
struct progress progress_make(enum choice wanted, size_t total, bool is_logged, double now_s);

/* `done` rows are finished, `what` is running. Where lines are not overwritten, a repeated `what` prints nothing. */
void progress_step(struct progress *progress, size_t done, const char *what, double now_s);

/* Erases the line, so that other text can be printed. */
void progress_clear(struct progress *progress);

/* The progress line on stderr: what is running, how far, how long still. */
#ifndef RUNGBENCH_PROGRESS_H
#define RUNGBENCH_PROGRESS_H

#include "command_line.h"

#include <stdbool.h>
#include <stddef.h>

struct progress {
    bool enabled;
    bool rewrites; /* a terminal: one line, written over; else a line a step */
    double start_s;
    size_t total;
    size_t width;   /* of the line on the terminal now */
    char last[192]; /* what was said last */
};

/* Of `total` steps; auto: shown where stderr is a terminal. */
struct progress progress_make(enum choice wanted, size_t total, double now_s);

/* `done` rows are finished, and `what` runs now. Saying so again says nothing where lines are not written over. */
void progress_step(struct progress *progress, size_t done, const char *what, double now_s);

/* Takes the line away, so that other text can be printed. */
void progress_clear(struct progress *progress);

#endif

/* The progress line on stderr, of which a process has one: the current row, how many are done, the time left. */
#pragma once

#include "command_line.h"

#include <stdbool.h>
#include <stddef.h>

/* There will be `total` steps at most. Auto shows the line where stderr is a terminal. Elsewhere it writes a line per
 * minute at most, the first after a minute, if it is logged, as by a CI job. */
void progress_begin(enum choice wanted, size_t total, bool is_logged, double now_s);

/* `done` rows are finished, `what` is running. Where lines are not overwritten, a repeated `what` prints nothing. */
void progress_step(size_t done, const char *what, double now_s);

/* Erases the line, so that other text can be printed; and prints a note. */
void progress_clear(void);
void progress_note(const char *line);

/* An error message of one line: what is wrong, the value seen, the value expected; and what a program ends with. */
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum exit_status {
    EXIT_RIGHT = 0, /* at least one row was measured or verified, and none was wrong */
    EXIT_WRONG = 1, /* a rung gave a wrong answer or failed */
    EXIT_USAGE = 2, /* usage, input or output error, or nothing selected */
    EXIT_ALL_SKIPPED = 77,
    EXIT_SIGNAL_BASE = 128,
};

struct error {
    char text[512];
};

/* Sets the message as printf() does; one that is too long loses its middle, and control characters become ?. Returns
 * false, so that a function can end with `return error_set(...)`. */
bool error_set(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What messages begin with: the last part of argv[0]. */
char *error_program(void);

/* Prints a line on stderr that begins with that. */
void error_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What a line of such a program says, without its name; NULL: another has printed it. */
const char *error_said(const char *line);

/* Prints the message on stderr and returns EXIT_USAGE. An empty one was already reported where it arose. */
int error_report(const struct error *error);

#ifdef __cplusplus
}
#endif

/* An error message of one line: what is wrong, the value seen, the value expected. */
#pragma once

#include <stdbool.h>

struct error {
    char text[512];
};

/* Sets the message as printf() does; one that is too long loses its middle, and control characters become ?. Returns
 * false, so that a function can end with `return error_set(...)`. */
bool error_set(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints the message on stderr and returns EXIT_USAGE. An empty one was already reported where it arose. */
int error_report(const struct error *error);

/* An error message of one line: what is wrong, the value seen, the value expected. */
#pragma once

#include <stdbool.h>

struct error {
    char text[512];
};

/* Sets the message as printf() does. Returns false, so that a function can end with `return error_set(...)`. */
bool error_set(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints the message on stderr. An empty one was already reported where it arose and prints nothing. */
void error_print(const struct error *error);

/* One line that says what went wrong: the thing, the value seen, what was expected. */
#ifndef RUNGBENCH_ERROR_H
#define RUNGBENCH_ERROR_H

#include <stdbool.h>

struct error {
    char text[512];
};

/* Writes the line, and returns false, so that a function can say `return error_set(...)`. */
bool error_set(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The line on stderr; nothing where it is empty, for then it has been said by whom it concerns. */
void error_print(const struct error *error);

#endif

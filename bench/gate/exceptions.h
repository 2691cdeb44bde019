/* Exceptions from the gate's rule, each with its reason: what a team accepts, ignores, or judges by another threshold.
 * A file has a line for each; empty lines and those that begin with # do not count:
 *
 *   accept-slower REGEX REASON      the row may be slower
 *   accept-missing REGEX REASON     the row may be gone: removed, or renamed
 *   ignore REGEX REASON             the row is not gated, unless it is wrong
 *   threshold=PERCENT REGEX REASON  a change up to this much is none
 *
 * REGEX is a POSIX extended regular expression of the whole name of a row. */
#pragma once

#include "bench/base/error.h"

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

enum exception_kind { ACCEPT_SLOWER, ACCEPT_MISSING, IGNORE, THRESHOLD };

struct exception {
    enum exception_kind kind;
    double threshold; /* relative */
    regex_t regex;
    const char *reason;
};

struct exceptions {
    struct exception *items;
    size_t count;
    char *text; /* what the reasons point into */
};

/* Reads a file. False: it cannot be read, or has a line of another form; nothing stays allocated. */
bool exceptions_read(const char *path, struct exceptions *exceptions, struct error *error);
void exceptions_free(struct exceptions *exceptions);

/* The first exception of this kind for the row; NULL: there is none. */
const struct exception *exceptions_find(const struct exceptions *exceptions, enum exception_kind kind, const char *row);

/* Exceptions from the gate's rule, each with its reason: what a team accepts, ignores, or judges by another threshold.
 * A file has a line for each; empty lines and those that begin with # do not count:
 *
 *   accept-slower REGEX REASON      the row may be slower
 *   accept-missing REGEX REASON     the row may be gone: removed, or renamed
 *   ignore REGEX REASON             the row is not gated, unless it is wrong
 *   threshold=PERCENT REGEX REASON  a change up to this much is none
 *
 * REGEX is a POSIX extended regular expression of the whole name of a row. Commits accept in trailers, "Gate: ". */
#pragma once

#include "bench/base/error.h"
#include "bench/base/pattern.h"

enum exception_kind { ACCEPT_SLOWER, ACCEPT_MISSING, IGNORE, THRESHOLD };

struct exception {
    enum exception_kind kind;
    double threshold; /* relative */
    struct pattern *pattern;
    char *reason;
};

struct exceptions {
    struct exception *items;
    size_t count;
};

/* Adds those of a file. False: it cannot be read, or has a line of another form. */
bool exceptions_read(const char *path, struct exceptions *exceptions, struct error *error);

/* Adds those of commits: a file has "commit NAME" for each, and then its trailers. What does not count is said on
 * stderr. False: the file cannot be read. */
bool exceptions_read_trailers(const char *path, struct exceptions *exceptions, struct error *error);

void exceptions_free(struct exceptions *exceptions);

/* The first exception of this kind for the row; NULL: there is none. */
const struct exception *exceptions_find(const struct exceptions *exceptions, enum exception_kind kind, const char *row);

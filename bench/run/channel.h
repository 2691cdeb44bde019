/* What a worker tells its supervisor, over a pipe that no rung knows: which row begins, what was measured, and, should
 * a signal end it, which. */
#pragma once

#include "bench/base/error.h"
#include "bench/measure/ceiling_table.h"
#include "bench/report/result.h"

#include <stdbool.h>
#include <stddef.h>

/* The worker's end. Messages begin with a key that no rung can foresee, and that the first one tells. */
const char *channel_open(void); /* before a rung has run; returns what the line of a crash begins with */
void channel_row(const char *name);
void channel_ceiling(void *self, const struct ceiling *measured);                  /* `self` is NULL */
bool channel_result(void *self, const struct result *result, struct error *error); /* the same; a reporter's early() */

/* The supervisor's. Texts end with a zero. */
enum { CHANNEL_KEY_BYTES = 17 };
struct channel_listener {
    void *self;
    char *key; /* of CHANNEL_KEY_BYTES; empty for each new worker */
    void (*row)(void *self, const char *name);
    void (*ceiling)(void *self, const struct ceiling *measured);
    void (*result)(void *self, const char *record); /* of CSV; NULL: no memory */
    void (*crash)(void *self, const char *what);
    void (*stranger)(void *self, const char *line); /* which is no message */
};

/* Passes on the whole messages; returns how many bytes they have. */
size_t channel_take(const struct channel_listener *listener, const char *text, size_t bytes);

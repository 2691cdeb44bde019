/* Output files that are whole or not there: records go to FILE.partial, which is renamed to FILE at the end. What is
 * not a regular file (a pipe, /dev/null) is written in place; "-" is stdout. */
#ifndef RUNGBENCH_OUTPUT_H
#define RUNGBENCH_OUTPUT_H

#include "error.h"

#include <limits.h>
#include <stddef.h>
#include <sys/types.h>

struct output {
    int fd;
    bool in_place;
    off_t whole;    /* bytes of whole records */
    off_t preamble; /* of those, what is no result: a header */
    char path[PATH_MAX];
    char partial[PATH_MAX];
};

bool output_open(struct output *output, const char *path, struct error *error);

/* Appends one record. If it cannot be written whole (no space left), what was written of it is taken away again. */
bool output_write(struct output *output, const void *record, size_t bytes, struct error *error);

/* Closes the file under its own name: all records that were written are in it. */
bool output_commit(struct output *output, struct error *error);

/* Closes and removes it; a file that was there before stays as it was. */
void output_discard(struct output *output);

/* Leaves all open files to another process, from which this one was forked. */
void output_forget_all(void);

/* Gives every open file that holds more than its preamble its own name, and removes the others. For signal handlers:
 * async-signal-safe. */
void output_rescue_all(void);

#endif

/* Output files that are complete or absent: records go to FILE.partial, which is made for the first of them and renamed
 * to FILE at the end. Anything but a regular file (a pipe, /dev/null) is written in place. "-" is stdout. */
#pragma once

#include "error.h"

#include <limits.h>
#include <stddef.h>
#include <sys/types.h>

struct output {
    int fd; /* -1: nothing is written yet */
    bool in_place;
    off_t whole;    /* bytes in complete records */
    off_t preamble; /* bytes of the header, part of `whole`: a file with no more than these has no results */
    char *header;   /* of a file; written before the first record */
    char path[PATH_MAX];
    char partial[PATH_MAX];
};

/* False: it cannot be written, or another process is writing it. */
bool output_open(struct output *output, const char *path, struct error *error);

/* The header of a file, once, before all records. */
bool output_write_preamble(struct output *output, const char *text, size_t bytes, struct error *error);

/* Appends one record. If only a part can be written (disk full), that part is removed again. */
bool output_write(struct output *output, const void *record, size_t bytes, struct error *error);

/* Forgets all records but the header, so that they can be written anew; not where the output is written in place. */
bool output_begin_again(struct output *output, struct error *error);

/* Closes the file and renames it to its final name. */
bool output_commit(struct output *output, struct error *error);

/* Closes and removes the partial file. An existing FILE stays as it was. */
void output_discard(struct output *output);

/* Renames every open file that has results to its final name and removes the others. Async-signal-safe. */
void output_rescue_all(void);

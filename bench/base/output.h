/* Output files that are complete or absent: records go to FILE.partial, which is made for the first of them and renamed
 * to FILE at the end, unless not all could be written. As long as it is open, no other process writes it. Anything but
 * a regular file (a pipe, /dev/null) is written in place. "-" is stdout. */
#pragma once

#include "error.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct output {
    int fd; /* -1: nothing is written yet */
    bool in_place;
    bool has_failed; /* a record could not be written */
    off_t whole;     /* bytes in complete records */
    off_t preamble;  /* bytes of the header, part of `whole`: a file with no more than these has no results */
    struct output *volatile next_open;
    char *header;    /* of a file; written before the first record */
    FILE *anew;      /* what takes the place of the records at the end; NULL: nothing does */
    char *anew_text; /* of `anew` */
    size_t anew_bytes;
    char path[PATH_MAX];
    char partial[PATH_MAX];
};

/* False: it cannot be written, or another process is writing it. A file is not made yet, and what a crash left of it
 * stays: a run that is killed before it has results changes nothing. */
bool output_open(struct output *output, const char *path, struct error *error);

/* The header of a file, once, before all records. */
bool output_write_preamble(struct output *output, const char *text, size_t bytes, struct error *error);

/* Appends one record. If only a part can be written (disk full), that part is removed again, and the message says where
 * the records before it are. */
bool output_write(struct output *output, const void *record, size_t bytes, struct error *error);

/* The same of what `print` prints about `self`. */
bool output_print(struct output *output, void (*print)(FILE *to, const void *self), const void *self,
                  struct error *error);

/* From now on records are kept in memory. They take the place of those in the file when it is committed, all or, if
 * they do not fit, none. Not where the output is written in place. False: a record could not be written. */
bool output_begin_again(struct output *output, struct error *error);

/* Closes the file and renames it to its final name, unless a record could not be written. */
bool output_commit(struct output *output, struct error *error);

/* Ends all files of a run. One without records is discarded. One of which a record could not be written stays
 * FILE.partial, and so do all if the run was cut short (`is_whole` is false): no older file is replaced by one with
 * fewer records. The error names those of which output_write() has not said it. */
bool output_commit_all(struct output *outputs, size_t count, bool is_whole, struct error *error);

/* Closes and removes the partial file. An existing FILE stays as it was. */
void output_discard(struct output *output);

/* Renames every open file that has results to its final name, if all could be written, and removes those without.
 * Async-signal-safe. */
void output_rescue_all(void);

/* Opens /dev/null in place of standard streams that the caller has closed, so that no other file gets their
 * descriptors. What is written to a closed standard output fails. */
void standard_streams_fill(void);
bool standard_output_is_open(void);

/* Whether it is a pipe or a socket that nobody will read any more. */
bool standard_output_is_unread(void);

/* One record of an output file, gathered in memory and written at once, so that it is there whole or not at all. */
#ifndef RUNGBENCH_RECORD_H
#define RUNGBENCH_RECORD_H

#include "error.h"
#include "output.h"

#include <stdbool.h>
#include <stdio.h>

struct record {
    FILE *text; /* what is printed here becomes the record */
    char *bytes;
    size_t count;
};

bool record_begin(struct record *record, const struct output *output, struct error *error);

/* Ends what record_begin() began, also when it fails. */
bool record_write(struct record *record, struct output *output, struct error *error);

/* Writes what is no result: a header. */
bool record_write_preamble(struct output *output, const char *text, struct error *error);

#endif

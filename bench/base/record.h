/* One record of an output file, built in memory and written at once: it is in the file completely or not at all. */
#pragma once

#include "error.h"
#include "output.h"

#include <stdbool.h>
#include <stdio.h>

struct record {
    FILE *text; /* print the record here */
    char *bytes;
    size_t count;
};

bool record_begin(struct record *record, const struct output *output, struct error *error);

/* Writes the record and frees it, also on failure. */
bool record_write(struct record *record, struct output *output, struct error *error);

/* The flags of rungbench, and its help text. */
#pragma once

#include "options.h"

#include <stdio.h>

/* Reads argv. The operations' own flags (--shape, ...) come from the registry. `arguments`, with room for
 * 2 (argc + 1) of them, becomes the options' `shared` and `harmless`. */
bool flags_parse(const struct registry *registry, int argc, char **argv, char **arguments, struct options *options,
                 struct error *error);

/* A line on stderr for each flag that was given twice with different values, and one for all that have no effect; none
 * in a worker, which gets the same flags. */
void flags_note(const struct options *options);

void flags_print_help(const struct registry *registry, FILE *to);

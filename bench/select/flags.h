/* The flags of rungbench, and its help text. */
#pragma once

#include "options.h"

#include <stdio.h>

/* Reads argv. The operations' own flags (--shape, ...) come from the registry. `shared` gets the arguments that every
 * process of a run with rounds has, ended by a NULL; room for argc; NULL: nowhere. */
bool flags_parse(const struct registry *registry, int argc, char **argv, char **shared, struct options *options,
                 struct error *error);

void flags_print_help(const struct registry *registry, FILE *to);

/* Somebody else's benchmark: a command for /bin/sh. In it {out} stands for a file, new for each run, whose content is
 * read instead of stdout, and {filter} for a regular expression of the rows that are wanted, quoted. */
#pragma once

#include "bench/base/error.h"

#include <limits.h>
#include <stdbool.h>

/* Whether {filter} stands in quotes, which end where it begins to be quoted itself. */
bool command_quotes_filter(const char *command);

/* Makes the folder for {out}, if the command has that, else an empty name. False: it cannot be made, or has a name that
 * a shell would not leave as it is. */
bool command_make_folder(const char *command, char folder[PATH_MAX], struct error *error);

/* What the shell gets. free() it. */
char *command_text(const char *command, const char *folder, const char *filter);

/* Where {out} is; NULL: the command writes to stdout. free() it. */
char *command_out(const char *folder);

bool command_has_written(const char *folder);

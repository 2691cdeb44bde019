/* Somebody else's benchmark: a command for /bin/sh. In it {out} stands for a file, new for each run, whose content is
 * read instead of stdout, and {filter} for a regular expression of the rows that are wanted, quoted. */
#pragma once

#include "bench/base/error.h"

#include <stdbool.h>

/* Makes the folder for {out}, if one of the commands has that (the other may be NULL), else NULL. False: it
 * cannot be made, or has a name that a shell would not leave as it is. */
bool command_make_folder(const char *base, const char *other, char **folder, struct error *error);

/* What the shell gets. free() it. */
char *command_text(const char *command, const char *folder, const char *filter);

/* Where {out} is; NULL: the command writes to stdout. free() it. */
char *command_out(const char *command, const char *folder);

bool command_has_written(const char *folder);

/* Removes what a run left in the folder; and the folder too, and frees its name. NULL: there is none. */
void command_clear(const char *folder);
void command_remove_folder(char *folder);

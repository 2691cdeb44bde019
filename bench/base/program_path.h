/* Where a program is. */
#pragma once

#include <limits.h>
#include <stdbool.h>

/* The path of the first of these that is there. A name without a slash is looked for on the PATH; "$NAME/..." begins
 * with the value of an environment variable. Ended by a NULL. */
bool program_path_find(const char *const *names, char path[PATH_MAX]);

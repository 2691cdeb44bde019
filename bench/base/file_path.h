/* Where paths lead. */
#pragma once

#include <limits.h>
#include <stdbool.h>

/* Follows links, also one to a file that is not there: writing to the link makes that file. False, with errno: the path
 * is too long, or its links lead nowhere. */
bool file_path_follow(const char *path, char followed[PATH_MAX]);

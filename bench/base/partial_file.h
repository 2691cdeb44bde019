/* FILE.partial: what FILE is called until it is complete. It is locked by the process that writes it, as long as that
 * has it open. */
#pragma once

#include "error.h"

#include <limits.h>

/* False: the path is too long. */
bool partial_file_path(const char *path, char partial[PATH_MAX]);

/* Whether FILE.partial can be made, and no other process is writing it. Nothing new is left, and what a crash left
 * stays: a run that is killed before it has results changes nothing. */
bool partial_file_check(const char *path, struct error *error);

/* Makes FILE.partial, empty, and locks it. Its descriptor, or -1. */
int partial_file_make(const char *path, struct error *error);

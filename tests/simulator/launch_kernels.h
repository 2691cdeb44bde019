/* Launches at the limits of what a GPU can do, and beyond each of them. */
#pragma once

#include "c_linkage.h"

#include <stdbool.h>
#include <stddef.h>

C_BEGIN

/* Counts the threads of a launch of that size in *out, on a single number in memory of the host; with `allowed` all its
 * shared memory is asked for before. Returns NULL, or what launch_error("a rung") says. */
const char *count_launched_threads(const unsigned grid[3], const unsigned block[3], size_t shared_bytes, bool allowed,
                                   int *out);

/* Copies three numbers to a symbol where two are left. A GPU writes to what lies behind it. */
const char *copy_beyond_a_symbol(const int *in);

C_END

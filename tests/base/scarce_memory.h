/* What a program does when one allocation fails: each of the first in turn, and then some, for they repeat; with
 * scripts/test.sh --all each of all. Link with --wrap of malloc, calloc, realloc and open_memstream. */
#pragma once

#include "bench/base/error.h"

/* Calls `work` again and again, each time in a process of its own in which a later allocation fails, until it gets all
 * that it asks for. Before that it has ended its process with EXIT_USAGE and a message on stderr, or has returned false
 * with the error. About the number of allocations. */
long scarce_memory_try(bool (*work)(struct error *error));

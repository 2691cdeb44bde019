/* Finds a compiler. */
#pragma once

#include "bench/base/error.h"
#include "bench/table/toolchain.h"

#include <limits.h>
#include <stdint.h>

/* The path of the first compiler of the toolchain that is there, and a key that changes when the program does. False,
 * with what was looked for. */
bool compiler_find(const struct toolchain *toolchain, char path[PATH_MAX], uint64_t *key, struct error *error);

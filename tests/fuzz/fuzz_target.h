/* What every fuzz target is made of. One input per call: by libFuzzer in a build with RUNGBENCH_FUZZ, else by
 * run_seeds.c. A target reads it as the programs do, and aborts where a promise is broken. */
#pragma once

#include "bench/base/error.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The path of a file with these bytes, up to the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);

/* Aborts unless the error is one line of text. */
void fuzz_check_error(const struct error *error);

/* Loads a shared object. */
#pragma once

#include "bench/table/rung.h"

/* Loads the object, and finds its function. Returns NULL, or why it cannot, valid until the next call. */
const char *loading_run(const char *object, const char *function, rung_function **run);

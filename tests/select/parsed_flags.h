/* Command lines of rungbench, for tests of what becomes of them. */
#pragma once

#include "bench/select/options.h"

#define OP(name) extern const struct op name##_op;
#include "bench/table/rungs.def"

/* All operations and no rung; the backends are cpu and cuda. */
extern const struct registry flags_registry;

/* What these flags mean, which are separated by spaces; ~ stands for a space within a flag. */
struct options accepted(const char *flags);

/* Refused in one line, and it says all of these. */
void assert_refused(const char *flags, const char *name, const char *value, const char *expected);

/* "cold,hot", in this order. */
void assert_modes(const struct options *options, const char *names);

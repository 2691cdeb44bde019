/* How a function or kernel of the user's own is called with an operation's problem: its parameters are matched by their
 * names and types. match.h says how. */
#pragma once

#include "match.h"

#include "bench/base/error.h"

/* `launch` is how the user says that it is called, in the names of the operation, or which function is meant; NULL:
 * found out. False, with what stands in the way and the flag that decides. */
bool call_make(const struct source *source, const struct op *op, const char *launch, const char *label,
               struct call *call, struct error *error);

/* Verification in a graph: all work of a call must be in its stream, or in streams that it joins. */
#pragma once

#include "verify_once.h"

/* Records one call of the rung in a graph, runs the graph, and compares its answer with the reference. Work that the
 * call leaves on another stream cannot be recorded. Not for a rung's first call. `check` gets the result and `launches`
 * what the call launches; both stay as they are where the backend has no graphs. */
void verify_graph(const struct rung *rung, struct buffers *buffers, void *const host[], const void *reference,
                  struct kernel_launches *launches, struct check *check);

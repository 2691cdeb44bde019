/* A rung that keeps memory of each call: sooner or later none is left for the rows after it. */
#pragma once

#include "bench/place/buffers.h"
#include "bench/table/op.h"
#include "bench/table/registry.h"

/* Calls the rung on these buffers, whose inputs are there, and compares what is allocated before and after. False, with
 * the reason in `check`: it grows and grows, or a call failed. Not for a rung's first calls, which may make workspaces.
 */
void verify_leaks(const struct rung *rung, const struct buffers *buffers, struct check *check);

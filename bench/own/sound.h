/* Whether a description of an operation is sound. Those of the tree have tests; whoever writes one in a file of their
 * own hears what is wrong with it. */
#pragma once

#include "bench/table/op.h"

#include <stdio.h>

/* That it has nothing that only operations of the tree can have: its problem is made of its sizes and arguments, and
 * its inputs as those say. False, with the reason. */
bool op_is_users(const struct op *op, struct error *error);

/* That its names, extents, formula and sizes say something. False, with the reason. */
bool op_is_sound(const struct op *op, struct error *error);

/* Sizes for an operation that has no ragged ones: small, odd, around powers of two, and 1, in turn for each. They stay
 * valid. Returns how many there are. */
size_t op_ragged_by_names(const struct op *op, const int64_t (**ragged)[OP_SIZES_MAX]);

/* Computes answers of the ragged sizes as a run does: that nothing is read outside of the inputs, that elements are the
 * same however pieces are cut, and that bounds leave room for an honest FP32 answer, or for rounding a right one. Says
 * what it has looked at. False, with the reason. */
bool op_check_answers(const struct op *op, FILE *to, struct error *error);

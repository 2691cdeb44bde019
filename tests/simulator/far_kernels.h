/* Greyscale by kernels that are right on every size, or wrong where an index exceeds 32 bits. */
#pragma once

#include "c_linkage.h"
#include "bench/table/rung.h"

C_BEGIN

/* Right. far_cleared_first refuses more multiprocessors than any GPU has. The last two are right for who can wait;
 * far_full has two blocks per multiprocessor. */
rung_function far_right, far_cleared_first, far_full, far_one_block;

/* Wrong. The last one launches what no grid can hold. */
rung_function far_int_index, far_full_int_index, far_unsigned_index, far_int_plane, far_int_grid, far_behind_the_end,
    far_unguarded;

rung_function far_refuses; /* before it launches anything */

C_END

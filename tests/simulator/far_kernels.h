/* Greyscale by kernels that are right on every size, or wrong where an index exceeds 32 bits. */
#pragma once

#include "bench/table/rung.h"

#ifdef __cplusplus
extern "C" {
#endif

rung_function far_right, far_cleared_first;                                   /* right */
rung_function far_int_index, far_unsigned_index, far_int_plane, far_int_grid; /* wrong */
rung_function far_behind_the_end;                                             /* wrong: writes there */
rung_function far_one_block, far_few_blocks;                                  /* right, for who can wait */

#ifdef __cplusplus
}
#endif

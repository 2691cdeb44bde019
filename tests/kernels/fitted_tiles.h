/* The tiles of matmul cuda_fitted, each with k in 1, 2, 4 and 8 parts. */
#pragma once

#include "bench/table/rung.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { FITTED_TILES = 16 };
extern rung_function *const fitted_tiles[FITTED_TILES];

#ifdef __cplusplus
}
#endif

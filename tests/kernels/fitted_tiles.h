/* The tiles of matmul cuda_fitted, each with k in 1, 2, 4 and 8 parts. */
#pragma once

#include "bench/table/matmul.h"
#include "bench/table/rung.h"

#ifdef __cplusplus
extern "C" {
#endif

struct fitted_tile {
    rung_function *run;
    int fit, parts; /* which of the launcher's tiles; how many parts k has */
};

enum { FITTED_TILES = 15 };
extern const struct fitted_tile fitted_tiles[FITTED_TILES];

/* Rows and columns of the tile. */
int fitted_tile_rows(const struct fitted_tile *tile);
int fitted_tile_columns(const struct fitted_tile *tile);

/* What the launcher expects it to take on this GPU, in us, without what all launches take. */
double fitted_tile_estimate_us(const struct fitted_tile *tile, const struct matmul_problem *problem);

#ifdef __cplusplus
}
#endif

/* The tiles of matmul cuda_fitted, each with k shared in several ways. */
#pragma once

#include "bench/table/matmul.h"
#include "bench/table/rung.h"

#ifdef __cplusplus
extern "C" {
#endif

struct fitted_tile {
    rung_function *run;
    int fit, splits, clusters; /* which of the launcher's tiles; the blocks of a cluster, and the clusters, for each */
};

enum { FITTED_TILES = 45 };
extern const struct fitted_tile fitted_tiles[FITTED_TILES];

/* Rows and columns of the tile. */
int fitted_tile_rows(const struct fitted_tile *tile);
int fitted_tile_columns(const struct fitted_tile *tile);

/* What the launcher expects it to take on this GPU, in us, without what all launches take. */
double fitted_tile_estimate_us(const struct fitted_tile *tile, const struct matmul_problem *problem);

#ifdef __cplusplus
}
#endif

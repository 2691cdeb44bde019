/* Every tile and split of matmul cuda_fitted, each as a rung of its own. On sizes that are verified in full the
 * launcher chooses few of them. */
#define matmul_cuda_fitted matmul_cuda_fitted_of_the_test
#include "kernels/matmul/fitted.cu"
#undef matmul_cuda_fitted

#include "fitted_tiles.h"

template <int FIT, unsigned BY_BLOCKS, unsigned BY_CLUSTERS>
static const char *run_tile(const void *problem, void *stream)
{
    return fits[FIT].launch((const struct matmul_problem *)problem, {BY_BLOCKS, BY_CLUSTERS}, (cudaStream_t)stream);
}

#define TILE(fit, splits, clusters)                            \
    {                                                          \
        run_tile<fit, splits, clusters>, fit, splits, clusters \
    }
#define TILES_OF(fit)                                                                                      \
    TILE(fit, 1, 1), TILE(fit, 2, 1), TILE(fit, 4, 1), TILE(fit, 8, 1), TILE(fit, 16, 1), TILE(fit, 1, 4), \
        TILE(fit, 8, 2), TILE(fit, 8, 8), TILE(fit, 16, 16)
static_assert(FITS == 5 && SPLITS == 5, "the table below has them all");
const struct fitted_tile fitted_tiles[FITTED_TILES] = {TILES_OF(0), TILES_OF(1), TILES_OF(2), TILES_OF(3), TILES_OF(4)};

int fitted_tile_rows(const struct fitted_tile *tile)
{
    return fitted_times[0][tile->fit].bm;
}

int fitted_tile_columns(const struct fitted_tile *tile)
{
    return fitted_times[0][tile->fit].bn;
}

double fitted_tile_estimate_us(const struct fitted_tile *tile, const struct matmul_problem *problem)
{
    const struct fit *fit = &fits[tile->fit];
    const struct tile_times *timed = &fitted_times[is_wide(problem)][tile->fit];
    const struct shares shares = {(unsigned)tile->splits, (unsigned)tile->clusters};
    const double tiles = (double)(ceil_div(problem->m, timed->bm) * ceil_div(problem->n, timed->bn));
    return shares_us(&timed->times, tiles, ceil_div(problem->k, timed->bk), (double)problem->m * (double)problem->n,
                     shares, fit->multiprocessors(problem, shares.splits));
}

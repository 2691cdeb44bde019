/* Every tile and split of matmul cuda_fitted, each as a rung of its own. On sizes that are verified in full the
 * launcher chooses few of them. */
#define matmul_cuda_fitted matmul_cuda_fitted_of_the_test
#include "kernels/matmul/fitted.cu"
#undef matmul_cuda_fitted

#include "fitted_tiles.h"

template <int FIT, unsigned SPLITS>
static const char *run_tile(const void *problem, void *stream)
{
    return fits[FIT].launch((const struct matmul_problem *)problem, SPLITS, (cudaStream_t)stream);
}

#define TILE(fit, parts)                 \
    {                                    \
        run_tile<fit, parts>, fit, parts \
    }
#define TILES_OF(fit) TILE(fit, 1), TILE(fit, 2), TILE(fit, 4), TILE(fit, 8), TILE(fit, 16)
static_assert(FITS == 3 && SPLITS == 5, "the table below has them all");
const struct fitted_tile fitted_tiles[FITTED_TILES] = {TILES_OF(0), TILES_OF(1), TILES_OF(2)};

int fitted_tile_rows(const struct fitted_tile *tile)
{
    return fits[tile->fit].tile.bm;
}

int fitted_tile_columns(const struct fitted_tile *tile)
{
    return fits[tile->fit].tile.bn;
}

double fitted_tile_estimate_us(const struct fitted_tile *tile, const struct matmul_problem *problem)
{
    const struct fit *fit = &fits[tile->fit];
    const struct tile_times *timed = &fit->tile;
    const unsigned parts = (unsigned)tile->parts;
    const int usable = fit->multiprocessors(problem, parts);
    const double tiles = (double)(ceil_div(problem->m, timed->bm) * ceil_div(problem->n, timed->bn));
    const double stages = (double)ceil_div(ceil_div(problem->k, timed->bk), parts);
    return usable > 0 ? estimate_us(&timed->times, tiles * parts, stages, parts, usable) : NAN;
}

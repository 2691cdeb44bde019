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

#define SPLITS_OF(fit) run_tile<fit, 1>, run_tile<fit, 2>, run_tile<fit, 4>, run_tile<fit, 8>
static_assert(sizeof fits / sizeof fits[0] == 4 && SPLITS_MAX == 8, "the table below has them all");
rung_function *const fitted_tiles[FITTED_TILES] = {SPLITS_OF(0), SPLITS_OF(1), SPLITS_OF(2), SPLITS_OF(3)};

/* conv2d cudnn_best: NVIDIA's library at its best, which the ladder is compared with.
 *
 * Technique: the calls of cudnn, by the algorithm that is fastest here. A shape's first call, which is never timed,
 * runs each that is allowed (kernels/conv2d/cudnn_forward.h) and keeps the fastest. Caches are warm then, so in mode
 * cold another one may have been faster still. The choice is in the column `choice`. */
#include "cudnn_forward.h"

#include "kernels/fastest.h"

static const char *try_algorithm(const void *problem, int i, cudaStream_t stream)
{
    return cudnn_convolve(problem, cudnn.usable[i], stream);
}

static int take_fastest(const struct conv2d_problem *p, cudaStream_t stream)
{
    return fastest_of(cudnn.usable_count, try_algorithm, p, stream);
}

const char *conv2d_cudnn_best(const void *problem, void *stream)
{
    return cudnn_forward(problem, stream, take_fastest);
}

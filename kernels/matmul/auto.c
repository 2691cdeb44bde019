/* matmul cuda_auto: the rung that should be the fastest for the shape, the alignment and the GPU.
 *
 * Technique: the ladder has no best kernel: which is depends on the shape, and nobody can call "the best of twenty".
 * This rung can be called. It estimates how long each candidate should take, by what that has to do and a few constants
 * that were measured (bench/table/model.h), and runs the cheapest. The table is short, so choosing takes the host about
 * a microsecond, and nothing for a problem that it has just had.
 *
 * What it fixes in all rungs before: each is far from the best on some shape.
 *
 * What bounds it: the chosen rung, and shapes on which the model is wrong; column `choice` names both. */
#include "choose.h"

const char *matmul_cuda_auto(const void *problem, void *stream)
{
    return run_chosen(problem, stream, 0);
}

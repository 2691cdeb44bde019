/* matmul cuda_auto_cores: cuda_auto without tensor cores.
 *
 * Technique: cuda_auto's, among the candidates that multiply in FP32 itself.
 *
 * What bounds it: as cuda_auto, and the CUDA cores. */
#include "choose.h"

const char *matmul_cuda_auto_cores(const void *problem, void *stream)
{
    return run_chosen(problem, stream, RUNG_TF32X3 | RUNG_FP16X3);
}

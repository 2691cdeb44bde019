/* dot cublas: NVIDIA's library, which the ladder is compared with.
 *
 * Technique: cublasSdot. The answer goes to memory of the GPU, so that the call does not wait for it.
 *
 * What bounds it: memory; short vectors are bound by its launches. */
#include "bench/table/dot.h"
#include "bench/table/rung.h"
#include "kernels/cublas_handle.h"

const char *dot_cublas(const void *problem, void *stream)
{
    const struct dot_problem *p = problem;
    cublasHandle_t handle;
    TRY_CALL(cublas_handle(stream, CUBLAS_PEDANTIC_MATH, &handle));
    TRY_CUBLAS(cublasSetPointerMode, handle, CUBLAS_POINTER_MODE_DEVICE);
    const char *error = cublas_check("cublasSdot_64", cublasSdot_64(handle, p->n, p->x, 1, p->y, 1, p->dot));
    TRY_CUBLAS(cublasSetPointerMode, handle, CUBLAS_POINTER_MODE_HOST);
    return error;
}

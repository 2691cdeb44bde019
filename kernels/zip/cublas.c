/* zip cublas: NVIDIA's library, which the ladder is compared with.
 *
 * Technique: cublasSgeam adds two matrices, either of which may be transposed. cuBLAS is column-major: x and y are n x
 * m to it, and z is as it lies in memory. It has no strides of 0: for a row or a column that is broadcast cuda_vector
 * runs.
 *
 * What bounds it: memory. */
#include "bench/table/rung.h"
#include "bench/table/zip.h"
#include "kernels/cublas_handle.h"

#include <stdbool.h>

const char *zip_cublas(const void *problem, void *stream)
{
    static const float a = ZIP_A, one = 1;
    const struct zip_problem *p = problem;
    if (p->z_row == 0 || p->z_column == 0)
        return rung_hand_over(zip_cuda_vector, problem, stream);
    const bool is_transposed = p->z_column > 1;
    cublasHandle_t handle;
    TRY_CALL(cublas_handle(stream, CUBLAS_PEDANTIC_MATH, &handle));
    TRY_CUBLAS(cublasSgeam_64, handle, CUBLAS_OP_N, is_transposed ? CUBLAS_OP_T : CUBLAS_OP_N, p->n, p->m, &a, p->x,
               p->n, &one, p->z, is_transposed ? p->m : p->n, p->y, p->n);
    return NULL;
}

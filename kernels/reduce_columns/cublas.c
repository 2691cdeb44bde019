/* reduce_columns cublas: NVIDIA's library, which the ladder is compared with.
 *
 * Technique: cublasSgemv. The sums of the columns are x^T times a vector of ones, which is how programs that have
 * cuBLAS compute the gradient of a bias. cuBLAS is column-major: x is n x m to it, and not transposed.
 *
 * cuBLAS 13.1 reads the wrong addresses in a matrix of 5 x 2^30 elements, although the call takes 64-bit sizes. So this
 * rung takes no more than an int counts.
 *
 * What bounds it: memory. The ones are read besides, 4 bytes per row. */
#include "bench/table/reduce_columns.h"
#include "bench/table/rung.h"
#include "kernels/cublas_handle.h"
#include "kernels/workspace.h"

/* The ones that the workspace begins with. */
static int64_t ones_there;

static const char *make_ones(int64_t count, const float **ones)
{
    enum { PIECE = 1024 };
    void *memory;
    TRY_CALL(workspace_get((size_t)count * sizeof(float), &memory));
    *ones = memory;
    if (count <= ones_there)
        return NULL;
    float piece[PIECE];
    for (int i = 0; i < PIECE; i++)
        piece[i] = 1;
    for (int64_t i = 0; i < count; i += PIECE) {
        const size_t there = (size_t)(count - i < PIECE ? count - i : PIECE);
        cudaError_t status = cudaMemcpy((float *)memory + i, piece, there * sizeof(float), cudaMemcpyHostToDevice);
        if (status != cudaSuccess)
            return cudaGetErrorString(status);
    }
    ones_there = count;
    return NULL;
}

const char *reduce_columns_cublas(const void *problem, void *stream)
{
    static const float one = 1, zero = 0;
    const struct reduce_columns_problem *p = problem;
    const float *ones;
    cublasHandle_t handle;
    TRY_CALL(make_ones(p->m, &ones));
    TRY_CALL(cublas_handle(stream, CUBLAS_PEDANTIC_MATH, &handle));
    TRY_CUBLAS(cublasSgemv_64, handle, CUBLAS_OP_N, p->n, p->m, &one, p->x, p->n, ones, 1, &zero, p->y, 1);
    return NULL;
}

/* matmul cublas: NVIDIA's library, which the ladder is compared with.
 *
 * Technique: cublasSgemm (kernels/cublas_sgemm.c). cuBLAS holds many kernels for tiles of many sizes, and chooses one
 * by shape and GPU. Its FP32 kernels use what the rungs before this one lead to, and more: tiles in registers, copies
 * that run ahead of the arithmetic, and splitting along k where C is small.
 *
 * What bounds it: FP32 arithmetic on large squares. On narrow shapes, such as MNIST's ten columns, reading A; a kernel
 * made for such shapes can do better.
 *
 * Measured, results/h200-x1/default.csv.gz:
 *   matmul/mnist/cublas/cold 72.66 us */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "kernels/cublas_sgemm.h"

const char *matmul_cublas(const void *problem, void *stream)
{
    const struct matmul_problem *p = problem;
    return cublas_sgemm(stream, false, false, p->m, p->n, p->k, p->a, p->b, p->c);
}

/* The operation matmul_grad_a: dA[m,k] = dC[m,n] B[k,n]^T in FP32, the gradient of C = A B by A. Back-propagation takes
 * it through a layer, to what the layer before it gave out. */
#include "bench/table/matmul_grad_a.h"
#include "bench/table/op.h"

/* The sizes of a struct workload, in the order of --grad-a-shape=MxKxN. */
enum { M, K, N };
enum { ROWS = M, COLUMNS = K, TERMS = N };
enum { A_TRANSPOSED = false, B_TRANSPOSED = true, A_MAY_BE_IMAGES = false };
#define ANSWER "dA"
#define FLAG "grad-a-shape"
#define FLAG_HELP "add a matmul_grad_a workload, the gradient of MxK by KxN by the first (repeatable)"
#include "matmul_product_op.h"

static const struct workload workloads[] = {
    {"mnist-grad", {50000, 784, 10}, SUITE_NETWORK},
    {"mnist-batch64-grad", {64, 784, 128}, SUITE_NETWORK | SUITE_SMOKE},
    {"mnist-hidden-grad", {50000, 784, 128}, SUITE_NETWORK},
};

static const struct workload ragged[] = {
#define RAGGED(rows, terms, columns) {SIZES_3(rows, columns, terms)},
#include "matmul_ragged.def"
};

/* Little more than 2^32 elements: an index of 32 bits, or a grid made of one, begins again near 0. */
static const struct workload far[] = {
    {SIZES_3(5500000, 784, 4)},  {SIZES_3(5500000, 4, 784)},     {SIZES_3(1, 1048580, 4100)},
    {SIZES_3(134217732, 32, 1)}, {SIZES_3(4194304, 4194304, 1)}, /* as in matmul_op.c */
};

static void bind(const struct workload *workload, void *const memory[], void *problem)
{
    const int64_t *size = workload->size;
    *(struct matmul_grad_a_problem *)problem = (struct matmul_grad_a_problem){
        .m = size[M], .n = size[N], .k = size[K], .dc = memory[A], .b = memory[B], .da = memory[C]};
}

OP_DEFINE(matmul_grad_a, OP_FAR, PRODUCT_FUNCTIONS);

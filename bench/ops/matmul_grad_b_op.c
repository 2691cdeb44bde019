/* The operation matmul_grad_b: dB[k,n] = A[m,k]^T dC[m,n] in FP32, the gradient of C = A B by B. Where A is a batch of
 * inputs and B a layer's weights, training moves the weights along it. */
#include "bench/table/matmul_grad_b.h"
#include "bench/table/op.h"

/* The sizes of a struct workload, in the order of --grad-b-shape=MxKxN. */
enum { M, K, N };
enum { ROWS = K, COLUMNS = N, TERMS = M };
enum { A_TRANSPOSED = true, B_TRANSPOSED = false, A_MAY_BE_IMAGES = true };
#define ANSWER "dB"
#define FLAG "grad-b-shape"
#define FLAG_HELP "add a matmul_grad_b workload, the gradient of MxK by KxN by the second (repeatable)"
#include "matmul_product_op.h"

static const struct workload workloads[] = {
    {"mnist-grad", {50000, 784, 10}, SUITE_NETWORK},
    {"mnist-batch64-grad", {64, 784, 128}, SUITE_NETWORK | SUITE_SMOKE},
    {"mnist-hidden-grad", {50000, 784, 128}, SUITE_NETWORK},
};

static const struct workload ragged[] = {
#define RAGGED(rows, terms, columns) {SIZES_3(terms, rows, columns)},
#include "matmul_ragged.def"
};

/* Little more than 2^32 elements: an index of 32 bits, or a grid made of one, begins again near 0. */
static const struct workload far[] = {
    {SIZES_3(66, 67108869, 4)}, /* within the rows of a tile, aligned or not */
    {SIZES_3(66, 4, 67108868)},
    {SIZES_3(2, 134217732, 32)},
    {SIZES_3(1, 4194304, 4194304)}, /* as in matmul_op.c */
};

static void bind(const struct workload *workload, void *const memory[], void *problem)
{
    const int64_t *size = workload->size;
    *(struct matmul_grad_b_problem *)problem = (struct matmul_grad_b_problem){
        .m = size[M], .n = size[N], .k = size[K], .a = memory[A], .dc = memory[B], .db = memory[C]};
}

OP_DEFINE(matmul_grad_b, OP_FAR, PRODUCT_FUNCTIONS);

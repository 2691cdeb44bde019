/* The operation matmul_grad_a: dA[m,k] = dC[m,n] B[k,n]^T in FP32, the gradient of C = A B by A. Back-propagation takes
 * it through a layer, to what the layer before it gave out. */
#include "bench/table/matmul_grad_a.h"
#include "bench/table/op.h"

#include <assert.h>

static_assert(sizeof(struct matmul_grad_a_problem) <= OP_PROBLEM_BYTES_MAX, "a problem must fit into struct buffers");

/* The sizes of a struct workload, in the order of --grad-a-shape=MxKxN. */
enum { M, K, N };
enum { ROWS = M, COLUMNS = K, TERMS = N };
enum { A_TRANSPOSED = false, B_TRANSPOSED = true, A_MAY_BE_IMAGES = false };
#define ANSWER "dA"
#define FLAG "grad-a-shape"
#include "matmul_product_op.h"

static const struct workload workloads[] = {
    {"mnist-grad", {50000, 784, 10}, SUITE_NETWORK},
    {"mnist-batch64-grad", {64, 784, 128}, SUITE_NETWORK | SUITE_SMOKE},
    {"mnist-hidden-grad", {50000, 784, 128}, SUITE_NETWORK},
};

static const struct workload ragged[] = {
#define RAGGED(rows, terms, columns) {#rows "x" #columns "x" #terms, {rows, columns, terms}, 0},
#include "matmul_ragged.def"
};

/* Little more than 2^32 elements: an index of 32 bits, or a grid made of one, begins again near 0. */
static const struct workload far[] = {
    {"5500000x784x4", {5500000, 784, 4}, 0},         {"5500000x4x784", {5500000, 4, 784}, 0},
    {"1x1048580x4100", {1, 1048580, 4100}, 0},       {"134217732x32x1", {134217732, 32, 1}, 0},
    {"4194304x4194304x1", {4194304, 4194304, 1}, 0}, /* as in matmul_op.c */
};

static const struct op_flag flags[] = {
    {FLAG, "MxKxN", "add a matmul_grad_a workload, the gradient of MxK by KxN by the first (repeatable)", set_sizes,
     FILE_NONE},
};

static void bind(const struct workload *workload, void *const memory[], void *problem)
{
    const int64_t *size = workload->size;
    *(struct matmul_grad_a_problem *)problem = (struct matmul_grad_a_problem){
        .m = size[M], .n = size[N], .k = size[K], .dc = memory[A], .b = memory[B], .da = memory[C]};
}

const struct op matmul_grad_a_op;
const struct op matmul_grad_a_op = {OP_TABLES(matmul_grad_a), OP_FAR, PRODUCT_FUNCTIONS};

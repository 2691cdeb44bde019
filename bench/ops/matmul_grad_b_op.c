/* The operation matmul_grad_b: dB[k,n] = A[m,k]^T dC[m,n] in FP32, the gradient of C = A B by B. Where A is a batch of
 * inputs and B a layer's weights, training moves the weights along it. */
#include "bench/table/matmul_grad_b.h"
#include "bench/table/op.h"

#include <assert.h>

static_assert(sizeof(struct matmul_grad_b_problem) <= OP_PROBLEM_BYTES_MAX, "a problem must fit into struct buffers");

/* The sizes of a struct workload, in the order of --grad-b-shape=MxKxN. */
enum { M, K, N };
enum { ROWS = K, COLUMNS = N, TERMS = M };
enum { A_TRANSPOSED = true, B_TRANSPOSED = false, A_MAY_BE_IMAGES = true };
#define ANSWER "dB"
#define FLAG "grad-b-shape"
#include "matmul_product_op.h"

static const struct workload workloads[] = {
    {"mnist-grad", {50000, 784, 10}, SUITE_NETWORK},
    {"mnist-batch64-grad", {64, 784, 128}, SUITE_NETWORK | SUITE_SMOKE},
    {"mnist-hidden-grad", {50000, 784, 128}, SUITE_NETWORK},
};

static const struct workload ragged[] = {
#define RAGGED(rows, terms, columns) {#terms "x" #rows "x" #columns, {terms, rows, columns}, 0},
#include "matmul_ragged.def"
};

/* Little more than 2^32 elements: an index of 32 bits, or a grid made of one, begins again near 0. */
static const struct workload far[] = {
    {"66x67108869x4", {66, 67108869, 4}, 0}, /* within the rows of a tile, aligned or not */
    {"66x4x67108868", {66, 4, 67108868}, 0},
    {"2x134217732x32", {2, 134217732, 32}, 0},
    {"1x4194304x4194304", {1, 4194304, 4194304}, 0}, /* as in matmul_op.c */
};

static const struct op_flag flags[] = {
    {FLAG, "MxKxN", "add a matmul_grad_b workload, the gradient of MxK by KxN by the second (repeatable)", set_sizes,
     FILE_NONE},
};

static void bind(const struct workload *workload, void *const memory[], void *problem)
{
    const int64_t *size = workload->size;
    *(struct matmul_grad_b_problem *)problem = (struct matmul_grad_b_problem){
        .m = size[M], .n = size[N], .k = size[K], .a = memory[A], .dc = memory[B], .db = memory[C]};
}

const struct op matmul_grad_b_op;
const struct op matmul_grad_b_op = {OP_TABLES(matmul_grad_b), OP_FAR, PRODUCT_FUNCTIONS};

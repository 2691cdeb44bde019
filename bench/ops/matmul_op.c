/* The operation matmul: C[m,n] = A[m,k] B[k,n] in FP32. */
#include "bench/table/matmul.h"
#include "bench/table/op.h"

#include <assert.h>

static_assert(sizeof(struct matmul_problem) <= OP_PROBLEM_BYTES_MAX, "a problem must fit into struct buffers");

/* The sizes of a struct workload, in the order of --shape=MxKxN. */
enum { M, K, N };
enum { ROWS = M, COLUMNS = N, TERMS = K };
enum { A_TRANSPOSED = false, B_TRANSPOSED = false, A_MAY_BE_IMAGES = true };
#define ANSWER "C"
#define FLAG "shape"
#include "matmul_product_op.h"

static const struct workload workloads[] = {
    {"mnist", {50000, 784, 10}, SUITE_MNIST | SUITE_LECTURE | SUITE_GATE_LONG | SUITE_GATE_FEW},
    {"mnist-valid5", {5, 784, 10}, SUITE_MNIST | SUITE_LECTURE | SUITE_SMOKE | SUITE_GATE_SHORT | SUITE_GATE_FEW},
    {"mnist-batch64", {64, 784, 128}, SUITE_MNIST | SUITE_GATE_SHORT | SUITE_GATE_FEW | SUITE_GATE_CPU},
    {"mnist-hidden", {50000, 784, 128}, SUITE_MNIST},
    {"lecture5", {5120, 256, 5120}, SUITE_LECTURE},
    {"square-128", {128, 128, 128}, SUITE_SWEEP},
    {"square-256", {256, 256, 256}, SUITE_SWEEP},
    {"square-512", {512, 512, 512}, SUITE_SWEEP},
    {"square-1024", {1024, 1024, 1024}, SUITE_SWEEP},
    {"square-2048", {2048, 2048, 2048}, SUITE_SWEEP},
    {"square-4096", {4096, 4096, 4096}, SUITE_SWEEP},
    {"square-8192", {8192, 8192, 8192}, SUITE_SWEEP},
};

static const struct workload ragged[] = {
#define RAGGED(rows, terms, columns) {#rows "x" #terms "x" #columns, {rows, terms, columns}, 0},
#include "matmul_ragged.def"
};

/* Little more than 2^32 elements: an index of 32 bits, or a grid made of one, begins again near 0. Two sizes have
 * little more than 2^31, of A and of C, for kernels that leave narrow products to others (wgmma_tile.h). */
static const struct workload far[] = {
    {"5500000x784x4", {5500000, 784, 4}, 0},
    {"1x4100x1048560", {1, 4100, 1048560}, 0},
    {"134217732x1x32", {134217732, 1, 32}, 0},
    {"33554436x64x64", {33554436, 64, 64}, 0},
    {"16777220x128x132", {16777220, 128, 132}, 0},
    {"1x260x800000000", {1, 260, 800000000}, 0},     /* 3 rows of B together have 2^31 elements */
    {"4194304x1x4194304", {4194304, 1, 4194304}, 0}, /* has 2^31 blocks of 6,144 elements: grids end there */
};

static const struct op_flag flags[] = {
    {FLAG, "MxKxN", "add a matmul workload, MxK by KxN (repeatable)", set_sizes, FILE_NONE},
};

static void bind(const struct workload *workload, void *const memory[], void *problem)
{
    const int64_t *size = workload->size;
    *(struct matmul_problem *)problem = (struct matmul_problem){
        .m = size[M], .n = size[N], .k = size[K], .a = memory[A], .b = memory[B], .c = memory[C]};
}

const struct op matmul_op;
const struct op matmul_op = {OP_TABLES(matmul), OP_FAR, PRODUCT_FUNCTIONS};

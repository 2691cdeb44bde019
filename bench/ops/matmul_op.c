/* The operation matmul: C[m,n] = A[m,k] B[k,n] in FP32. */
#include "bench/table/matmul.h"
#include "bench/table/op.h"

/* The sizes of a struct workload, in the order of --shape=MxKxN. */
enum { M, K, N };
enum { ROWS = M, COLUMNS = N, TERMS = K };
enum { A_TRANSPOSED = false, B_TRANSPOSED = false, A_MAY_BE_IMAGES = true };
#define ANSWER "C"
#define FLAG "shape"
#define FLAG_HELP "add a matmul workload, MxK by KxN (repeatable)"
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
#define RAGGED(rows, terms, columns) {SIZES_3(rows, terms, columns)},
#include "matmul_ragged.def"
};

/* Little more than 2^32 elements: an index of 32 bits, or a grid made of one, begins again near 0. Two sizes have
 * little more than 2^31, of A and of C, for kernels that leave narrow products to others (wgmma_tile.h); of another 3
 * rows of B together have. The last has 2^31 blocks of 6,144 elements: grids end there. */
static const struct workload far[] = {
    {SIZES_3(5500000, 784, 4)},     {SIZES_3(1, 4100, 1048560)},   {SIZES_3(134217732, 1, 32)},
    {SIZES_3(33554436, 64, 64)},    {SIZES_3(16777220, 128, 132)}, {SIZES_3(1, 260, 800000000)},
    {SIZES_3(4194304, 1, 4194304)},
};

static void bind(const struct workload *workload, void *const memory[], void *problem)
{
    const int64_t *size = workload->size;
    *(struct matmul_problem *)problem = (struct matmul_problem){
        .m = size[M], .n = size[N], .k = size[K], .a = memory[A], .b = memory[B], .c = memory[C]};
}

OP_DEFINE(matmul, OP_FAR, PRODUCT_FUNCTIONS);

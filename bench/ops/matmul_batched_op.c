/* The operation matmul_batched (bench/table/matmul_batched.h). */
#include "bench/table/matmul_batched.h"
#include "array_op.h"

enum { A, B, C, BUFFERS };
enum { BATCH, M, K, N };

static size_t shapes(const struct workload *workload, struct array_shape of[OP_BUFFERS_MAX])
{
    const int64_t *size = workload->size;
    of[A] = (struct array_shape){"A", 3, {size[BATCH], size[M], size[K]}};
    of[B] = (struct array_shape){"B", 3, {size[BATCH], size[K], size[N]}};
    of[C] = (struct array_shape){"C", 3, {size[BATCH], size[M], size[N]}};
    return BUFFERS;
}

static int64_t terms(const struct workload *workload)
{
    return workload->size[K];
}

static int64_t start(const struct workload *workload, size_t input, int64_t element)
{
    const int64_t n = workload->size[N], k = workload->size[K], row = element / n;
    return input == A ? row * k : row / workload->size[M] * k * n + element % n;
}

static int64_t step(const struct workload *workload, size_t input, int64_t p)
{
    return input == A ? p : p * workload->size[N];
}

static const struct array_rule rule = {
    .flag = {"batched-shape", "BATCHxMxKxN",
             "add a matmul_batched workload of BATCH products MxK times KxN (repeatable)", set_sizes, FILE_NONE},
    .shapes = shapes,
    .terms = terms,
    .start = start,
    .step = step,
};

static const struct workload workloads[] = {
    {"16-of-28x28", {16, 28, 28, 28}, SUITE_NETWORK},
    {"256-of-28x28", {256, 28, 28, 28}, SUITE_NETWORK},
    {"4096-of-28x28", {4096, 28, 28, 28}, SUITE_NETWORK},
    {"256-of-64x64", {256, 64, 64, 64}, SUITE_NETWORK},
    {"small", {3, 5, 7, 6}, SUITE_SMOKE},
};

/* One element, one product, fewer and more products than a block takes; sizes that a thread's tile does not divide,
 * more tiles than a block has threads, and factors that are more than shared memory holds. */
static const struct workload ragged[] = {
    {SIZES_4(1, 1, 1, 1)},    {SIZES_4(3, 4, 5, 7)},    {SIZES_4(5, 7, 1, 9)},   {SIZES_4(2, 1, 17, 1)},
    {SIZES_4(11, 6, 2, 5)},   {SIZES_4(2, 28, 28, 28)}, {SIZES_4(2, 66, 3, 67)}, {SIZES_4(270, 1, 2, 1)},
    {SIZES_4(4, 2, 1537, 3)}, {SIZES_4(1, 2, 3079, 2)},
};

/* More than 2^32 elements of each array, and of one product: an index of 32 bits begins again near 0. Then many blocks
 * are left of a grid that is made of one, too. */
static const struct workload far[] = {
    {SIZES_4(3, 2281701389, 2, 2)},
    {SIZES_4(3, 2, 2, 2281701389)},
    {SIZES_4(699053, 1, 6144, 1)},
    {SIZES_4(262147, 128, 12, 128)},
};

enum { FEW = 3, END_PRODUCTS = 2, END_ROWS = 3, END_COLUMNS = 38 };

/* The last of many products; of few products the last rows of the last one, or the last columns of its last row. */
static void far_end(const struct workload *workload, struct workload *end, struct window windows[OP_BUFFERS_MAX])
{
    const int64_t m = workload->size[M], n = workload->size[N], k = workload->size[K];
    const bool is_many = workload->size[BATCH] > FEW, is_tall = m > n;
    struct array_shape whole[OP_BUFFERS_MAX], last[OP_BUFFERS_MAX];
    *end = (struct workload){"its end", {1, is_tall ? END_ROWS : 1, k, is_tall ? n : END_COLUMNS}, 0};
    if (is_many)
        *end = (struct workload){"its end", {END_PRODUCTS, m, k, n}, 0};
    (void)shapes(workload, whole);
    (void)shapes(end, last);
    for (size_t i = 0; i < BUFFERS; i++)
        windows[i] = array_end(array_elements(&whole[i]), array_elements(&last[i]));
    if (!is_many && !is_tall) {
        const int64_t first = array_elements(&whole[B]) - (k - 1) * n - END_COLUMNS;
        windows[B] = (struct window){(size_t)first * sizeof(float), (size_t)k, END_COLUMNS * sizeof(float),
                                     (size_t)n * sizeof(float)};
    }
}

static void bind(const struct workload *workload, void *const memory[], void *problem)
{
    const int64_t *size = workload->size;
    *(struct matmul_batched_problem *)problem = (struct matmul_batched_problem){
        .batch = size[BATCH], .m = size[M], .n = size[N], .k = size[K], .a = memory[A], .b = memory[B], .c = memory[C]};
}

OP_DEFINE(matmul_batched, OP_FAR, ARRAY_FUNCTIONS);

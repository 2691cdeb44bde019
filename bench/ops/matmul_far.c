#include "matmul_far.h"

enum { M, K, N };
enum { A, B, C };
enum { END_COLUMNS = 4 };

/* Little more than 2^32 elements: an index of 32 bits, or a grid made of one, begins again near 0. */
const struct workload matmul_far[MATMUL_FAR] = {
    {"5500000x784x4", {5500000, 784, 4}, 0},
    {"1x4100x1048560", {1, 4100, 1048560}, 0},
    {"134217732x1x32", {134217732, 1, 32}, 0},
    {"1x260x800000000", {1, 260, 800000000}, 0},     /* 3 rows of B together have 2^31 elements */
    {"4194304x1x4194304", {4194304, 1, 4194304}, 0}, /* has 2^31 blocks of 6,144 elements: grids end there */
};

/* The last columns of the last row of C take the last row of A and the last columns of B. */
void matmul_far_end(const struct workload *workload, struct workload *end, struct window windows[OP_BUFFERS_MAX])
{
    size_t m = (size_t)workload->size[M], k = (size_t)workload->size[K], n = (size_t)workload->size[N];
    size_t columns = n < END_COLUMNS ? n : END_COLUMNS, bytes = columns * sizeof(float);
    *end = (struct workload){.name = "its end", .size = {1, workload->size[K], (int64_t)columns}};
    windows[A] = (struct window){(m - 1) * k * sizeof(float), 1, k * sizeof(float), 0};
    windows[B] = (struct window){(n - columns) * sizeof(float), k, bytes, n * sizeof(float)};
    windows[C] = (struct window){(m * n - columns) * sizeof(float), 1, bytes, 0};
}

/* map cuda_vector: a thread loads and stores four elements at a time.
 *
 * Technique: one instruction loads 16 bytes, four neighbouring elements. A 16-byte access must start at a multiple of
 * 16 and arrays start at a multiple of 4, so up to three elements come before the first vector of y, and up to three
 * behind its last. The first threads of the grid take them one by one. Where x lies differently from y, its elements
 * are loaded one by one and the stores alone are vectors.
 *
 * What it fixes in cuda_grid_stride: a quarter of the loads, stores and threads, and four times as many bytes in flight
 * per thread.
 *
 * What bounds it: memory. 8 bytes per element are the least that the problem needs: 2.1 GB in the row below, 470 us at
 * 4.6 TB/s. Small arrays are bound by the launch.
 *
 * Measured, results/h200-x1/network.csv:
 *   map/large/cuda_vector/cold 498.9 us
 *   map/large/cuda_vector/cold ceiling_pct 93.4 % */
#include "bench/table/map.h"
#include "kernels/four.h"
#include "kernels/launch.h"
#include "relu.h"

constexpr int THREADS = 256, VECTOR = 4;
static_assert(THREADS >= 2 * (VECTOR - 1), "the first block has a thread for each element without a vector");

/* y and x have n elements: `head` of the `lone` ones, then `vectors`, then the rest of the lone ones. WIDE: the vectors
 * of x are aligned, too. */
template <bool WIDE>
static __global__ void map_vector_kernel(int64_t n, int head, int lone, int64_t vectors, const float *x, float *y)
{
    int64_t thread = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (thread < vectors) {
        int64_t i = head + thread * VECTOR;
        float4 four = load_four<WIDE>(x + i, VECTOR);
        store_four<true>(y + i, make_float4(relu(four.x), relu(four.y), relu(four.z), relu(four.w)), VECTOR);
    }
    if (thread < lone) {
        int64_t i = thread < head ? thread : n - lone + thread;
        y[i] = relu(x[i]);
    }
}

/* How many elements from this address on come before a multiple of 16 bytes. */
static int elements_before_vector(const float *address)
{
    return (int)(-(uintptr_t)address % sizeof(float4) / sizeof(float));
}

const char *map_cuda_vector(const void *problem, void *stream)
{
    const struct map_problem *p = (const struct map_problem *)problem;
    int head = elements_before_vector(p->y); /* of a short array these are more than it has */
    int64_t vectors = (p->n - head) / VECTOR, blocks = vectors / THREADS + 1;
    int lone = head + (int)((p->n - head) % VECTOR);
    auto kernel = is_aligned(p->x + head, sizeof(float4)) ? map_vector_kernel<true> : map_vector_kernel<false>;
    return TRY_LAUNCH(__func__, kernel, blocks, THREADS, 0, stream, p->n, head, lone, vectors, p->x, p->y);
}

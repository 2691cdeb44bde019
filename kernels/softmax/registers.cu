/* softmax cuda_registers: rows are read once, and stay in registers.
 *
 * Technique: the threads of a row hold all of it: a few lanes where it is narrow, a warp up to 1024 elements, a block
 * up to 8192. Largest element, exponentials, sum and quotients are computed there. How many elements a thread holds is
 * known to the compiler, or an array would lie in memory. Narrow rows would ask for little at a time, so lanes load
 * several rows before they compute. Longer rows are cuda_online's.
 *
 * What it fixes in cuda_online: x is read once, the exponentials are computed once, and in narrow rows, such as ten
 * classes, most lanes have an element.
 *
 * What bounds it: memory; 8 bytes per element are the least that the problem needs. */
#include "bench/table/rung.h"
#include "bench/table/softmax.h"
#include "kernels/launch.h"
#include "kernels/sums.h"
#include "maximum.h"

#include <float.h>

constexpr int WARPS = 4, BLOCK_THREADS = 512;
constexpr int LOADS = 8; /* in flight per lane, at least */
static_assert(WARPS * 32 <= 1024 && BLOCK_THREADS <= 1024, "a block has at most 1024 threads");
static_assert(SOFTMAX_SIZE_MAX + WARPS * 32 * LOADS <= INT32_MAX, "32 bits hold the number of a row");
static_assert(BLOCK_THREADS % 32 == 0, "a block is whole warps");
static_assert(SOFTMAX_SIZE_MAX <= GRID_X_MAX, "a grid has a block for each row");

/* x and y are m x n, n <= LANES * EACH. LANES lanes hold ROWS rows; a lane has every LANES-th element. */
template <int LANES, int EACH, int ROWS>
static __global__ void __launch_bounds__(WARPS * 32)
    softmax_registers_warp_kernel(int m, int64_t n, const float *x, float *y)
{
    int lane = (int)threadIdx.x % LANES;
    int first = ((int)blockIdx.x * (WARPS * 32 / LANES) + (int)threadIdx.x / LANES) * ROWS;
    float held[ROWS][EACH];
#pragma unroll
    for (int row = 0; row < ROWS; row++)
#pragma unroll
        for (int i = 0; i < EACH; i++)
            held[row][i] = first + row < m && lane + i * LANES < n ? x[(first + row) * n + lane + i * LANES] : -FLT_MAX;
#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        float largest = held[row][0], sum = 0;
#pragma unroll
        for (int i = 1; i < EACH; i++)
            largest = fmaxf(largest, held[row][i]);
        largest = warp_maximum<LANES>(largest);
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            held[row][i] = lane + i * LANES < n ? expf(held[row][i] - largest) : 0;
            sum += held[row][i];
        }
        sum = warp_sum<LANES>(sum);
#pragma unroll
        for (int i = 0; i < EACH; i++)
            if (first + row < m && lane + i * LANES < n)
                y[(first + row) * n + lane + i * LANES] = held[row][i] / sum;
    }
}

/* x and y have rows of n elements, n <= BLOCK_THREADS * EACH. */
template <int EACH>
static __global__ void __launch_bounds__(BLOCK_THREADS) softmax_registers_block_kernel(int n, const float *x, float *y)
{
    const float *from = x + (int64_t)blockIdx.x * n;
    float *to = y + (int64_t)blockIdx.x * n;
    int first = (int)threadIdx.x;
    float held[EACH], largest = -FLT_MAX, sum = 0;
#pragma unroll
    for (int i = 0; i < EACH; i++)
        held[i] = first + i * BLOCK_THREADS < n ? from[first + i * BLOCK_THREADS] : -FLT_MAX;
#pragma unroll
    for (int i = 0; i < EACH; i++)
        largest = fmaxf(largest, held[i]);
    largest = block_maximum(largest);
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        held[i] = first + i * BLOCK_THREADS < n ? expf(held[i] - largest) : 0;
        sum += held[i];
    }
    sum = block_sum(sum);
#pragma unroll
    for (int i = 0; i < EACH; i++)
        if (first + i * BLOCK_THREADS < n)
            to[first + i * BLOCK_THREADS] = held[i] / sum;
}

template <int LANES, int EACH>
static void launch_warps(const struct softmax_problem *p, cudaStream_t stream)
{
    constexpr int ROWS = EACH < LOADS ? LOADS / EACH : 1;
    LAUNCH((softmax_registers_warp_kernel<LANES, EACH, ROWS>), (unsigned)ceil_div(p->m, WARPS * 32 / LANES * ROWS),
           WARPS * 32, 0, stream, (int)p->m, p->n, p->x, p->y);
}

template <int EACH>
static void launch_block(const struct softmax_problem *p, cudaStream_t stream)
{
    LAUNCH((softmax_registers_block_kernel<EACH>), (unsigned)p->m, BLOCK_THREADS, 0, stream, (int)p->n, p->x, p->y);
}

const char *softmax_cuda_registers(const void *problem, void *stream)
{
    static const struct {
        int64_t n_max;
        void (*launch)(const struct softmax_problem *p, cudaStream_t stream);
    } launches[] = {
        {4, launch_warps<4, 1>},
        {8, launch_warps<8, 1>},
        {16, launch_warps<16, 1>},
        {32, launch_warps<32, 1>},
        {64, launch_warps<32, 2>},
        {128, launch_warps<32, 4>},
        {256, launch_warps<32, 8>},
        {512, launch_warps<32, 16>},
        {1024, launch_warps<32, 32>},
        {BLOCK_THREADS * 4, launch_block<4>},
        {BLOCK_THREADS * 8, launch_block<8>},
        {BLOCK_THREADS * 16, launch_block<16>},
    };
    const struct softmax_problem *p = (const struct softmax_problem *)problem;
    for (const auto &fitting : launches) {
        if (p->n <= fitting.n_max) {
            fitting.launch(p, (cudaStream_t)stream);
            return launch_error(__func__);
        }
    }
    return rung_hand_over(softmax_cuda_online, problem, stream);
}

/* softmax cuda_registers: rows are read once, and stay in registers.
 *
 * Technique: the threads of a row hold all of it: some lanes of a warp, a warp or a block. Largest element,
 * exponentials, sum and quotients are computed there. How many elements a thread holds is known to the compiler, or an
 * array would lie in memory. They are few: then many blocks are on a multiprocessor, and while one waits for its row or
 * at a barrier, others load theirs. Rows that are whole float4s move in these. An element costs no division: it is
 * multiplied by the reciprocal of the sum. Rows too long for a block are cuda_online's.
 *
 * What it fixes in cuda_online: x is read once, the exponentials are computed once, and in narrow rows, such as ten
 * classes, most lanes have an element.
 *
 * What bounds it: memory. 8 bytes per element are the least that the problem needs: 2.1 GB in the row below, 470 us at
 * 4.6 TB/s.
 *
 * Measured, results/h200-x1/network.csv:
 *   softmax/large/cuda_registers/cold 501.0 us
 *   softmax/large/cuda_registers/cold ceiling_pct 93.0 % */
#include "bench/table/softmax.h"
#include "kernels/four.h"
#include "kernels/launch.h"
#include "kernels/sums.h"

constexpr int BLOCK_THREADS = 128; /* at least */
static_assert(BLOCK_THREADS % 32 == 0, "a block is whole warps");
static_assert(RUNG_SIZE_MAX + BLOCK_THREADS <= INT32_MAX, "32 bits hold the number of a row");

/* x and y are m x n; THREADS threads hold a row, n <= THREADS * FOURS * 4. WIDE: rows are aligned to 16 bytes, and a
 * thread has every THREADS-th float4; else every THREADS-th element. */
template <int THREADS, int FOURS, bool WIDE>
static __global__ void __launch_bounds__(THREADS < BLOCK_THREADS ? BLOCK_THREADS : THREADS)
    softmax_registers_kernel(int m, int n, const float *x, float *y)
{
    const int thread = (int)threadIdx.x % THREADS;
    const int row = (int)blockIdx.x * ((int)blockDim.x / THREADS) + (int)threadIdx.x / THREADS;
    const int there = row < m ? n : 0;
    const float *from = x + (int64_t)row * n;
    float *to = y + (int64_t)row * n, held[FOURS][4], largest = -INFINITY, sum = 0;
#pragma unroll
    for (int i = 0; i < FOURS; i++) {
        const int four = 4 * (thread + i * THREADS);
        if (WIDE)
            unpack(four < there ? *(const float4 *)(from + four)
                                : make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY),
                   held[i]);
        else
#pragma unroll
            for (int e = 0; e < 4; e++) {
                const int element = thread + (4 * i + e) * THREADS;
                held[i][e] = element < there ? from[element] : -INFINITY;
            }
    }
#pragma unroll
    for (int i = 0; i < FOURS; i++)
        largest = fmaxf(largest, fmaxf(fmaxf(held[i][0], held[i][1]), fmaxf(held[i][2], held[i][3])));
    largest = THREADS > 32 ? block_maximum(largest) : warp_maximum<THREADS>(largest);
#pragma unroll
    for (int i = 0; i < FOURS; i++)
#pragma unroll
        for (int e = 0; e < 4; e++)
            sum += held[i][e] = expf(held[i][e] - largest);
    const float scale = 1 / (THREADS > 32 ? block_sum(sum) : warp_sum<THREADS>(sum));
#pragma unroll
    for (int i = 0; i < FOURS; i++) {
        const int four = 4 * (thread + i * THREADS);
#pragma unroll
        for (int e = 0; e < 4; e++) {
            const int element = thread + (4 * i + e) * THREADS;
            held[i][e] *= scale;
            if (!WIDE && element < there)
                to[element] = held[i][e];
        }
        if (WIDE)
            store_four<true>(to + four, pack(held[i]), there - four);
    }
}

template <int THREADS, int FOURS>
static const char *launch(const struct softmax_problem *p, void *stream)
{
    constexpr int ROWS = THREADS < BLOCK_THREADS ? BLOCK_THREADS / THREADS : 1;
    const bool is_wide = p->n % 4 == 0 && is_aligned(p->x, 16) && is_aligned(p->y, 16);
    auto kernel =
        is_wide ? softmax_registers_kernel<THREADS, FOURS, true> : softmax_registers_kernel<THREADS, FOURS, false>;
    return TRY_LAUNCH("softmax_cuda_registers", kernel, ceil_div(p->m, ROWS), THREADS * ROWS, 0, stream, (int)p->m,
                      (int)p->n, p->x, p->y);
}

struct holder {
    int64_t n_max;
    const char *(*launch)(const struct softmax_problem *p, void *stream);
};

template <int THREADS, int FOURS>
constexpr holder held_by = {THREADS *FOURS * 4, launch<THREADS, FOURS>};

const char *softmax_cuda_registers(const void *problem, void *stream)
{
    static const holder holders[] = {
        held_by<1, 1>,   held_by<2, 1>,   held_by<4, 1>,    held_by<8, 1>,    held_by<16, 1>,
        held_by<32, 1>,  held_by<32, 2>,  held_by<32, 4>,   held_by<128, 2>,  held_by<128, 4>,
        held_by<256, 4>, held_by<512, 4>, held_by<1024, 4>, held_by<1024, 8>,
    };
    const struct softmax_problem *p = (const struct softmax_problem *)problem;
    for (const holder &fitting : holders)
        if (p->n <= fitting.n_max)
            return fitting.launch(p, stream);
    return rung_hand_over(softmax_cuda_online, problem, stream);
}

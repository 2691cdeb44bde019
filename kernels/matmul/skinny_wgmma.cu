/* matmul cuda_skinny_wgmma: tall A, narrow B: A goes from memory to registers to tensor cores, B stays in shared
 * memory.
 *
 * Technique: the arithmetic of cuda_fp16x3 (fp16_parts.h) by Hopper's wgmma, which can take its first factor from
 * registers. So A needs no shared memory and no pass to pack it: a lane reads 16 bytes at a time, splits them, and
 * starts the products, with the reads of the next step on their way. Each element of A is read once and split once.
 *
 * B is split once per block, which runs to the end, and its parts stay in shared memory as wgmma takes them (wgmma.h).
 * The order of k is free as long as A and B agree: the four neighbours that a lane reads are two pairs of the
 * instruction's factor, and B is packed to match.
 *
 *        k: 0 1 2 3 | 4 5 6 7 | ...  of 16, by lanes c = 0, 1, 2, 3
 *           | |  \ \                 factor: pair c at 2c, 2c + 1, and pair c at 2c + 8, 2c + 9
 *
 * A block has three groups of four warps. They share k, each takes every third step of 64, and add up their sums in
 * shared memory; where k has fewer than three steps, each has rows of its own.
 *
 * What it fixes in cuda_skinny_tensor: three instructions of mma for each 16 x 8 x 8 products, and a part of B for each
 * warp in its registers, which holds 16 columns and no k above 784.
 *
 * What bounds it: reading A. Wider B, and a k for which B does not fit into shared memory, run cuda_fitted, and the row
 * says so. What fp16_parts.h does not hold is done by FP32 multiply-adds, for the 16 rows of a warp and a step.
 *
 * Source of the arithmetic: H. Ootomo and R. Yokota, "Recovering single precision accuracy from Tensor Cores while
 * surpassing the FP32 theoretical peak performance", 2022. */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "fp16_parts.h"
#include "kernels/launch.h"
#include "kernels/wgmma.h"

constexpr int WARP = 32, GROUP = 4 * WARP, GROUPS = 3, THREADS = GROUPS * GROUP, WARPS = THREADS / WARP;
constexpr int BM = WGMMA_ROWS, BK = 64, FACTOR = 16, FACTORS = BK / FACTOR; /* of a step, along k */
constexpr int STEPS_MAX = 50;
constexpr uint32_t NOT_HELD = 0; /* no exponent is as low */
constexpr int ALIGNMENT = 1024;

/* Shared memory for BN columns: the parts of B by step, and two turns of sums. */
template <int BN>
struct space {
    static constexpr int PART = BN * WGMMA_ROW_BYTES, STEP = 2 * PART, SUMS_OF_TURN = GROUPS * BM * BN;
    static size_t bytes(int steps)
    {
        return (size_t)steps * STEP + 2 * SUMS_OF_TURN * sizeof(float) + ALIGNMENT;
    }
};

/* The index along k, in a step, of number `i` of the eight elements that are piece `eighth` of a row. */
static __device__ __forceinline__ int index_of(int eighth, int i)
{
    return eighth / 2 * FACTOR + i / 2 * 4 + eighth % 2 * 2 + i % 2;
}

/* Packs a step of B, by one warp. Returns the exponent that it is scaled by, or NOT_HELD. b is k x n; zeros outside. */
template <int BN>
static __device__ uint32_t pack_step(unsigned char *to, int step, int n, int k, const float *b)
{
    int lane = (int)threadIdx.x % WARP;
    range found = NO_FACTORS;
    for (int i = lane; i < BN * BK; i += WARP) {
        int p = step * BK + i / BN, column = i % BN;
        if (p < k && column < n)
            widen(found, b[p * n + column]);
    }
    found = {warp_max(found.most), warp_min(found.below_least)};
    float scale = fp16_scale(fp16_exponent(found));
    for (int i = lane; i < BN * 8; i += WARP) {
        int column = i % BN, eighth = i / BN;
        float x[8];
        uint32_t high[4], low[4];
#pragma unroll
        for (int e = 0; e < 8; e++) {
            int p = step * BK + index_of(eighth, e);
            x[e] = p < k && column < n ? b[p * n + column] * scale : 0.0f;
        }
#pragma unroll
        for (int e = 0; e < 4; e++)
            fp16_split(x[2 * e], x[2 * e + 1], high[e], low[e]);
        unsigned char *at = to + wgmma_place(column, eighth);
        *(uint4 *)at = make_uint4(high[0], high[1], high[2], high[3]);
        *(uint4 *)(at + space<BN>::PART) = make_uint4(low[0], low[1], low[2], low[3]);
    }
    return fp16_holds(found) ? fp16_exponent(found) : NOT_HELD;
}

/* What a lane has of A in a step: x[h][i] is from row r + 8 h of the warp's, at 16 i + 4 c; r = lane / 4, c = lane % 4.
 */
struct part_of_a {
    float4 x[2][FACTORS];
};

/* Number e of four. */
static __device__ __forceinline__ float element(const float4 &four, int e)
{
    return e == 0 ? four.x : e == 1 ? four.y : e == 2 ? four.z : four.w;
}

/* `row` and `p` are those of x[0][0]. Zeros outside A, which is m x k. WIDE: k is a multiple of 4, and a is aligned to
 * 16 bytes. */
template <bool WIDE>
static __device__ __forceinline__ void read_part(part_of_a &part, int64_t m, int k, int64_t row, int p, const float *a)
{
#pragma unroll
    for (int h = 0; h < 2; h++)
#pragma unroll
        for (int i = 0; i < FACTORS; i++) {
            int at = p + i * FACTOR;
            const float *from = a + (row + 8 * h) * k + at;
            bool there = row + 8 * h < m;
            if (WIDE)
                part.x[h][i] = there && at < k ? __ldcs((const float4 *)from) : make_float4(0, 0, 0, 0);
            else
                part.x[h][i] =
                    make_float4(there && at < k ? __ldcs(from) : 0, there && at + 1 < k ? __ldcs(from + 1) : 0,
                                there && at + 2 < k ? __ldcs(from + 2) : 0, there && at + 3 < k ? __ldcs(from + 3) : 0);
        }
}

/* A lane's factors in a step, and the exponent that the warp's are scaled by, or NOT_HELD. */
struct split_part {
    uint32_t high[FACTORS][4], low[FACTORS][4], exponent;
};

static __device__ __forceinline__ void split(const part_of_a &part, split_part &to)
{
    range found = NO_FACTORS;
#pragma unroll
    for (int h = 0; h < 2; h++)
#pragma unroll
        for (int i = 0; i < FACTORS; i++) {
            widen(found, part.x[h][i].x), widen(found, part.x[h][i].y);
            widen(found, part.x[h][i].z), widen(found, part.x[h][i].w);
        }
    found = {warp_max(found.most), warp_min(found.below_least)};
    float scale = fp16_scale(fp16_exponent(found));
#pragma unroll
    for (int h = 0; h < 2; h++)
#pragma unroll
        for (int i = 0; i < FACTORS; i++) {
            const float4 &x = part.x[h][i];
            fp16_split(x.x * scale, x.y * scale, to.high[i][h], to.low[i][h]);
            fp16_split(x.z * scale, x.w * scale, to.high[i][2 + h], to.low[i][2 + h]);
        }
    to.exponent = fp16_holds(found) ? fp16_exponent(found) : NOT_HELD;
}

/* sums += the products of a step. `b` is the descriptor of its high parts. */
template <int BN>
static __device__ __forceinline__ void start_products(split_part &a, uint64_t b, float (&large)[BN / 2],
                                                      float (&small)[BN / 2])
{
    constexpr uint64_t LOW = space<BN>::PART / 16;
    wgmma_fence();
#pragma unroll
    for (int i = 0; i < FACTORS; i++) {
        wgmma_multiply(small, a.low[i], b + 2 * i, i > 0);
        wgmma_multiply(small, a.high[i], b + LOW + 2 * i, true);
        wgmma_multiply(large, a.high[i], b + 2 * i, i > 0);
    }
    wgmma_commit();
}

/* The same by FP32 multiply-adds, from what the warp has read of A, and from B. The lane's first sum is in `column`,
 * and the step begins at row `p` of B. */
template <int BN>
static __device__ __forceinline__ void multiply_in_fp32(const part_of_a &part, int n, int k, int column, int p,
                                                        const float *b, float (&sums)[BN / 2])
{
    int row_of_lanes = (int)threadIdx.x % WARP / 4 * 4;
#pragma unroll
    for (int i = 0; i < FACTORS; i++)
#pragma unroll 1
        for (int c = 0; c < 4; c++)
#pragma unroll
            for (int e = 0; e < 4; e++) {
                int at = p + i * FACTOR + 4 * c + e;
                float x[2];
#pragma unroll
                for (int h = 0; h < 2; h++)
                    x[h] = __shfl_sync(0xFFFFFFFF, element(part.x[h][i], e), row_of_lanes + c);
#pragma unroll
                for (int j = 0; j < BN / 4; j++) {
                    int to = column + j / 2 * 8 + j % 2;
                    float y = at < k && to < n ? b[at * n + to] : 0;
#pragma unroll
                    for (int h = 0; h < 2; h++) {
                        float &sum = sums[j / 2 * 4 + 2 * h + j % 2];
                        sum = at < k ? fmaf(x[h], y, sum) : sum;
                    }
                }
            }
}

/* a is m x k, b is k x n, c is m x n, all row-major. n <= BN, steps = k / BK, rounded up, at most STEPS_MAX. So many
 * `parts` has k, 1 or GROUPS. WIDE: as in read_part(). */
template <int BN, bool WIDE>
static __global__ void __launch_bounds__(THREADS, 1)
    matmul_skinny_wgmma_kernel(int64_t m, int n, int k, int steps, int parts, const float *a, const float *b, float *c)
{
    __shared__ uint32_t exponents[STEPS_MAX];
    DYNAMIC_SHARED(unsigned char, shared);
    uint32_t address = (uint32_t)__cvta_generic_to_shared(shared);
    unsigned char *packed = shared + (ALIGNMENT - address % ALIGNMENT) % ALIGNMENT;
    float *shares = (float *)(packed + steps * space<BN>::STEP);
    int thread = (int)threadIdx.x, warp = thread / WARP, lane = thread % WARP, group = thread / GROUP;
    for (int step = warp; step < steps; step += WARPS) {
        uint32_t exponent = pack_step<BN>(packed + step * space<BN>::STEP, step, n, k, b);
        if (lane == 0)
            exponents[step] = exponent;
    }

    int part = parts == 1 ? 0 : group, team = parts == 1 ? group : 0, teams = GROUPS / parts;
    int in_tile = warp % 4 * 16 + lane / 4, column = lane % 4 * 2, lane_k = lane % 4 * 4;
    int64_t tiles = (m + BM - 1) / BM, stride = (int64_t)gridDim.x * teams;
    part_of_a next;
    read_part<WIDE>(next, m, k, ((int64_t)blockIdx.x * teams + team) * BM + in_tile, part * BK + lane_k, a);
    wgmma_see_shared();
    __syncthreads();
    uint64_t of_b = wgmma_descriptor(packed);
    int turn = 0;
    for (int64_t first = (int64_t)blockIdx.x * teams; first < tiles; first += stride) {
        int64_t row = (first + team) * BM + in_tile;
        float sums[BN / 2] = {};
        for (int step = part; step < steps; step += parts) {
            split_part factors;
            float large[BN / 2], small[BN / 2];
            split(next, factors);
            start_products<BN>(factors, of_b + (uint64_t)step * (space<BN>::STEP / 16), large, small);
            bool held = factors.exponent != NOT_HELD && exponents[step] != NOT_HELD, last = step + parts >= steps;
            if (!held)
                multiply_in_fp32<BN>(next, n, k, column, step * BK, b, sums);
            read_part<WIDE>(next, m, k, last ? row + stride * BM : row, (last ? part : step + parts) * BK + lane_k, a);
            wgmma_wait();
            wgmma_take(large);
            wgmma_take(small);
#pragma unroll
            for (int i = 0; i < FACTORS; i++) {
                wgmma_take(factors.high[i]);
                wgmma_take(factors.low[i]);
            }
            if (!held)
                continue;
            float back = fp16_back(factors.exponent, exponents[step]);
#pragma unroll
            for (int i = 0; i < BN / 2; i++)
                sums[i] = fmaf(fmaf(small[i], LOW_DOWN, large[i]), back, sums[i]);
        }
        float *share = shares + (turn * GROUPS + group) * BM * BN;
#pragma unroll
        for (int i = 0; i < BN / 2; i++) {
            int at_row = in_tile + i / 2 % 2 * 8, at_column = column + i / 4 * 8 + i % 2;
            if (at_column < n)
                share[at_row * n + at_column] = sums[i];
        }
        __syncthreads(); /* all shares are stored */
        const float *turns = shares + turn * GROUPS * BM * BN;
        for (int i = thread; i < teams * BM * n; i += THREADS) {
            int of = i / (BM * n), at = i % (BM * n);
            float sum = turns[of * BM * BN + at];
            for (int other = 1; other < parts; other++)
                sum += turns[other * BM * BN + at];
            int64_t to = (first + of) * BM * n + at;
            if (to < m * n)
                __stcs(c + to, sum);
        }
        turn ^= 1; /* two buffers: the next turn need not wait until this one is read */
    }
}

template <int BN>
static const char *launch(const struct matmul_problem *p, int steps, unsigned blocks, cudaStream_t stream)
{
    static const char rung[] = "matmul_cuda_skinny_wgmma";
    auto kernel = p->k % 4 == 0 && is_aligned(p->a, 16) ? matmul_skinny_wgmma_kernel<BN, true>
                                                        : matmul_skinny_wgmma_kernel<BN, false>;
    size_t bytes = space<BN>::bytes(steps);
    if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes))
        return launch_error(rung);
    LAUNCH(kernel, blocks, THREADS, bytes, stream, p->m, (int)p->n, (int)p->k, steps, steps < GROUPS ? 1 : GROUPS, p->a,
           p->b, p->c);
    return launch_error(rung);
}

const char *matmul_cuda_skinny_wgmma(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    int device, multiprocessors, shared_bytes;
    if (cudaGetDevice(&device) || cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device) ||
        cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device))
        return launch_error(__func__);
    bool narrow = p->n <= 16;
    int steps = (int)ceil_div(min(p->k, (int64_t)(STEPS_MAX + 1) * BK), BK);
    size_t bytes = (narrow ? space<16>::bytes(steps) : space<32>::bytes(steps)) + STEPS_MAX * sizeof(uint32_t);
    if (p->n > 32 || steps > STEPS_MAX || bytes > (size_t)shared_bytes)
        return rung_hand_over(matmul_cuda_fitted, problem, stream);
    unsigned blocks = (unsigned)min(ceil_div(p->m, BM), (int64_t)multiprocessors);
    return narrow ? launch<16>(p, steps, blocks, (cudaStream_t)stream)
                  : launch<32>(p, steps, blocks, (cudaStream_t)stream);
}

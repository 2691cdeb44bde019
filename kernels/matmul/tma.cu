/* matmul cuda_tma: one thread orders whole tiles, and the TMA unit copies them.
 *
 * Technique: a tensor map tells the TMA unit where a matrix lies and how large its tiles are. One instruction then
 * copies a tile of A, another one a tile of B. Zeros stand for what is outside the matrix, so no copy needs a guard.
 * Two barriers in shared memory (mbarriers) guard each of the three stages of the ring:
 *
 *      thread 0     order | 0 | 1 | 2 |            order | 3 |      order | 4 |
 *                                                   ^                ^
 *      filled       counts bytes    0   1   2       |    3           |    4      a warp waits until all bytes are there
 *      emptied      counts warps              0 ----+         1 -----+           thread 0 waits until all have read it
 *
 *      each warp    multiply        | 0 | 1 | 2 | 3 | ...                        as fast as stages are filled
 *
 * The unit cannot transpose A. So a lane reads along k, four elements of a row at a time, which serve four steps. The
 * tile of A is swizzled: 16 bytes number p of row r lie at place p ^ (r % 8), so lanes that read number p of
 * neighbouring rows meet different banks.
 *
 * A block of 4 warps has 128 x 128 elements of C, and a lane 8 x 16: its rows are 8 apart, its quads of columns 16.
 *
 * What it fixes in cuda_async and cuda_fitted: there, all threads spend instructions on copies and their addresses, and
 * all warps wait for each other at each stage. A lane has 8 x 8 elements there, and reads more for each.
 *
 * What bounds it: registers, as far as its machine code and variants of it tell. A multiply-add reads three; it waits
 * if two of them are of the same parity, and neither was kept from the instruction before. So multiply-adds go along a
 * row of the lane's elements, and back along the next one: each keeps a factor. The compiler would mix the steps of k,
 * and has to be kept from it. It also chooses the registers; elements of C are stored one by one, so that four of them
 * need not be neighbours.
 *
 * Its one tile is large: where C has few, or k is short, cuda_fitted is faster.
 *
 * Matrices with rows that are no multiple of 16 bytes, or begin elsewhere, or with sizes that 32 bits do not hold, run
 * cuda_fitted. The row then says `= cuda_fitted`. So it does where the driver has no tensor maps.
 *
 * What shows it: ncu --metrics smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio, the wait for other
 * warps: on square-2048 0.00, in cuda_fitted 0.22; smsp__inst_executed_op_shared_ld.sum: 12.62 million loads, in
 * cuda_fitted 17.57 million (results/h100/ncu-waits.csv)
 *
 * Source of the technique: PTX ISA, "cp.async.bulk.tensor", "mbarrier"; CUDA C++ Programming Guide, "Tensor Memory
 * Accelerator".
 *
 * Measured: matmul/square-4096/cuda_tma/cold 2.746 ms (results/h200/sweep.csv); cuda_fitted takes 2.769 ms. */
#include "bench/table/matmul.h"
#include "hopper.h"
#include "kernels/four.h"
#include "kernels/launch.h"
#include "tensor_map.h"

constexpr int BM = 128, BN = 128, BK = 32, STAGES = 3;
constexpr int WARP = 32, WARPS_M = 2, WARPS_N = 2, WARPS = WARPS_M * WARPS_N, THREADS = WARPS * WARP;
constexpr int BLOCKS = 2; /* that a multiprocessor holds at once */
constexpr int PAIR = 2;   /* lanes that read the same rows; see cuda_warp_tile */
constexpr int LANES_M = 8, LANES_N = WARP / LANES_M, WM = BM / WARPS_M, WN = BN / WARPS_N;
constexpr int TM = WM / LANES_M, TN = WN / LANES_N;
constexpr int PIECE = 4, PIECES = BK / PIECE; /* elements of a row of A that a lane reads at once */
constexpr int A_BYTES = BM * BK * 4, STAGE_BYTES = A_BYTES + BK * BN * 4, ALIGNMENT = 1024;
constexpr int SHARED_BYTES = STAGES * STAGE_BYTES + ALIGNMENT;
static_assert(BK == 32 && LANES_M == 8 && WM % 8 == 0, "a lane's rows are swizzled alike, as tensor_map.h says");
static_assert(A_BYTES % ALIGNMENT == 0 && STAGE_BYTES % ALIGNMENT == 0, "each tile of A begins where it must");
static_assert(SHARED_BYTES <= 99 * 1024, "any GPU that has the unit gives a block so much");
static_assert(BM <= 256 && BN <= 256, "a tensor map's tiles");

/* Where a lane's elements are: its rows are LANES_M apart, its quads of columns 4 * LANES_N. */
struct lane_place {
    int row, column; /* of the first one in the tile */
    int swizzle;
};

static __device__ __forceinline__ lane_place place_of_lane()
{
    int thread = (int)threadIdx.x, warp = thread / WARP, lane = thread % WARP;
    int x = lane / (PAIR * LANES_M) * PAIR + lane % PAIR, y = lane / PAIR % LANES_M;
    return {warp / WARPS_N * WM + y, warp % WARPS_N * WN + x * 4, y};
}

static __device__ __forceinline__ void read_a(const char *stage, const lane_place &at, int piece, int i,
                                              float (&a)[TM][PIECE])
{
    int row = at.row + i * LANES_M;
    unpack(*(const float4 *)(stage + row * BK * 4 + (piece ^ at.swizzle) * 16), a[i]);
}

static __device__ __forceinline__ void read_b(const char *stage, const lane_place &at, int p, float (&b)[TN])
{
    const float *row = (const float *)(stage + A_BYTES) + p * BN + at.column;
#pragma unroll
    for (int j = 0; j < TN; j += 4)
        unpack(*(const float4 *)(row + j * LANES_N), &b[j]);
}

/* There and back: after a turn, a multiply-add has its b from the one before. */
static __device__ __forceinline__ void multiply_row(const float (&a)[TM][PIECE], const float (&b)[TN], int i, int p,
                                                    float (&sums)[TM][TN])
{
#pragma unroll
    for (int j = 0; j < TN; j++) {
        int column = (i + p) % 2 == 0 ? j : TN - 1 - j;
        sums[i][column] = fmaf(a[i][p], b[column], sums[i][column]);
    }
}

/* Multiplies by step p of a piece, and reads what the next step needs: after the last one, all of the piece at `next`.
 */
static __device__ __forceinline__ void multiply_step(const char *stage, int piece, int p, const char *next,
                                                     int next_piece, const lane_place &at, float (&a)[TM][PIECE],
                                                     float (&b)[2][TN], float (&sums)[TM][TN])
{
    if (p < PIECE - 1)
        read_b(stage, at, piece * PIECE + p + 1, b[(p + 1) % 2]);
    else
        read_b(next, at, next_piece * PIECE, b[0]);
#pragma unroll
    for (int i = 0; i < TM; i++) {
        multiply_row(a, b[p % 2], i, p, sums);
        if (p == PIECE - 1)
            read_a(next, at, next_piece, i, a);
    }
}

/* Keeps apart what stands before and behind. The compiler moves no multiply-add across a branch, so here is one, which
 * is never taken; but it must not know that, nor find that two such branches ask the same. Without it, or with
 * a __syncwarp() in its place, the compiler mixes the steps, and fewer multiply-adds keep a factor (those with .reuse
 * in the code). */
static __device__ __forceinline__ void separate(bool never)
{
    if (never)
        __trap();
}

/* By one thread. */
static __device__ __forceinline__ void make_barriers(uint64_t *filled, uint64_t *emptied)
{
    for (int slot = 0; slot < STAGES; slot++) {
        barrier_make(&filled[slot], 1);
        barrier_make(&emptied[slot], WARPS);
    }
    barriers_made();
}

static __device__ __forceinline__ void store_sums(const float (&sums)[TM][TN], int row, int column, int m, int n,
                                                  float *c)
{
#pragma unroll
    for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j++) {
            const int to_row = row + i * LANES_M, to_column = column + j / 4 * 4 * LANES_N + j % 4;
            if (to_row < m && to_column < n)
                c[(int64_t)to_row * n + to_column] = sums[i][j];
        }
}

/* a is m x k, b is k x n, c is m x n, all row-major. c is tiles_n tiles wide. */
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    matmul_tma_kernel(const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map, int m,
                      int n, int k, unsigned tiles_n, float *c)
{
    __shared__ uint64_t filled[STAGES], emptied[STAGES];
    DYNAMIC_SHARED(char, memory);
    char *ring = memory + (ALIGNMENT - shared_address(memory) % ALIGNMENT) % ALIGNMENT;
    const int row = (int)(blockIdx.x / tiles_n) * BM, column = (int)(blockIdx.x % tiles_n) * BN;
    const int steps = (k - 1) / BK + 1;
    auto order = [&](int step, int slot) {
        char *stage = ring + slot * STAGE_BYTES;
        barrier_expect(&filled[slot], STAGE_BYTES);
        copy_tile(stage, &a_map, row, step * BK, &filled[slot]);
        copy_tile(stage + A_BYTES, &b_map, step * BK, column, &filled[slot]);
    };
    if (threadIdx.x == 0)
        make_barriers(filled, emptied);
    __syncthreads();
    if (threadIdx.x == 0)
        for (int step = 0; step < STAGES && step < steps; step++)
            order(step, step);

    const lane_place at = place_of_lane();
    float a[TM][PIECE], b[2][TN], sums[TM][TN] = {};
    barrier_wait(&filled[0], 0);
#pragma unroll
    for (int i = 0; i < TM; i++)
        read_a(ring, at, 0, i, a);
    read_b(ring, at, 0, b[0]);
    int slot = 0, last_slot = STAGES - 1;
    uint32_t phase = 0, last_phase = 1;
    for (int step = 0; step < steps; step++) {
        const char *stage = ring + slot * STAGE_BYTES;
        const int next_slot = slot + 1 == STAGES ? 0 : slot + 1;
        const uint32_t next_phase = next_slot == 0 ? phase ^ 1 : phase;
        if (threadIdx.x == 0 && step > 0 && step - 1 + STAGES < steps) {
            barrier_wait(&emptied[last_slot], last_phase);
            order(step - 1 + STAGES, last_slot);
        }
#pragma unroll 2
        for (int piece = 0; piece < PIECES; piece++) {
            const char *from = stage; /* of the piece after this one */
            int next_piece = piece + 1;
#pragma unroll
            for (int p = 0; p < PIECE; p++) {
                separate(piece % 2 == 0 ? tiles_n == UINT32_MAX - p : m == -1 - p); /* other questions at each place */
                if (p == PIECE - 1 && piece == PIECES - 1) {
                    from = ring + next_slot * STAGE_BYTES;
                    next_piece = 0;
                    if (step + 1 < steps) /* else what is read of it is not used */
                        barrier_wait(&filled[next_slot], next_phase);
                }
                multiply_step(stage, piece, p, from, next_piece, at, a, b, sums);
            }
        }
        __syncwarp();
        if (threadIdx.x % WARP == 0)
            barrier_arrive(&emptied[slot]);
        last_slot = slot, last_phase = phase;
        slot = next_slot, phase = next_phase;
    }
    store_sums(sums, row + at.row, column + at.column, m, n, c);
}

const char *matmul_cuda_tma(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    if (p->k % 4 != 0 || p->n % 4 != 0 || !is_aligned(p->a, 16) || !is_aligned(p->b, 16) || p->m > INT32_MAX - BM ||
        p->n > INT32_MAX - BN || p->k > INT32_MAX - BK || !tensor_map_encoder())
        return rung_hand_over(matmul_cuda_fitted, problem, stream);
    int64_t tiles_n = ceil_div(p->n, BN), tiles = ceil_div(p->m, BM) * tiles_n;
    CUtensorMap a_map, b_map;
    TRY_CALL(tensor_map_make(&a_map, p->a, p->m, p->k, BM, BK, CU_TENSOR_MAP_SWIZZLE_128B));
    TRY_CALL(tensor_map_make(&b_map, p->b, p->k, p->n, BK, BN, CU_TENSOR_MAP_SWIZZLE_NONE));
    (void)cudaFuncSetAttribute(matmul_tma_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_BYTES);
    return TRY_LAUNCH(__func__, matmul_tma_kernel, tiles, THREADS, SHARED_BYTES, stream, a_map, b_map, (int)p->m,
                      (int)p->n, (int)p->k, (unsigned)tiles_n, p->c);
}

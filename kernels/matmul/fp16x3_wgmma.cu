/* matmul cuda_fp16x3_wgmma: FP32 from three products in FP16, by Hopper's own instruction.
 *
 * Technique: the arithmetic of cuda_fp16x3 (fp16_parts.h), whose mma instruction belongs to a warp, which must first
 * load and split factors in its registers. wgmma belongs to four warps, takes 64 x 128 elements of C at once, and reads
 * its factors from shared memory by itself. So there are two kernels, one after the other.
 *
 * Pack. The first splits A and B, piece by piece (fp16_pieces.h), with a scale for each piece. It costs a pass over
 * them, once.
 *
 * Multiply. A block has a tile of 128 x 128 of C, each of its two groups of four warps 64 rows of that. A piece is
 * contiguous in memory, so one thread starts one bulk copy for it, and a barrier counts its bytes:
 *
 *                      stage 0     stage 1     stage 2
 *      thread 0 ->  | A's piece | A's piece | A's piece |  -> group 0: rows 0 to 63    `filled` says that a stage has
 *                   | B's piece | B's piece | B's piece |  -> group 1: rows 64 to 127  come, `read` that all warps have
 *                                                                                      read it
 *
 * The products of a step are summed in the tensor cores, the large ones apart from the small; then two multiply-adds in
 * FP32, which round, add them to the sums of the steps before and take the scales back.
 *
 *      high a, high b  ->  large  \
 *      low a,  high b  ->           +  sums += (small / 2^11 + large) * scales
 *      high a, low b   ->  small  /
 *
 * Where C has few tiles, the blocks of a cluster share k, and so do clusters, as in cuda_fitted. Where it has many, a
 * block takes one tile after another, and pieces of the next come while it stores the last. The second kernel begins
 * while the first still runs, and waits for it before it reads.
 *
 * What it fixes in cuda_fp16x3: the issue slots. There each warp splits what it multiplies, A is split again for every
 * tile beside, and an instruction does 2,048 multiply-adds. One wgmma does 131,072.
 *
 * What bounds it: the tensor cores, at three products for one, and the pass over A and B that packs them, which moves
 * them twice: in the row below half a millisecond, 412 Gflop at 920 TFLOP/s, and 60 us, 0.3 GB at 4.4 TB/s. With a
 * short k, or few tiles, the time until the first piece has come, and the exchange of sums.
 *
 * What it does not take: factors that fp16_parts.h does not hold beside the largest of their piece. A slice of a piece,
 * four steps along k, that has one is packed as zeros. For it the block copies A and B as they are to where the pieces
 * were, and uses FP32 multiply-adds: slower, and as exact as the rungs before. Of random numbers from -1 to 1, 2^-28
 * are so small: one 4096 x 4096 matrix in sixteen has one. Problems with a size below 32 run cuda_fp16x3, and the row
 * says so. docs/precision.md has the reasons and the errors.
 *
 * Source of the technique: PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions".
 *
 * Measured, results/h200-x1/squares.csv.gz:
 *   matmul/square-4096/cuda_fp16x3_wgmma/cold 0.6569 ms
 *   matmul/square-4096/cuda_fp16x3/cold 2.787 ms
 *   matmul/square-4096/cublas/cold 2.674 ms */
#include "add_parts.h"
#include "bench/table/matmul.h"
#include "fp16_pieces.h"
#include "kernels/workspace.h"
#include "shared_k.h"
#include "takes.h"

constexpr int GROUP = 4 * WARP, GROUPS = THREADS / GROUP;
constexpr int BM = GROUPS * WGMMA_ROWS, BN = 128, SUMS = BN / 2;
constexpr uint64_t PART = PART_BYTES / 16, GROUP_ROWS = WGMMA_ROWS * WGMMA_ROW_BYTES / 16; /* in descriptors */
constexpr int STAGES = 3, STAGE_BYTES = 2 * PIECE_BYTES;
constexpr int LINE = BN + 4; /* of sums in shared memory: lanes below each other hit different banks */
constexpr int STORE_ROWS = 8, STORE_FLOATS = STORE_ROWS * LINE; /* of a warp */
constexpr int STORE_BYTES = THREADS / WARP * STORE_FLOATS * (int)sizeof(float);
constexpr int SHARED_BYTES = STAGES * STAGE_BYTES + PIECE_ALIGNMENT + STORE_BYTES;
static_assert(BM * LINE * (int)sizeof(float) <= STAGES * STAGE_BYTES, "the ring has room for them");
static_assert(SHARED_BYTES + 2 * STAGES * (int)sizeof(uint64_t) <= 227 * 1024, "a block has at most 227 KiB");
static_assert(BM == PIECE_ROWS && BN == PIECE_ROWS, "a stage has a piece of A and one of B");
static_assert(STAGE_BYTES >= (BM + BN) * BK * (int)sizeof(float), "a stage has room for the factors themselves");

/* Where a thread's sums are in C: sums[4 j + 2 h + e] are in row + 8 h and column + 8 j + e. */
struct lane_place {
    int64_t row, column;
};

/* What a block does at a time: a tile, and `steps` steps along k, of which `first` is the first. */
struct task {
    unsigned tile_m, tile_n, cluster, first, steps;
};

/* All that there is to do. Each of the `splits` blocks of a cluster, and of the `clusters` for a tile, has `part` of
 * the steps. */
struct work {
    unsigned tiles_m, tiles_n, splits, clusters, steps, part;

    __device__ __forceinline__ unsigned tasks() const
    {
        return tiles_m * tiles_n * clusters;
    }

    /* What was packed last comes first. Tiles go down in strips of eight, so that those that run together share more of
     * A and B in L2 than a row of tiles would. */
    __device__ __forceinline__ task at(unsigned number, unsigned rank) const
    {
        constexpr unsigned STRIP = 8;
        const unsigned from_last = tasks() - 1 - number, tile = from_last / clusters, cluster = from_last % clusters;
        const unsigned above = tile / (STRIP * tiles_n) * STRIP, rows = min(tiles_m - above, STRIP);
        const unsigned in_strip = tile - above * tiles_n, first = min((cluster * splits + rank) * part, steps);
        return {above + in_strip % rows, in_strip / rows, cluster, first, min(part, steps - first)};
    }
};

/* Where the thread's sums of the tile are. */
static __device__ __forceinline__ lane_place place_in(const task &task)
{
    const int thread = (int)threadIdx.x, lane = thread % WARP;
    return {(int64_t)task.tile_m * BM + thread / WARP * 16 + lane / 4, (int64_t)task.tile_n * BN + lane % 4 * 2};
}

/* By one thread. */
static __device__ __forceinline__ void make_barriers(uint64_t *filled, uint64_t *read)
{
    for (int slot = 0; slot < STAGES; slot++) {
        barrier_make(&filled[slot], 2);
        barrier_make(&read[slot], THREADS / WARP);
    }
    barriers_made();
}

/* Starts the products of a stage, for a group of warps: their sums must not be read before wgmma_wait(). */
static __device__ __forceinline__ void multiply_stage(const unsigned char *stage, int group, float (&large)[SUMS],
                                                      float (&small)[SUMS])
{
    uint64_t a = wgmma_descriptor(stage);
    uint64_t b = a + 2 * PART;
    a += (uint64_t)group * GROUP_ROWS;
    wgmma_fence();
#pragma unroll
    for (int i = 0; i < WGMMA_ROW_BYTES / 32; i++) {
        wgmma_multiply(small, a + 2 * i + PART, b + 2 * i, i > 0);
        wgmma_multiply(small, a + 2 * i, b + 2 * i + PART, true);
        wgmma_multiply(large, a + 2 * i, b + 2 * i, i > 0);
    }
    wgmma_commit();
}

/* Adds the products of a step's slices that a piece leaves out by FP32 multiply-adds, from A and B as they are. All
 * threads of the block call together; what they read goes to `stage`, of which they have read what was there before. */
static __device__ __forceinline__ void multiply_in_fp32(packing slices, float *stage, int64_t m, int64_t n, int64_t k,
                                                        const lane_place &place, int64_t p, const float *a,
                                                        const float *b, float (&sums)[SUMS])
{
    const int in_row = (int)(place.row % BM), in_column = (int)(place.column % BN);
    const int64_t row = place.row - in_row, column = place.column - in_column;
    float *As = stage, *Bs = stage + BM * BK;
    /* Lanes that read rows below each other hit different banks. */
    auto at_a = [&](int i, int q) { return &As[i * BK + (q ^ i % WARP)]; };
    __syncthreads();
#pragma unroll 1
    for (packing rest = slices; rest != 0; rest &= rest - 1) {
        const int first = (__ffs(rest) - 1) * SLICE;
#pragma unroll 1
        for (int i = (int)threadIdx.x; i < SLICE * BM; i += THREADS) {
            const int q = first + i % SLICE;
            copy_async_or_zero(at_a(i / SLICE, q), &a[(row + i / SLICE) * k + p + q], row + i / SLICE < m && p + q < k);
        }
#pragma unroll 1
        for (int i = (int)threadIdx.x; i < SLICE * BN; i += THREADS) {
            const int q = first + i / BN;
            copy_async_or_zero(&Bs[q * BN + i % BN], &b[(p + q) * n + column + i % BN],
                               p + q < k && column + i % BN < n);
        }
    }
    copy_async_commit();
    copy_async_wait(0);
    __syncthreads();
    for (packing rest = slices; rest != 0; rest &= rest - 1) {
        const int first = (__ffs(rest) - 1) * SLICE;
#pragma unroll 1
        for (int q = first; q < first + SLICE; q++) {
            const float x[2] = {*at_a(in_row, q), *at_a(in_row + 8, q)};
#pragma unroll
            for (int i = 0; i < SUMS; i += 4) {
                const float2 y = *(const float2 *)(Bs + q * BN + in_column + 2 * i);
#pragma unroll
                for (int e = 0; e < 4; e++)
                    sums[i + e] = fmaf(x[e / 2], e % 2 == 0 ? y.x : y.y, sums[i + e]);
            }
        }
    }
    wgmma_see_shared(); /* the next copy to the stage comes after these reads */
    __syncthreads();    /* racecheck does not see that a lane arrives at a barrier for its warp */
}

/* The first blocks of the kernel that follows may start at once. As pack_piece(). */
template <bool WIDE>
static __global__ void __launch_bounds__(THREADS, PACKING_BLOCKS)
    matmul_pack_fp16x3_kernel(int64_t m, int64_t n, int64_t k, int64_t steps, int64_t pieces_of_a, const float *a,
                              const float *b, packed to_a, packed to_b)
{
    allow_early_launch();
    pack_piece<WIDE>(m, n, k, steps, pieces_of_a, a, b, to_a, to_b);
}

/* By a warp: stores `count` elements of a row of C, from anywhere on, in whole lines of memory but for the first and
 * the last: a line that comes in two parts costs as much as two. */
static __device__ __forceinline__ void store_row(float *to, const float *from, int count)
{
    const int first = (int)threadIdx.x % WARP - (int)((size_t)to / sizeof(float) % WARP);
    to += first, from += first, count -= first;
#pragma unroll
    for (int j = 0; j < BN + WARP; j += WARP) /* 128 bytes are a line */
        if ((j > 0 || first >= 0) && j < count)
            to[j] = from[j];
}

/* Stores a warp's sums where rows may begin anywhere: through shared memory, eight rows at a time. */
static __device__ __forceinline__ void store_anywhere(float *shared, const float (&sums)[SUMS], int64_t m, int64_t n,
                                                      const lane_place &place, float *c)
{
    const int lane = (int)threadIdx.x % WARP, row = lane / 4, column = lane % 4 * 2;
    const int64_t first_row = place.row - row, first_column = place.column - column;
    const int columns = (int)min(n - first_column, (int64_t)BN);
#pragma unroll
    for (int h = 0; h < 2; h++) {
        const int rows = (int)min(m - first_row - h * STORE_ROWS, (int64_t)STORE_ROWS);
        float *to = c + (first_row + h * STORE_ROWS) * n + first_column;
        __syncwarp();
#pragma unroll
        for (int j = 0; j < SUMS / 4; j++)
            *(float2 *)(shared + row * LINE + j * 8 + column) =
                make_float2(sums[4 * j + 2 * h], sums[4 * j + 2 * h + 1]);
        __syncwarp();
#pragma unroll 4
        for (int i = 0; i < rows; i++, to += n)
            store_row(to, shared + i * LINE, columns);
    }
}

/* Stores the sums of a task, which the blocks of a cluster have added up before, in c, m x n. */
template <bool WIDE>
static __device__ __forceinline__ void store_task(unsigned char *ring, const work &all, const task &now, unsigned rank,
                                                  const float (&sums)[SUMS], int64_t m, int64_t n, float *c)
{
    const lane_place place = place_in(now);
    c += now.cluster * m * n;
    if (all.splits > 1) {
        const int rows = BM / (int)all.splits;
        const int64_t row = (int64_t)now.tile_m * BM + rank * rows;
        give_shares<BM, LINE>((float *)ring, sums, (int)all.splits, (int)rank, (int)(place.row % BM),
                              (int)(place.column % BN));
        store_total<WIDE, BN, LINE>((float *)ring, (int)all.splits, rows, row, (int)min(m - row, (int64_t)rows),
                                    (int64_t)now.tile_n * BN, n, c);
    } else if (WIDE) {
        wgmma_store(sums, m, n, place.row, place.column, c);
    } else {
        float *of_warp = (float *)(ring + STAGES * STAGE_BYTES) + threadIdx.x / WARP * STORE_FLOATS;
        store_anywhere(of_warp, sums, m, n, place, c);
    }
}

/* Starts the copies to a stage of the step that comes so many after the first of a task: of the same task, or of one
 * that the block has later, every `each`-th. By one thread. */
static __device__ __forceinline__ void fetch(const work &all, unsigned number, unsigned each, unsigned rank,
                                             unsigned ahead, const packed &from_a, const packed &from_b,
                                             unsigned char *stage, uint64_t *filled)
{
    task now = all.at(number, rank);
    if (ahead >= now.steps) {
        if (now.steps == 0 || each == all.tasks())
            return;
        number += ahead / now.steps * each;
        if (number >= all.tasks())
            return;
        ahead %= now.steps;
        now = all.at(number, rank);
    }
    const int64_t step = now.first + ahead;
    copy_bulk(stage, from_a.pieces + (now.tile_m * all.steps + step) * PIECE_BYTES, PIECE_BYTES, filled);
    copy_bulk(stage + PIECE_BYTES, from_b.pieces + (now.tile_n * all.steps + step) * PIECE_BYTES, PIECE_BYTES, filled);
}

/* a is m x k, b is k x n, c is m x n, all row-major; from_a and from_b are what pack_piece() made of a and b. Of
 * several clusters for a tile, each has a c of its own. There are as many blocks as tasks for them, or fewer, if nobody
 * shares k: then each block has several. WIDE: n is a multiple of 4, and c is aligned to 16 bytes. */
template <bool WIDE>
static __global__ void __launch_bounds__(THREADS, 1)
    matmul_fp16x3_wgmma_kernel(int64_t m, int64_t n, int64_t k, work all, const float *a, const float *b, packed from_a,
                               packed from_b, float *c)
{
    __shared__ uint64_t filled[STAGES], read[STAGES];
    DYNAMIC_SHARED(unsigned char, shared);
    unsigned char *ring = first_place(shared);
    const unsigned rank = blockIdx.x % all.splits, mine = blockIdx.x / all.splits, each = gridDim.x / all.splits;
    int thread = (int)threadIdx.x, group = thread / GROUP, lane = thread % WARP;
    if (thread == 0)
        make_barriers(filled, read);
    wait_for_last_launch(); /* it packs A and B */
    if (thread == 0)
        for (int slot = 0; slot < STAGES; slot++)
            fetch(all, mine, each, rank, (unsigned)slot, from_a, from_b, ring + slot * STAGE_BYTES, &filled[slot]);
    __syncthreads();

    float sums[SUMS], large[SUMS], small[SUMS];
    int slot = 0;
    uint32_t phase = 0;
    for (unsigned number = mine; number < all.tasks(); number += each) {
        const task now = all.at(number, rank);
        const unsigned piece_a = now.tile_m * all.steps + now.first, piece_b = now.tile_n * all.steps + now.first;
#pragma unroll
        for (int i = 0; i < SUMS; i++)
            sums[i] = 0;
        for (unsigned step = 0; step < now.steps; step++) {
            const packing packing_a = __ldcg(from_a.packings + piece_a + step);
            const packing packing_b = __ldcg(from_b.packings + piece_b + step);
            const packing left_out = (packing_a | packing_b) / LEFT_OUT;
            barrier_wait(&filled[slot], phase);
            multiply_stage(ring + slot * STAGE_BYTES, group, large, small);
            if (thread == 0 && (step > 0 || number != mine)) { /* the slot before is the next to fill */
                const int before = slot == 0 ? STAGES - 1 : slot - 1;
                barrier_wait(&read[before], slot == 0 ? phase ^ 1 : phase);
                fetch(all, number, each, rank, step - 1 + STAGES, from_a, from_b, ring + before * STAGE_BYTES,
                      &filled[before]);
            }
            __syncwarp();
            wgmma_wait();
            if (left_out != 0)
                multiply_in_fp32(left_out, (float *)(ring + slot * STAGE_BYTES), m, n, k, place_in(now),
                                 (int64_t)(now.first + step) * BK, a, b, sums);
            __syncwarp();
            if (lane == 0)
                barrier_arrive(&read[slot]);
            wgmma_take(large);
            wgmma_take(small);
            add_products(large, small, fp16_back(packing_a % LEFT_OUT, packing_b % LEFT_OUT), sums);
            slot = slot + 1 == STAGES ? 0 : slot + 1;
            phase ^= slot == 0;
        }
        store_task<WIDE>(ring, all, now, rank, sums, m, n, c);
    }
    allow_early_launch();
}

const char *matmul_cuda_fp16x3_wgmma(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    if (!fp16x3_wgmma_takes(p))
        return rung_hand_over(matmul_cuda_fp16x3, problem, stream);
    const int64_t steps = ceil_div(p->k, BK), tiles_m = ceil_div(p->m, BM), tiles_n = ceil_div(p->n, BN);
    const int64_t pieces_of_a = tiles_m * steps, pieces = pieces_of_a + tiles_n * steps, count = p->m * p->n;
    const bool wide = p->k % 4 == 0 && is_aligned(p->a, 16), wide_c = p->n % 4 == 0 && is_aligned(p->c, 16);
    auto pack = wide ? matmul_pack_fp16x3_kernel<true> : matmul_pack_fp16x3_kernel<false>;
    auto multiply = wide_c ? matmul_fp16x3_wgmma_kernel<true> : matmul_fp16x3_wgmma_kernel<false>;
    static int multiprocessors[2][SPLITS]; /* which do not change; a rung is called by one thread */
    for (int i = 0; multiprocessors[wide_c][0] == 0 && i < SPLITS; i++)
        multiprocessors[wide_c][SPLITS - 1 - i] = multiprocessors_with_room(multiply, THREADS, 1u << (SPLITS - 1 - i));
    (void)cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_BYTES);
    double us;
    const struct shares shares =
        shares_for(&fp16x3_wgmma_times.times, tiles_m * tiles_n, steps, (double)count, multiprocessors[wide_c], &us);
    if (shares.splits == 0)
        return "matmul_cuda_fp16x3_wgmma: its blocks do not fit this GPU";
    void *memory = NULL;
    const int64_t parts = shares.splits * shares.clusters, sums = shares.clusters > 1 ? shares.clusters * count : 0;
    const int64_t tasks = tiles_m * tiles_n * shares.clusters;
    const int64_t clusters = parts > 1 ? tasks : min(tasks, (int64_t)multiprocessors[wide_c][0]);
    const struct work work = {(unsigned)tiles_m, (unsigned)tiles_n, shares.splits,
                              shares.clusters,   (unsigned)steps,   (unsigned)ceil_div(steps, parts)};
    const size_t bytes_of_sums = (size_t)ceil_div(sums * (int64_t)sizeof(float), PIECE_ALIGNMENT) * PIECE_ALIGNMENT;
    TRY_CALL(grid_x_error(__func__, pieces));
    TRY_CALL(grid_x_error(__func__, tasks));
    TRY_CALL(workspace_get(bytes_of_sums + (size_t)pieces * (PIECE_BYTES + sizeof(packing)), &memory));
    float *c = shares.clusters > 1 ? (float *)memory : p->c;
    unsigned char *at = (unsigned char *)memory + bytes_of_sums;
    packed of_a = {at, (packing *)(at + pieces * PIECE_BYTES)};
    packed of_b = {of_a.pieces + pieces_of_a * PIECE_BYTES, of_a.packings + pieces_of_a};
    TRY_CALL(TRY_LAUNCH(__func__, pack, pieces, THREADS, 0, stream, p->m, p->n, p->k, steps, pieces_of_a, p->a, p->b,
                        of_a, of_b));
    TRY_CALL(launch_clusters(__func__, multiply, clusters * shares.splits, THREADS, SHARED_BYTES, shares.splits, true,
                             stream, p->m, p->n, p->k, work, p->a, p->b, of_a, of_b, c));
    return add_parts(__func__, count, shares.clusters, c, p->c, (cudaStream_t)stream);
}

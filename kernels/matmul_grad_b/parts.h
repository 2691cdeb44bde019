/* A part of dB = A^T dC: the sum over some rows of A and dC. What the rungs atomic and split share.
 *
 *                  k                          A thread has four columns of A and BN columns of dC, so 4 x BN elements
 *        +---------+---------+                of dB, in registers. It walks down its rows. Each element of A is read
 *        | thread  | thread  |   rows of      once, by one thread, straight into a register, ROWS rows ahead; each
 *        |  0  | 1 |  0  | 1 |   part 0       element of dC is read from shared memory by all threads at once.
 *     m  +---------+---------+
 *        | another block     |   rows of      Threads that have the same columns form no pair: they are in different
 *        |                   |   part 1       groups, which take turns in batches of ROWS rows and add up at the end.
 *        +---------+---------+
 *
 * A load of 16 bytes of A serves 4 BN multiply-adds. So for a narrow dC the time goes into reading A, and nothing of A
 * is read twice. */
#pragma once

#include "bench/table/matmul_grad_b.h"
#include "kernels/four.h"
#include "kernels/launch.h"

constexpr int THREADS_MAX = 512; /* that a multiprocessor has registers for */
constexpr int QUADS_MAX = 256;   /* threads side by side: two groups cover a row of MNIST */
constexpr int GROUPS_MAX = 16;   /* more would wait for each other too often when they add up */
constexpr int CHUNK = 512;       /* rows of dC in shared memory */

/* How many rows a thread loads ahead: as many as it has registers for. */
template <int BN>
constexpr int ROWS_OF = BN > 10 ? 2 : 8;

/* What a block has: `quads` threads side by side from `quad_column` on, BN columns of dC of which `columns` are there,
 * and `rows` rows. */
struct part_place {
    int64_t k_column, n_column, row, rows;
    int quads, columns;
};

/* Column number e of the quad, counted from the block's first. WIDE: four neighbours; else neighbours belong to threads
 * side by side, whose loads then make up whole lines. */
template <bool WIDE>
static __device__ __forceinline__ int column_of(int quad, int quads, int e)
{
    return WIDE ? 4 * quad + e : quad + e * quads;
}

/* The quad's elements of a row of A, `there` columns of which begin at `row`. */
template <bool WIDE>
static __device__ __forceinline__ float4 load_quad(const float *row, int quad, int quads, int64_t there)
{
    int first = column_of<WIDE>(quad, quads, 0);
    float x[4];
    if (WIDE)
        unpack(load_four<true>(row + first, first < there ? 4 : 0), x);
#pragma unroll
    for (int e = 0; e < 4; e++)
        if (!WIDE)
            x[e] = first + e * quads < there ? row[first + e * quads] : 0.0f;
    return pack(x);
}

/* Copies `rows` rows of dC; zeros follow up to whole batches of ROWS. */
template <int BN, typename Chunk>
static __device__ void fetch_chunk(Chunk dCs, int64_t n, int rows, int columns, const float *dc)
{
    constexpr int ROWS = ROWS_OF<BN>, PITCH = (BN + 3) / 4 * 4;
    float *flat = &dCs[0][0].x;
    int count = (rows + ROWS - 1) / ROWS * ROWS * BN;
    for (int i = (int)threadIdx.x; i < count; i += (int)blockDim.x) {
        int row = i / BN, column = i % BN;
        copy_async_or_zero(&flat[row * PITCH + column], &dc[row * n + column], row < rows && column < columns);
    }
    copy_async_commit();
}

/* sums += the thread's elements of ROWS rows of A, times these rows of dC. */
template <int BN, int ROWS, typename Chunk>
static __device__ __forceinline__ void multiply(const float4 (&v)[ROWS], Chunk dCs, int row, float (&sums)[4][BN])
{
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        float x[4], y[(BN + 3) / 4 * 4];
        unpack(v[r], x);
#pragma unroll
        for (int j = 0; j < BN; j += 4)
            unpack(dCs[row + r][j / 4], &y[j]);
#pragma unroll
        for (int e = 0; e < 4; e++)
#pragma unroll
            for (int j = 0; j < BN; j++)
                sums[e][j] = fmaf(x[e], y[j], sums[e][j]);
    }
}

/* Adds up the sums of the groups, always in the same order. The first group has the result. */
template <int BN, typename Shares>
static __device__ void add_groups(Shares shares, int quads, float (&sums)[4][BN])
{
    int thread = (int)threadIdx.x, group = thread / quads;
    for (int left = (int)blockDim.x / quads, half; left > 1; left = half) {
        half = (left + 1) / 2;
#pragma unroll
        for (int e = 0; e < 4; e++) {
            __syncthreads();
            if (group >= half && group < left)
#pragma unroll
                for (int j = 0; j < BN; j++)
                    shares[j][thread - half * quads] = sums[e][j];
            __syncthreads();
            if (group < left - half)
#pragma unroll
                for (int j = 0; j < BN; j++)
                    sums[e][j] += shares[j][thread];
        }
    }
}

/* Sums the part and calls emit(row of dB, column of dB, sum) for each element of it, once, lanes side by side with
 * neighbours. All threads of the block take part. */
template <int BN, bool WIDE, typename Emit>
static __device__ void sum_part(const part_place &place, int64_t n, int64_t k, const float *a, const float *dc,
                                const Emit &emit)
{
    constexpr int ROWS = ROWS_OF<BN>;
    static_assert(CHUNK % ROWS == 0, "a chunk is made of whole batches");
    __shared__ float4 dCs[CHUNK][(BN + 3) / 4];
    __shared__ float shares[BN][THREADS_MAX / 2];
    int thread = (int)threadIdx.x, quads = place.quads, group = thread / quads, groups = (int)blockDim.x / quads;
    int64_t there = k - place.k_column;
    a += place.row * k + place.k_column;
    dc += place.row * n + place.n_column;
    float sums[4][BN] = {};
    for (int64_t begin = 0; begin < place.rows; begin += CHUNK) {
        int rows = (int)min(place.rows - begin, (int64_t)CHUNK);
        auto load = [&](float4(&v)[ROWS], int row) {
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                v[r] = load_quad<WIDE>(a + (begin + row + r) * k, thread % quads, quads, row + r < rows ? there : 0);
        };
        fetch_chunk<BN>(dCs, n, rows, place.columns, dc + begin * n);
        float4 now[ROWS], next[ROWS];
        load(now, group * ROWS);
        copy_async_wait(0);
        __syncthreads();
#pragma unroll 2 /* then `next` and `now` change places without being moved */
        for (int row = group * ROWS; row < rows; row += groups * ROWS) {
            load(next, row + groups * ROWS);
            multiply<BN>(now, dCs, row, sums);
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                now[r] = next[r];
        }
        __syncthreads();
    }
    add_groups<BN>(shares, quads, sums);
    float *flat = &shares[0][0];
#pragma unroll
    for (int e = 0; e < 4; e++) {
        __syncthreads();
        if (group == 0)
#pragma unroll
            for (int j = 0; j < BN; j++)
                flat[thread * BN + j] = sums[e][j];
        __syncthreads();
        for (int i = thread; i < quads * BN; i += (int)blockDim.x) {
            int j = i % BN;
            int64_t row = place.k_column + column_of<WIDE>(i / BN, quads, e);
            if (row < k && j < place.columns)
                emit(row, place.n_column + j, flat[i]);
        }
    }
}

/* Parts of `rows` rows; each part is panels_k x panels_n blocks of `quads` threads side by side, in groups that make up
 * `threads`, and BN columns. */
struct part_grid {
    int64_t parts, rows, panels_k, panels_n;
    int quads, threads;
};

/* As many parts as fill each multiprocessor with threads, but at most `parts_max`, and none shorter than a batch for
 * each group of threads. Panels of k are equally wide. */
static inline part_grid part_grid_of(const struct matmul_grad_b_problem *p, int bn, int rows_ahead, int64_t parts_max)
{
    part_grid grid;
    int64_t quads = ceil_div(p->k, 4);
    grid.panels_k = ceil_div(quads, QUADS_MAX);
    grid.quads = (int)ceil_div(quads, grid.panels_k);
    grid.panels_n = ceil_div(p->n, bn);
    int groups = THREADS_MAX / grid.quads < GROUPS_MAX ? THREADS_MAX / grid.quads : GROUPS_MAX;
    grid.threads = grid.quads * groups;
    int64_t panels = grid.panels_k * grid.panels_n, batch = (int64_t)rows_ahead * groups;
    int64_t room = (int64_t)gpu_attribute(cudaDevAttrMultiProcessorCount) * (THREADS_MAX / grid.threads);
    int64_t wanted = panels < room ? room / panels : 1;
    wanted = wanted < parts_max ? wanted : parts_max;
    grid.rows = ceil_div(ceil_div(p->m, wanted), batch) * batch;
    grid.parts = ceil_div(p->m, grid.rows);
    return grid;
}

/* What block number `block` has. Neighbours share their rows of A, and read them from L2. */
template <int BN>
static __device__ part_place part_place_of(unsigned block, int64_t m, int64_t n, unsigned panels_k, unsigned panels_n,
                                           int quads, int64_t part_rows)
{
    int64_t part = block / (panels_k * panels_n), panel_k = block / panels_n % panels_k, panel_n = block % panels_n;
    int64_t row = part * part_rows;
    return {panel_k * 4 * quads,     panel_n * BN, row,
            min(m - row, part_rows), quads,        (int)min(n - panel_n * BN, (int64_t)BN)};
}

/* Calls launch.run<BN, WIDE>() for the width that suits n and for how a is aligned. */
template <typename Launch>
static const char *launch_width(const struct matmul_grad_b_problem *p, const Launch &launch)
{
    bool is_wide = p->k % 4 == 0 && is_aligned(p->a, 16);
    if (p->n <= 4)
        return is_wide ? launch.template run<4, true>(p) : launch.template run<4, false>(p);
    if (p->n <= 10) /* MNIST has ten digits */
        return is_wide ? launch.template run<10, true>(p) : launch.template run<10, false>(p);
    return is_wide ? launch.template run<16, true>(p) : launch.template run<16, false>(p);
}

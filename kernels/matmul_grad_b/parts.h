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

#include "kernels/device.h"
#include "kernels/four.h"

#include <math.h>

constexpr int THREADS_MAX = 512; /* that a multiprocessor has registers for */
constexpr int QUADS_MAX = 256;   /* threads side by side: two groups cover a row of MNIST */
constexpr int GROUPS_MAX = 16;   /* more would wait for each other too often when they add up */
constexpr int CHUNK = 512;       /* rows of dC in shared memory */
static_assert(THREADS_MAX <= 1024, "a block has at most 1024 threads");

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
    SHARED_ARRAY(float4, dCs, CHUNK, (BN + 3) / 4);
    SHARED_ARRAY(float, shares, BN, THREADS_MAX / 2);
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

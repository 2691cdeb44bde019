/* What goes on beside the threads of a block, and between blocks: bulk copies, wgmma, clusters. */
#include "order_kernels.h"

#include "kernels/launch.h"
#include "kernels/matmul/hopper.h"
#include "kernels/mma.h"
#include "kernels/wgmma.h"

#define KERNEL(name)       \
    template <bool MENDED> \
    static __global__ void name([[maybe_unused]] int n, const int *in, int *out)

constexpr int ROW_BYTES = TURN_BLOCK * sizeof(int);

#define PLACE                                                             \
    const int t = (int)threadIdx.x, first = (int)blockIdx.x * TURN_BLOCK; \
    __shared__ __align__(16) int row[TURN_BLOCK];                         \
    __shared__ uint64_t arrived

/* By one thread: starts a copy of the block's numbers to its row. */
static __device__ void begin_copy(int *row, const int *from, uint64_t *arrived)
{
    barrier_make(arrived, 1);
    barriers_made();
    copy_bulk(row, from, ROW_BYTES, arrived);
}

enum fault {
    NONE,
    /* Of copies. */
    READ_TOO_EARLY,
    NOT_WAITED_FOR,
    BESIDE_ROW,
    MISALIGNED,
    NOT_MADE_YET,
    BARRIER_NOT_FENCED,
    /* Of products. */
    NO_PROXY_FENCE,
    NO_FENCE,
    NO_COMMIT,
    TAKEN_TOO_EARLY,
    FACTOR_OVERWRITTEN,
    SUMS_WRITTEN,
    ONE_WARP
};

/* What takes the block's numbers and puts them, turned, where they belong. */
#define TURN_KERNEL(name, turn, fault)        \
    KERNEL(name)                              \
    {                                         \
        turn<MENDED ? NONE : fault>(in, out); \
    }

template <fault FAULT>
static __device__ void copy(const int *in, int *out)
{
    const int t = (int)threadIdx.x, first = (int)blockIdx.x * TURN_BLOCK;
    __shared__ __align__(16) int memory[TURN_BLOCK];
    __shared__ uint64_t arrived;
    int *row = memory + (FAULT == BESIDE_ROW ? 4 : 0);
    if (t == 0) {
        barrier_make(&arrived, 1);
        if (FAULT != BARRIER_NOT_FENCED)
            barriers_made();
        copy_bulk(row, in + first + (FAULT == MISALIGNED ? 1 : 0), ROW_BYTES, &arrived);
    }
    if (FAULT != NOT_MADE_YET)
        __syncthreads();
    if (FAULT != READ_TOO_EARLY && FAULT != NOT_WAITED_FOR)
        barrier_wait(&arrived, 0);
    const int turned = row[63 - t];
    if (FAULT == READ_TOO_EARLY)
        barrier_wait(&arrived, 0);
    out[first + t] = turned;
}
TURN_KERNEL(bulk_read_too_early, copy, READ_TOO_EARLY)
TURN_KERNEL(bulk_not_waited_for, copy, NOT_WAITED_FOR)
TURN_KERNEL(bulk_beside_row, copy, BESIDE_ROW)
TURN_KERNEL(bulk_misaligned, copy, MISALIGNED)
TURN_KERNEL(barrier_not_made_yet, copy, NOT_MADE_YET)
TURN_KERNEL(barrier_without_fence, copy, BARRIER_NOT_FENCED)

KERNEL(bulk_overwrites)
{
    PLACE;
    __shared__ uint64_t arrived_again;
    if (t == 0)
        begin_copy(row, in + first, &arrived);
    __syncthreads();
    barrier_wait(&arrived, 0);
    if (!MENDED && t == 0)
        begin_copy(row, in + n - TURN_BLOCK, &arrived_again);
    int turned = row[63 - t];
    __syncthreads();
    if (MENDED && t == 0)
        begin_copy(row, in + n - TURN_BLOCK, &arrived_again);
    __syncthreads();
    barrier_wait(&arrived_again, 0);
    out[first + t] = turned;
}

KERNEL(bulk_without_fence)
{
    PLACE;
    if (t == 0) {
        barrier_make(&arrived, 1);
        barriers_made();
    }
    row[t] = 0;
    if (MENDED)
        wgmma_see_shared();
    __syncthreads();
    if (t == 0)
        copy_bulk(row, in + first, ROW_BYTES, &arrived);
    barrier_wait(&arrived, 0);
    out[first + t] = row[63 - t];
}

#define ARRIVE_KERNEL(name, arrivals)                               \
    KERNEL(name)                                                    \
    {                                                               \
        PLACE;                                                      \
        if (t == 0)                                                 \
            barrier_make(&arrived, MENDED ? TURN_BLOCK : arrivals); \
        __syncthreads();                                            \
        row[t] = in[first + t];                                     \
        barrier_arrive(&arrived);                                   \
        barrier_wait(&arrived, 0);                                  \
        out[first + t] = row[63 - t];                               \
    }
ARRIVE_KERNEL(barrier_of_too_many, TURN_BLOCK + 1)
ARRIVE_KERNEL(barrier_of_too_few, TURN_BLOCK / 2 + 1)

/* Blocks exchange their rows. */
#define CLUSTER_KERNEL(name) \
    template <bool MENDED>   \
    static __global__ void CLUSTER_OF(2) name([[maybe_unused]] int n, const int *in, int *out)
#define CLUSTER_PLACE                                                                                        \
    const int t = (int)threadIdx.x, first = (int)blockIdx.x * TURN_BLOCK, other = (int)(blockIdx.x ^ 1) % 2; \
    __shared__ float4 row[TURN_BLOCK / 4];                                                                   \
    [[maybe_unused]] const int *numbers = (const int *)(const void *)row

static __device__ void meet()
{
    cluster_arrive();
    cluster_wait();
}

static __device__ void send(float4 *row, int block, const int *from)
{
    if (threadIdx.x < TURN_BLOCK / 4)
        cluster_store(&row[threadIdx.x], block, ((const float4 *)(const void *)from)[threadIdx.x]);
}

CLUSTER_KERNEL(cluster_not_waited_for)
{
    CLUSTER_PLACE;
    send(row, other, in + first);
    if (MENDED)
        meet();
    else
        cluster_arrive();
    int turned = numbers[63 - t];
    if (!MENDED)
        cluster_wait();
    out[(blockIdx.x ^ 1) * TURN_BLOCK + t] = turned;
}

CLUSTER_KERNEL(cluster_ends_too_early)
{
    CLUSTER_PLACE;
    meet();
    if (blockIdx.x % 2 == 0)
        send(row, other, in + first);
    if (MENDED)
        meet();
    out[first + t] = in[first + 63 - t];
}

CLUSTER_KERNEL(cluster_not_arrived)
{
    CLUSTER_PLACE;
    send(row, other, in + first);
    if (MENDED || t != 5 || first > 0)
        cluster_arrive();
    cluster_wait();
    out[(blockIdx.x ^ 1) * TURN_BLOCK + t] = numbers[63 - t];
}

CLUSTER_KERNEL(cluster_of_fewer)
{
    CLUSTER_PLACE;
    send(row, MENDED ? other : other + 1, in + first);
    meet();
    out[(blockIdx.x ^ 1) * TURN_BLOCK + t] = numbers[63 - t];
}

/* Turns by a matrix whose ones lie across: 64 x 64 by 64 x 128, of which the first column counts. */
template <fault FAULT>
static __device__ void multiply(const int *in, int *out)
{
    __shared__ __align__(1024) unsigned char a[64 * WGMMA_ROW_BYTES], b[128 * WGMMA_ROW_BYTES];
    const int t = (int)threadIdx.x, first = (int)blockIdx.x * TURN_BLOCK;
    float sums[64] = {};
    for (int i = t; i < 128 * 64; i += 128) {
        const int row = i / 64, p = i % 64, at = wgmma_place(row, p / 8) + p % 8 * 2;
        *(uint16_t *)(b + at) = (uint16_t)fp16_pair((float)((in[first + p] - 1000) / 7), 0);
        if (row < 64)
            *(uint16_t *)(a + at) = (uint16_t)fp16_pair(row == 63 - p ? 1.0f : 0.0f, 0);
    }
    if (FAULT != NO_PROXY_FENCE)
        wgmma_see_shared();
    __syncthreads();
    if (FAULT == ONE_WARP && t >= 32)
        return;
    if (FAULT != NO_FENCE)
        wgmma_fence();
    for (int step = 0; step < 4; step++) {
        if (step == 2 && (FAULT == NONE || FAULT == SUMS_WRITTEN)) {
            wgmma_commit();
            wgmma_wait();
            wgmma_take(sums);
            sums[1] = 7; /* of another column */
            if (FAULT == NONE)
                wgmma_fence();
        }
        wgmma_multiply(sums, wgmma_descriptor(a) + 2 * step, wgmma_descriptor(b) + 2 * step, step > 0);
    }
    if (FAULT != NO_COMMIT)
        wgmma_commit();
    if (FAULT == FACTOR_OVERWRITTEN) {
        __syncthreads();
        *(uint16_t *)(b + wgmma_place(0, t / 16) + t % 8 * 2) = 0;
        wgmma_see_shared();
    }
    if (FAULT != TAKEN_TOO_EARLY)
        wgmma_wait();
    wgmma_take(sums);
    const int row = t / 32 * 16 + t % 32 / 4;
    if (t % 4 == 0) {
        out[first + row] = 1000 + 7 * (int)sums[0];
        out[first + row + 8] = 1000 + 7 * (int)sums[2];
    }
    wgmma_wait();
}
TURN_KERNEL(wgmma_of_unfenced_writes, multiply, NO_PROXY_FENCE)
TURN_KERNEL(wgmma_without_fence, multiply, NO_FENCE)
TURN_KERNEL(wgmma_not_committed, multiply, NO_COMMIT)
TURN_KERNEL(wgmma_taken_too_early, multiply, TAKEN_TOO_EARLY)
TURN_KERNEL(wgmma_factor_overwritten, multiply, FACTOR_OVERWRITTEN)
TURN_KERNEL(wgmma_sums_without_fence, multiply, SUMS_WRITTEN)
TURN_KERNEL(wgmma_by_one_warp, multiply, ONE_WARP)

#define TURN_LAUNCH(name, mended, threads, ...) \
    LAUNCH(name<mended>, blocks, threads, 0, stream, (int)p->n, p->in, p->out)
HOPPER_KERNELS(TURN_RUNGS)

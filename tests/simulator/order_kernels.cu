/* Each is wrong where it is not MENDED. */
#include "order_kernels.h"

#include "kernels/launch.h"

#define KERNEL(name)       \
    template <bool MENDED> \
    static __global__ void name([[maybe_unused]] int n, const int *in, int *out)
#define PLACE const int t = (int)threadIdx.x, i = (int)blockIdx.x * TURN_BLOCK + t
#define PLACE_AND_ROW \
    PLACE;            \
    __shared__ int row[TURN_BLOCK]

KERNEL(unwritten)
{
    PLACE;
    DYNAMIC_SHARED(int, row);
    if (MENDED || i != 64 + 5)
        row[t] = in[i];
    __syncthreads();
    out[i] = row[63 - t];
}

/* Zero times a number is zero, which hides it. */
KERNEL(unwritten_times_zero)
{
    PLACE;
    __shared__ float factors[TURN_BLOCK];
    if (MENDED || i != 64 + 5)
        factors[t] = 1;
    __syncthreads();
    out[i] = in[i / TURN_BLOCK * TURN_BLOCK + 63 - t] + (int)__float_as_uint(0.0f * factors[63 - t] + 0.0f);
}

/* What the first block leaves behind is gone when the next begins. */
KERNEL(kept_from_last_block)
{
    PLACE_AND_ROW;
    if (MENDED || blockIdx.x == 0)
        row[t] = in[i];
    __syncthreads();
    out[i] = row[63 - t];
}

KERNEL(no_barrier)
{
    PLACE_AND_ROW;
    row[t] = in[i];
    if (MENDED)
        __syncthreads();
    out[i] = row[63 - t];
}

KERNEL(no_barrier_on_written)
{
    PLACE_AND_ROW;
    row[t] = 0;
    __syncthreads();
    row[t] = in[i];
    if (MENDED)
        __syncthreads();
    out[i] = row[63 - t];
}

KERNEL(no_barrier_in_loop)
{
    PLACE_AND_ROW;
    int sum = 0;
    for (int step = 1; step <= 3; step++) {
        row[t] = in[i] * step;
        __syncthreads();
        sum += row[63 - t];
        if (MENDED)
            __syncthreads();
    }
    out[i] = sum / 6;
}

/* Threads of a warp do not run in step. */
KERNEL(no_syncwarp)
{
    PLACE_AND_ROW;
    row[t] = 0;
    __syncthreads();
    row[t] = in[i];
    if (MENDED)
        __syncwarp();
    int turned = row[t ^ 31];
    __syncthreads();
    row[t] = turned;
    __syncthreads();
    out[i] = row[t ^ 32];
}

/* A wait is for groups; a copy that is in none yet goes on. */
KERNEL(no_commit)
{
    PLACE_AND_ROW;
    row[t] = 0;
    __syncthreads();
    copy_async(&row[t], &in[i]);
    if (MENDED)
        copy_async_commit();
    copy_async_wait(0);
    __syncthreads();
    out[i] = row[63 - t];
}

KERNEL(group_too_many)
{
    PLACE;
    __shared__ int rows[3][TURN_BLOCK];
    for (int stage = 0; stage < 3; stage++) {
        rows[stage][t] = 0;
        copy_async(&rows[stage][t], &in[i]);
        copy_async_commit();
    }
    copy_async_wait(MENDED ? 1 : 2); /* the first two are needed */
    __syncthreads();
    out[i] = (rows[0][63 - t] + rows[1][63 - t]) / 2;
}

/* The next copy goes to a place that others still read. */
KERNEL(copy_too_early)
{
    PLACE_AND_ROW;
    row[t] = in[i];
    __syncthreads();
    if (!MENDED)
        copy_async(&row[t], &in[t]);
    int turned = row[63 - t];
    __syncthreads();
    if (MENDED)
        copy_async(&row[t], &in[t]);
    copy_async_commit();
    copy_async_wait(0);
    out[i] = turned;
}

KERNEL(last_block_wins)
{
    PLACE;
    int turned = in[i - t + 63 - t];
    out[i] = turned;
    __syncthreads();
    if (!MENDED && t == 17)
        out[n - 2] = (int)blockIdx.x;
}

/* Whether the block of element i has written its answer. */
static __device__ bool is_there(const int *in, const int *out, int i)
{
    return out[i] == in[i / TURN_BLOCK * TURN_BLOCK + 63 - i % TURN_BLOCK];
}

/* How many of the first and the last block come before block 1: one, forwards and backwards. */
KERNEL(middle_block)
{
    PLACE;
    int before = is_there(in, out, 0) + is_there(in, out, n - 1);
    __syncthreads();
    out[i] = in[i - t + 63 - t] + (!MENDED && i == 64 ? before - 1 : 0);
}

/* How many of the threads 10 and 50 come before thread 30: one, forwards and backwards. */
KERNEL(middle_thread)
{
    PLACE;
    __shared__ int before[1];
    if (t == 0)
        before[0] = 0;
    __syncthreads();
    if (t == 10 || t == 50)
        atomicAdd(&before[0], 1);
    out[i] = in[i - t + 63 - t] + (!MENDED && t == 30 ? before[0] - 1 : 0);
}

/* The first block leaves an element out if the last has been there. */
KERNEL(never_written)
{
    PLACE;
    if (MENDED || i != 7 || !is_there(in, out, n - 1))
        out[i] = in[i - t + 63 - t];
}

/* A warp's own wait holds the other warps back in no way. */
KERNEL(syncwarp_for_barrier)
{
    PLACE_AND_ROW;
    row[t] = in[i];
    if (MENDED)
        __syncthreads();
    else
        __syncwarp();
    out[i] = row[63 - t];
}

/* How many warps find all threads of the block come: the last alone, if the others run ahead. */
KERNEL(warps_side_by_side)
{
    PLACE;
    __shared__ int come[1];
    __shared__ int found_all[1];
    if (t == 0)
        come[0] = found_all[0] = 0;
    __syncthreads();
    atomicAdd(&come[0], 1);
    __syncwarp();
    if (t % 32 == 0 && come[0] == TURN_BLOCK)
        atomicAdd(&found_all[0], 1);
    __syncthreads();
    out[i] = in[i - t + 63 - t] + (MENDED ? 0 : found_all[0] - 1);
}

/* Who comes first to one barrier is not who comes first to the next. */
KERNEL(first_comes_first_again)
{
    PLACE;
    __shared__ int first[2];
    for (int round = 0; round < 2; round++) {
        if (t == 0)
            first[round] = -1;
        __syncthreads();
        atomicCAS(&first[round], -1, t);
        __syncthreads();
    }
    out[i] = in[i - t + 63 - t] + (!MENDED && first[0] != first[1]);
}

/* The second half of a warp copies for the first, and ends: nobody can wait for its copies any more. */
KERNEL(no_wait_before_end)
{
    PLACE_AND_ROW;
    int turned = in[i - t + 63 - t], other = t ^ 31;
    row[t] = 0;
    __syncthreads();
    if (t % 32 < 16) {
        __syncwarp();
        out[i] = row[t];
        return;
    }
    copy_async(&row[other], &in[i - t + 63 - other]);
    copy_async_commit();
    if (MENDED)
        copy_async_wait(0);
    out[i] = turned;
}

/* Hears what a lane says that takes no part. */
KERNEL(absent_lane)
{
    PLACE;
    int heard = in[i];
    if (t % 32 < 16)
        heard = __shfl_sync(0x0000FFFF, in[i], MENDED ? t : 31);
    out[i] = in[i - t + 63 - t] + heard - in[i];
}

#define TURN_LAUNCH(name, mended, ...) \
    LAUNCH(name<mended>, blocks, TURN_BLOCK, TURN_BLOCK * sizeof(int), stream, (int)p->n, p->in, p->out)
TURN_KERNELS(TURN_RUNGS)

static __global__ void barriers(int count, int *out)
{
    for (int i = 0; i < count; i++)
        __syncthreads();
    out[threadIdx.x] = count;
}

const char *many_barriers(int count, int *out)
{
    LAUNCH(barriers, 1, 1024, 0, nullptr, count, out);
    return launch_error("a rung");
}

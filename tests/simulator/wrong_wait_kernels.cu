/* Barriers and exchanges that not all threads come to, or that cannot be. */
#include "wrong_kernels.h"

#include "kernels/mma.h"

#include <cooperative_groups.h>
#include <mma.h>

KERNEL(two_barriers)
{
    if (threadIdx.x % 2 == 0)
        AT, __syncthreads();
    else
        AND_AT, __syncthreads();
    out[threadIdx.x] = in[threadIdx.x];
}

KERNEL(two_kinds_of_barrier)
{
    if (threadIdx.x != 40)
        AT, out[0] = __syncthreads_count(in[0]);
    else
        AND_AT, out[1] = __syncthreads_or(n);
}

KERNEL(shuffle_without_itself)
{
    int t = (int)threadIdx.x;
    if (t % 32 < 16)
        AT, out[t] = __shfl_xor_sync(0x7FFF, in[t], 1);
}

KERNEL(shuffle_width)
{
    int t = (int)threadIdx.x;
    AT, out[t] = __shfl_down_sync(0xFFFFFFFF, in[t], 1, 10);
}

KERNEL(shuffle_never_reached)
{
    int t = (int)threadIdx.x;
    if (t == 37)
        AND_AT, __syncthreads();
    else
        AT, out[t] = __shfl_up_sync(0xFFFFFFFF, in[t], 1);
}

KERNEL(shuffle_with_other_mask)
{
    int t = (int)threadIdx.x;
    if (t % 32 == 3)
        AND_AT, out[t] = __shfl_sync(0x0000FFFF, in[t], 1);
    else
        AT, out[t] = __shfl_sync(0xFFFFFFFF, in[t], 1);
}

KERNEL(shuffle_and_vote)
{
    int t = (int)threadIdx.x;
    if (t % 32 == 4)
        AND_AT, out[t] = __any_sync(0xFFFFFFFF, in[t]);
    else
        AT, out[t] = __shfl_sync(0xFFFFFFFF, in[t], 1);
}

KERNEL(mma_without_ended_lane)
{
    float d[4] = {};
    if (threadIdx.x == 35)
        return;
    AT, mma_tf32(d, {1, 2, 3, 4}, 5, 6);
    out[threadIdx.x] = (int)d[0];
}

KERNEL(grid_of_two_blocks)
{
    out[threadIdx.x] = in[threadIdx.x];
    AT, cooperative_groups::this_grid().sync();
}

KERNEL(fragment_without_ended_lane)
{
    using namespace nvcuda::wmma;
    __shared__ __align__(32) float numbers[16 * 16];
    fragment<accumulator, 16, 16, 16, float> sums;
    numbers[threadIdx.x] = (float)in[threadIdx.x];
    if (threadIdx.x == 3)
        return;
    AT, load_matrix_sync(sums, numbers, 16, mem_row_major);
    out[threadIdx.x] = (int)sums.x[0];
}

KERNEL(fragment_misaligned)
{
    using namespace nvcuda::wmma;
    __shared__ __align__(32) float numbers[16 * 16];
    fragment<accumulator, 16, 16, 16, float> sums;
    fill_fragment(sums, (float)in[0]);
    AT, store_matrix_sync(numbers + 4, sums, 16, mem_row_major);
    out[threadIdx.x] = (int)numbers[threadIdx.x];
}

WRONG_WAITS(LAUNCHER)

const char *wrong_unasked(const int *in, int *out, int n)
{
    LAUNCH(two_barriers_kernel, 2, 64, 0, nullptr, in, out, n);
    return nullptr;
}

static __device__ void barrier_of_another_file();

KERNEL(barriers_of_two_files)
{
    if (threadIdx.x < 40)
#line 1000
        AT, __syncthreads();
    else
        barrier_of_another_file();
    out[threadIdx.x] = in[threadIdx.x];
}

const char *wrong_barriers_of_two_files(const int *in, int *out, int n)
{
    LAUNCH(barriers_of_two_files_kernel, 1, 64, 0, nullptr, in, out, n);
    return launch_error("a rung");
}

/* At the same line; nothing comes behind it, for its line would be wrong. */
#line 998 "simulator/another_file.cu"
static __device__ void barrier_of_another_file()
{
    __syncthreads();
}

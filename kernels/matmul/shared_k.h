/* A k that the blocks of a cluster share, or those of several, as many as suit the shape: what the rungs fitted, split
 * and fp16x3_wgmma have in common. */
#pragma once

#include "bench/table/model.h"
#include "hopper.h"
#include "kernels/four.h"
#include "kernels/launch.h"

namespace
{ /* a simulated twin has its own */
/* A launch of so many blocks in clusters of `splits`. Where a multiprocessor has room for several blocks, it by default
 * gets those of one cluster; here they are spread. `early`: as LAUNCH_EARLY(). */
struct launch_config {
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attributes[3] = {};

    launch_config(unsigned blocks, unsigned threads, size_t bytes, unsigned splits, bool early, void *stream)
    {
        unsigned count = 0;
        if (splits > 1) {
            attributes[count].id = cudaLaunchAttributeClusterDimension;
            attributes[count++].val.clusterDim = {splits, 1, 1};
            attributes[count].id = cudaLaunchAttributeClusterSchedulingPolicyPreference;
            attributes[count++].val.clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicyLoadBalancing;
        }
        if (early) {
            attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
            attributes[count++].val.programmaticStreamSerializationAllowed = 1;
        }
        config.gridDim = dim3(blocks);
        config.blockDim = dim3(threads);
        config.dynamicSmemBytes = bytes;
        config.stream = (cudaStream_t)stream;
        config.attrs = attributes;
        config.numAttrs = count;
    }
};
} // namespace

/* The most blocks in a cluster that any GPU which has clusters takes, without being asked for more; 1 if the kernel was
 * compiled for one without. */
template <typename F>
static unsigned cluster_most(F *kernel)
{
    struct cudaFuncAttributes is = {};
    return cudaFuncGetAttributes(&is, kernel) == cudaSuccess && is.ptxVersion >= 90 ? 8 : 1;
}

/* More than 8 blocks have to be asked for, and are not sure to fit. */
template <typename F>
static cudaError_t allow_cluster(F *kernel, unsigned splits)
{
    return splits > 8 ? cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) : cudaSuccess;
}

/* How many multiprocessors can have a block each, if these come in clusters of `splits`; 0: they cannot. Clusters of 16
 * leave some out, and share others rather than these. */
template <typename F>
static int multiprocessors_with_room(F *kernel, unsigned threads, unsigned splits)
{
    struct cudaFuncAttributes is = {};
    int device, all = 0, most_bytes = 0, clusters = 0;
    cudaError_t status = cudaGetDevice(&device);
    if (!status)
        status = cudaDeviceGetAttribute(&all, cudaDevAttrMultiProcessorCount, device);
    if (splits == 1 || status)
        return status ? 0 : all;
    status = cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (!status)
        status = cudaFuncGetAttributes(&is, kernel);
    if (!status)
        status = allow_cluster(kernel, splits);
    const int bytes = most_bytes - (int)is.sharedSizeBytes; /* of which a multiprocessor has room for one */
    if (!status)
        status = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    if (!status) {
        launch_config launch(splits, threads, (size_t)bytes, splits, false, NULL);
        status = cudaOccupancyMaxActiveClusters(&clusters, kernel, &launch.config);
        (void)cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, is.maxDynamicSharedSizeBytes);
    }
    if (status) {
        (void)cudaGetLastError(); /* so that no later call reports it again */
        return 0;
    }
    return clusters * (int)splits;
}

/* NULL, or why the launch failed; `blocks` are those of its grid. */
template <typename... P, typename... A>
static const char *launch_clusters(const char *rung, void (*kernel)(P...), int64_t blocks, unsigned threads,
                                   size_t bytes, unsigned splits, bool early, void *stream, A... arguments)
{
    TRY_CALL(grid_x_error(rung, blocks));
    launch_config launch((unsigned)blocks, threads, bytes, splits, early, stream);
    if (allow_cluster(kernel, splits) == cudaSuccess)
        (void)cudaLaunchKernelEx(&launch.config, kernel, arguments...);
    return launch_error(rung);
}

/* Gives a lane's sums, in the layout of wgmma.h from `row` and `column` of the tile on, to the blocks of the cluster
 * that add them up: block r does so for the rows of the tile from r * ROWS / splits on, of which it gets lines of LINE
 * floats. Two lanes side by side exchange pairs, so that each has four neighbours. */
template <int ROWS, int LINE, int SUMS>
static __device__ __forceinline__ void give_shares(float *shares, const float (&sums)[SUMS], int splits, int rank,
                                                   int row, int column)
{
    const bool odd = threadIdx.x % 2;
    const int rows = ROWS / splits;
    row += odd ? 8 : 0;
    column = column / 4 * 4;
    cluster_arrive();
    cluster_wait(); /* no block needs what was there any more */
#pragma unroll
    for (int i = 0; i < SUMS; i += 4) {
        float x = __shfl_xor_sync(0xFFFFFFFF, odd ? sums[i] : sums[i + 2], 1);
        float y = __shfl_xor_sync(0xFFFFFFFF, odd ? sums[i + 1] : sums[i + 3], 1);
        float4 four = odd ? make_float4(x, y, sums[i + 2], sums[i + 3]) : make_float4(sums[i], sums[i + 1], x, y);
        float4 *to = (float4 *)(shares + (rank * rows + row % rows) * LINE + column + 2 * i);
        if (row / rows == rank)
            *to = four;
        else
            cluster_store(to, row / rows, four);
    }
    cluster_arrive();
    cluster_wait();
}

/* Adds up a block's share of a tile of C, `rows` rows from `row` of C on, and stores the first rows_there of them. At
 * `shares` are those rows from each of the `splits` blocks, one behind the other, in lines of LINE floats; COLUMNS are
 * the tile's, the first of them is `column` of C, n wide. WIDE: n is a multiple of 4, and c is aligned to 16 bytes. */
template <bool WIDE, int COLUMNS, int LINE>
static __device__ __forceinline__ void store_total(const float *shares, int splits, int rows, int64_t row,
                                                   int rows_there, int64_t column, int64_t n, float *c)
{
    constexpr int WIDTH = WIDE ? 4 : 1, PIECES = COLUMNS / WIDTH, AT_ONCE = 4; /* so that loads do not wait in turn */
    const int threads = (int)blockDim.x, all = rows * PIECES;
    for (int first = (int)threadIdx.x; first < all; first += AT_ONCE * threads) {
        float4 sums[AT_ONCE] = {};
        for (int from = 0; from < splits; from++)
#pragma unroll
            for (int u = 0; u < AT_ONCE; u++) {
                const int i = min(first + u * threads, all - 1);
                const float *share = shares + (from * rows + i / PIECES) * LINE + i % PIECES * WIDTH;
                const float4 four = WIDE ? *(const float4 *)share : make_float4(*share, 0, 0, 0);
                sums[u].x += four.x, sums[u].y += four.y, sums[u].z += four.z, sums[u].w += four.w;
            }
#pragma unroll
        for (int u = 0; u < AT_ONCE; u++) {
            const int i = first + u * threads, at_row = i / PIECES, at_column = i % PIECES * WIDTH;
            if (i < all && at_row < rows_there)
                store_four<WIDE>(c + (row + at_row) * n + column + at_column, sums[u],
                                 (int)min(n - column - at_column, (int64_t)WIDTH));
        }
    }
}

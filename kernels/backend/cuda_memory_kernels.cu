/* Kernels that fill, read, copy and rotate memory, for the ceilings, to empty caches and to renew inputs. Not rungs. */
#include "bench/table/noise.h"
#include "cuda_kernels.h"
#include "kernels/launch.h"

#include <cuda_runtime.h>

static __global__ void seed_kernel(uint32_t *memory, size_t words)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < words; i += stride) {
        uint32_t x = (uint32_t)i * 0x9E3779B9u + 0x7F4A7C15u; /* the finisher of MurmurHash3 */
        x = (x ^ x >> 16) * 0x85EBCA6Bu;
        x = (x ^ x >> 13) * 0xC2B2AE35u;
        memory[i] = (x ^ x >> 16) & 0x7FFFFFFFu;
    }
}

/* Whole words where they are aligned; elsewhere, and at the end, byte by byte. */
static __global__ void noise_kernel(uint8_t *memory, size_t bytes, uint64_t seed)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    bool in_words = (uintptr_t)memory % sizeof(uint32_t) == 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < (bytes + 3) / 4; i += stride) {
        uint32_t word = noise_word(seed, i);
        if (in_words && 4 * i + 4 <= bytes)
            ((uint32_t *)memory)[i] = word;
        else
            for (size_t b = 0; b < 4 && 4 * i + b < bytes; b++)
                memory[4 * i + b] = (uint8_t)(word >> 8 * b);
    }
}

/* A thread's vectors of one tile; all loads start before the first vector is used. Vectors beyond the end of the memory
 * are zeros and are not stored; only a tile that contains the end checks for them. */
template <int VECTORS>
struct tile {
    const uint4 *from; /* the thread's first vector */
    size_t left;       /* vectors from there to the end */
    bool whole;
    uint4 v[VECTORS];

    __device__ tile(const uint4 *memory, size_t first, size_t end)
        : from(memory + first), left(end - first), whole((size_t)(VECTORS - 1) * blockDim.x < left)
    {
        if (whole)
            load_all<true>();
        else
            load_all<false>();
    }

    template <bool WHOLE>
    __device__ void load_all()
    {
#pragma unroll
        for (int i = 0; i < VECTORS; i++)
            v[i] = WHOLE || i * blockDim.x < left ? from[i * blockDim.x] : uint4{};
    }

    template <bool WHOLE>
    __device__ void store_all(uint4 *to) const
    {
#pragma unroll
        for (int i = 0; i < VECTORS; i++)
            if (WHOLE || i * blockDim.x < left)
                to[i * blockDim.x] = v[i];
    }
};

/* Plain loads, which fill the L2 cache as the loads of a rung do; loads with a cache hint need not. No number has its
 * top bit set, so the store never happens, but the compiler cannot know that and keeps the loads. */
template <int VECTORS>
static __global__ void __launch_bounds__(1024) read_kernel(const uint4 *memory, size_t end, uint32_t *sink)
{
    size_t step = (size_t)blockDim.x * VECTORS;
    uint32_t seen = 0;
    for (size_t first = blockIdx.x * step + threadIdx.x; first < end; first += gridDim.x * step) {
        tile<VECTORS> t(memory, first, end);
#pragma unroll
        for (int i = 0; i < VECTORS; i++)
            seen |= t.v[i].x | t.v[i].y | t.v[i].z | t.v[i].w;
    }
    if (seen >> 31)
        *sink = seen;
}

template <int VECTORS>
static __global__ void __launch_bounds__(1024) copy_kernel(const uint4 *from, size_t end, uint4 *to)
{
    size_t step = (size_t)blockDim.x * VECTORS;
    for (size_t first = blockIdx.x * step + threadIdx.x; first < end; first += gridDim.x * step) {
        tile<VECTORS> t(from, first, end);
        if (t.whole)
            t.template store_all<true>(to + first);
        else
            t.template store_all<false>(to + first);
    }
}

/* One unit per thread: the largest that divides the rows and their first bytes. */
template <class UNIT>
static __global__ void rotate_kernel(UNIT *to, const UNIT *from, struct rotation rotation)
{
    size_t width = rotation.row_bytes / sizeof(UNIT), first = rotation.first_byte / sizeof(UNIT);
    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < rotation.rows * width; i += stride) {
        size_t row = i / width + rotation.first_row, column = i % width + first;
        row = row < rotation.rows ? row : row - rotation.rows;
        column = column < width ? column : column - width;
        to[i] = from[row * width + column];
    }
}

/* At least one block, at most one per tile. */
static unsigned sweep_blocks(const struct cuda_sweep *sweep, size_t vectors, int multiprocessors)
{
    int64_t tiles = vectors == 0 ? 1 : ceil_div((int64_t)vectors, (int64_t)sweep->threads * sweep->vectors);
    int64_t most = sweep->blocks_per_multiprocessor == 0 ? GRID_X_MAX
                                                         : (int64_t)sweep->blocks_per_multiprocessor * multiprocessors;
    return (unsigned)(tiles < most ? tiles : most);
}

cudaError_t cuda_queue_seed(void *memory, size_t bytes, int multiprocessors, cudaStream_t stream)
{
    seed_kernel<<<8 * multiprocessors, 256, 0, stream>>>((uint32_t *)memory, bytes / sizeof(uint32_t));
    return cudaGetLastError();
}

cudaError_t cuda_queue_noise(void *memory, size_t bytes, uint64_t seed, int multiprocessors, cudaStream_t stream)
{
    const unsigned threads = 256;
    int64_t blocks = ceil_div((int64_t)bytes, (int64_t)4 * threads), most = 8 * (int64_t)multiprocessors;
    noise_kernel<<<(unsigned)(blocks < most ? blocks : most), threads, 0, stream>>>((uint8_t *)memory, bytes, seed);
    return cudaGetLastError();
}

cudaError_t cuda_queue_read(const struct cuda_sweep *sweep, const void *memory, size_t bytes, int multiprocessors,
                            struct cuda_scratch *scratch, cudaStream_t stream)
{
    auto kernel = sweep->vectors == 1 ? read_kernel<1> : sweep->vectors == 2 ? read_kernel<2> : read_kernel<4>;
    size_t vectors = bytes / sizeof(uint4);
    kernel<<<sweep_blocks(sweep, vectors, multiprocessors), (unsigned)sweep->threads, 0, stream>>>(
        (const uint4 *)memory, vectors, &scratch->sink);
    return cudaGetLastError();
}

cudaError_t cuda_queue_copy(const struct cuda_sweep *sweep, void *to, const void *from, size_t bytes,
                            int multiprocessors, cudaStream_t stream)
{
    auto kernel = sweep->vectors == 1 ? copy_kernel<1> : sweep->vectors == 2 ? copy_kernel<2> : copy_kernel<4>;
    size_t vectors = bytes / sizeof(uint4);
    kernel<<<sweep_blocks(sweep, vectors, multiprocessors), (unsigned)sweep->threads, 0, stream>>>(
        (const uint4 *)from, vectors, (uint4 *)to);
    return cudaGetLastError();
}

template <class UNIT>
static cudaError_t queue_rotate(void *to, const void *from, const struct rotation *rotation, int multiprocessors,
                                cudaStream_t stream)
{
    const unsigned threads = 256;
    int64_t units = (int64_t)(rotation->rows * rotation->row_bytes / sizeof(UNIT));
    int64_t blocks = ceil_div(units, (int64_t)threads), most = 16 * (int64_t)multiprocessors;
    rotate_kernel<<<(unsigned)(blocks < most ? blocks : most), threads, 0, stream>>>((UNIT *)to, (const UNIT *)from,
                                                                                     *rotation);
    return cudaGetLastError();
}

cudaError_t cuda_queue_rotate(void *to, const void *from, const struct rotation *rotation, int multiprocessors,
                              cudaStream_t stream)
{
    size_t together = (size_t)to | (size_t)from | rotation->row_bytes | rotation->first_byte;
    auto queue = together % sizeof(uint4) == 0      ? queue_rotate<uint4>
                 : together % sizeof(uint32_t) == 0 ? queue_rotate<uint32_t>
                                                    : queue_rotate<uint8_t>;
    return queue(to, from, rotation, multiprocessors, stream);
}

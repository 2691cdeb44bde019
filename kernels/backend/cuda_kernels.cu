/* Kernels that fill, read and copy memory, for the ceilings, and to empty caches; and kernels about time: they hold the
 * stream, spin, and look at the clocks. Not rungs. */
#include "bench/data/made.h"
#include "cuda_parts.h"
#include "kernels/launch.h"

#include <cuda_runtime.h>

/* A block of random words per thread: a whole vector where memory is aligned; elsewhere, and at the end, byte by byte.
 */
static __global__ void fill_kernel(uint8_t *memory, size_t bytes, struct made made)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    bool in_vectors = (uintptr_t)memory % sizeof(uint4) == 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; 16 * i < bytes; i += stride) {
        struct made_block block = made_draw(made.seed, i, MADE_OF_MEMORY);
#pragma unroll
        for (int w = 0; w < 4; w++)
            block.word[w] = made_from(&made, block.word[w], 4 * i + w);
        if (in_vectors && 16 * i + 16 <= bytes)
            ((uint4 *)memory)[i] = uint4{block.word[0], block.word[1], block.word[2], block.word[3]};
        else
#pragma unroll
            for (size_t b = 0; b < 16; b++)
                if (16 * i + b < bytes)
                    memory[16 * i + b] = (uint8_t)(block.word[b / 4] >> 8 * (b % 4));
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

const char *cuda_fill(void *memory, size_t bytes, const struct made *made)
{
    const unsigned threads = 256;
    int64_t blocks = ceil_div((int64_t)bytes, (int64_t)16 * threads), most = 8 * (int64_t)cuda->multiprocessors;
    fill_kernel<<<(unsigned)(blocks < most ? blocks : most), threads, 0, cuda->stream>>>((uint8_t *)memory, bytes,
                                                                                         *made);
    return cuda_launched("fills memory");
}

/* How a kernel walks over memory. A thread takes `vectors` 16-byte vectors at once: thread i those at i, i + threads,
 * ... of the block's tile. Then the block takes the tile that lies a whole grid further. */
struct sweep {
    int threads;                   /* per block; at most 1024 */
    int vectors;                   /* 1, 2 or 4 */
    int blocks_per_multiprocessor; /* 0: one block per tile */
};

/* None is the fastest for all sizes. Little memory has to be spread over all multiprocessors at once, and most of the
 * time goes into waiting for one load. With much memory, enough loads must be in flight all the time, and no block may
 * be left over at the end. */
static const struct sweep sweeps[CUDA_SWEEPS] = {
    /* When a block ends, the hardware starts the next. */
    {128, 1, 0},
    {256, 1, 0},
    {128, 2, 0},
    {256, 2, 0},
    {256, 4, 0},
    {512, 4, 0},
    /* Blocks that run to the end. CUDA_SWEEP_OF_MUCH is the first: */
    {256, 4, 8},
    {256, 4, 16},
};

/* At least one block, at most one per tile. */
static unsigned sweep_blocks(const struct sweep *sweep, size_t vectors)
{
    int64_t tiles = vectors == 0 ? 1 : ceil_div((int64_t)vectors, (int64_t)sweep->threads * sweep->vectors);
    int64_t most = sweep->blocks_per_multiprocessor == 0
                       ? GRID_X_MAX
                       : (int64_t)sweep->blocks_per_multiprocessor * cuda->multiprocessors;
    return (unsigned)(tiles < most ? tiles : most);
}

const char *cuda_queue_read(int of_sweeps, const void *memory, size_t bytes)
{
    const struct sweep *sweep = &sweeps[of_sweeps];
    auto kernel = sweep->vectors == 1 ? read_kernel<1> : sweep->vectors == 2 ? read_kernel<2> : read_kernel<4>;
    size_t vectors = bytes / sizeof(uint4);
    kernel<<<sweep_blocks(sweep, vectors), (unsigned)sweep->threads, 0, cuda->stream>>>((const uint4 *)memory, vectors,
                                                                                        &cuda->scratch->sink);
    return cuda_launched("reads memory");
}

const char *cuda_queue_copy(int of_sweeps, void *to, const void *from, size_t bytes)
{
    const struct sweep *sweep = &sweeps[of_sweeps];
    auto kernel = sweep->vectors == 1 ? copy_kernel<1> : sweep->vectors == 2 ? copy_kernel<2> : copy_kernel<4>;
    size_t vectors = bytes / sizeof(uint4);
    kernel<<<sweep_blocks(sweep, vectors), (unsigned)sweep->threads, 0, cuda->stream>>>((const uint4 *)from, vectors,
                                                                                        (uint4 *)to);
    return cuda_launched("copies memory");
}

static __device__ uint64_t now_ns(void)
{
    uint64_t time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

static __device__ uint32_t this_multiprocessor(void)
{
    uint32_t number;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
    return number;
}

/* One thread. Its volatile loads read the host's memory each time.
 *
 * When the time limit is reached, it writes `lapsed`, then a fence for the whole system, then ends. Held work starts
 * after that. So while the host does not see `lapsed`, no held work has started. */
static __global__ void hold_kernel(struct cuda_board *board, uint64_t number)
{
    uint64_t start_ns = now_ns();
    while (board->released < number) {
        if (now_ns() - start_ns >= CUDA_HOLD_LIMIT_NS) {
            board->lapsed = number;
            __threadfence_system();
            return;
        }
    }
}

static __global__ void spin_kernel(int64_t nanoseconds)
{
    if (nanoseconds < 0)
        return;
    uint64_t start_ns = now_ns();
    while (now_ns() - start_ns < (uint64_t)nanoseconds) {
    }
    /* The loop ends right after a tick of the clock that times events, too, so all their times would be rounded in the
     * same direction. A pause of random length by another clock breaks the step; 0 waits as long. */
    uint32_t seen = (uint32_t)clock64(), pause = seen & 63;
    while ((uint32_t)clock64() - seen < pause) {
    }
}

/* Always on the same multiprocessor, since each has its own counter of cycles. */
static __global__ void look_kernel(struct cuda_board *board, struct cuda_scratch *scratch, uint64_t number)
{
    if (threadIdx.x != 0 || this_multiprocessor() != 0 || atomicMax(&scratch->look_taken, number) >= number)
        return;
    board->cycles = (uint64_t)clock64();
    board->time_ns = now_ns();
    __threadfence_system();
    board->looked = number;
}

cudaError_t cuda_kernels_usable(int *compiled_for)
{
    cudaFuncAttributes attributes;
    cudaError_t status = cudaFuncGetAttributes(&attributes, hold_kernel);
    if (status == cudaSuccess)
        *compiled_for = attributes.ptxVersion;
    return status;
}

const char *cuda_queue_hold(uint64_t number)
{
    hold_kernel<<<1, 1, 0, cuda->stream>>>(cuda->board, number);
    return cuda_launched("holds");
}

const char *cuda_spin(int64_t nanoseconds)
{
    spin_kernel<<<1, 1, 0, cuda->stream>>>(nanoseconds);
    return cuda_launched("spins");
}

const char *cuda_queue_look(uint64_t number)
{
    /* A multiprocessor holds at most two blocks of 1024 threads, so each of them gets one. */
    look_kernel<<<2 * cuda->multiprocessors, 1024, 0, cuda->stream>>>(cuda->board, cuda->scratch, number);
    return cuda_launched("looks at the clock");
}

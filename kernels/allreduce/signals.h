/* How the blocks of one number, one on each GPU, wait for each other. Each block of a grid has to be on a
 * multiprocessor at once, or they would wait forever.
 *
 * A signal is a number that grows: PTX ISA, "Memory Consistency Model", has what a release and an acquire for the whole
 * system order, and that a barrier of the block passes it on. */
#pragma once

#include "kernels/cards.h"
#include "kernels/launch.h"

constexpr int SIGNAL_BLOCKS = 1024;

struct signals {
    uint32_t seen[SIGNAL_BLOCKS];           /* by its blocks, in calls before this one */
    uint32_t met[SIGNAL_BLOCKS][CARDS_MAX]; /* written by each GPU */
    uint32_t passed[SIGNAL_BLOCKS];         /* by the neighbour in a ring */
};

/* Something of each GPU, in its memory. */
template <typename T>
struct on_all {
    T *of[CARDS_MAX];
};

static __device__ __forceinline__ void tell(uint32_t *signal, uint32_t number)
{
    asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(signal), "r"(number) : "memory");
}

static __device__ __forceinline__ void wait_for(const uint32_t *signal, uint32_t number)
{
    uint32_t is;
    do
        asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(is) : "l"(signal) : "memory");
    while ((int)(is - number) < 0);
}

/* What the blocks have written before, all of them see behind it. `number` is larger than in the meeting before. */
static __device__ __forceinline__ void meet(int cards, int card, const on_all<signals> &all, uint32_t number)
{
    const int other = (int)threadIdx.x;
    __syncthreads();
    if (other < cards) {
        tell(&all.of[other]->met[blockIdx.x][card], number);
        wait_for(&all.of[card]->met[blockIdx.x][other], number);
    }
    __syncthreads();
}

template <typename T>
static const char *make_zeros(const struct cards *cards, int card, void *self)
{
    T **made = &((on_all<T> *)self)->of[card];
    if (cudaMalloc((void **)made, sizeof **made) != cudaSuccess ||
        cudaMemsetAsync(*made, 0, sizeof **made, cards_stream(cards, card)) != cudaSuccess ||
        cudaStreamSynchronize(cards_stream(cards, card)) != cudaSuccess)
        return launch_error("allreduce, memory that GPUs share");
    return NULL;
}

/* Of the file that includes this, for the first `count` GPUs, which have had the same calls; zeros at first. */
template <typename T>
static const char *get_shared(const struct cards *cards, int count, const on_all<T> **all)
{
    static on_all<T> shared[CARDS_MAX + 1];
    *all = &shared[count];
    return shared[count].of[count - 1] ? NULL : cards_each(cards, count, make_zeros<T>, &shared[count]);
}

/* As many blocks as there is work for, and as a GPU holds at once, but at most `most` on a multiprocessor. */
static inline int blocks_at_once(int64_t useful, int threads, int most)
{
    const int room = gpu_attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / threads;
    int64_t blocks = (int64_t)(room < most ? room : most) * gpu_attribute(cudaDevAttrMultiProcessorCount);
    blocks = blocks < SIGNAL_BLOCKS ? blocks : SIGNAL_BLOCKS;
    return (int)(useful < blocks ? useful : blocks);
}

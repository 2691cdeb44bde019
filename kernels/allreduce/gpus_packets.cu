/* allreduce gpus_packets: each GPU sends its array to all others, in packets that say themselves that they are there.
 *
 * Technique: two elements travel with a number each, eight bytes that arrive together, to memory of the other GPU's
 * which waits for that number. So nobody has to say that it has come, nor that it is done: there are two places for
 * each packet, and whoever sends to one for the second time has got what the other GPU sent after it had read the
 * first. NCCL calls such a protocol LL (Hu and others, "Demystifying NCCL", 2025).
 *
 * What it fixes in gpus_direct: a way over the links instead of four: there and back before it reads, and as it reads.
 *
 * What bounds it: the launch and one way over the links. Half of what it sends are numbers, and each other GPU gets all
 * of it: beyond a megabyte for all of them it hands over to gpus_direct.
 *
 * Measured, results/h200-x2/scaling.csv:
 *   allreduce/4-b/gpus_packets/hot 3.508 us
 *   allreduce/1-mib/gpus_packets/hot 10.37 us */
#include "bench/table/allreduce.h"
#include "signals.h"

constexpr int THREADS = 512, PER_MULTIPROCESSOR = 4, BLOCKS_MAX = 256, PACKETS = BLOCKS_MAX * THREADS, IN_PACKET = 2;

/* Of a GPU. A packet is two elements, each with its number behind it: 1, 2, 3, ... in the calls of its block. */
struct inbox {
    uint32_t calls[BLOCKS_MAX];
    uint4 from[2][CARDS_MAX][PACKETS]; /* in odd calls and in even ones */
};

static __device__ __forceinline__ void send(uint4 *to, float first, float second, uint32_t number)
{
    asm volatile("st.volatile.global.v4.u32 [%0], {%1, %2, %3, %2};" ::"l"(to), "r"(__float_as_uint(first)),
                 "r"(number), "r"(__float_as_uint(second))
                 : "memory");
}

static __device__ __forceinline__ float2 receive(const uint4 *from, uint32_t number)
{
    uint32_t first, first_number, second, second_number;
    do
        asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(first), "=r"(first_number), "=r"(second), "=r"(second_number)
                     : "l"(from)
                     : "memory");
    while (first_number != number || second_number != number);
    return float2{__uint_as_float(first), __uint_as_float(second)};
}

/* A thread has one packet, always the same. All GPUs add in the same order. */
static __global__ void __launch_bounds__(THREADS)
    allreduce_packets_kernel(int cards, int card, int n, const float *x, float *y, const on_all<inbox> all)
{
    const int packet = (int)blockIdx.x * THREADS + (int)threadIdx.x, i = packet * IN_PACKET;
    const uint32_t number = all.of[card]->calls[blockIdx.x] + 1, side = number % 2;
    const bool has_first = i < n, has_second = i + 1 < n;
    const float2 own = {has_first ? x[i] : 0, has_second ? x[i + 1] : 0};
    for (int other = 0; other < cards; other++)
        if (other != card && has_first)
            send(&all.of[other]->from[side][card][packet], own.x, own.y, number);
    float2 sum = {0, 0};
    for (int other = 0; other < cards && has_first; other++) {
        const float2 term = other == card ? own : receive(&all.of[card]->from[side][other][packet], number);
        sum = {sum.x + term.x, sum.y + term.y};
    }
    if (has_first)
        y[i] = sum.x;
    if (has_second)
        y[i + 1] = sum.y;
    __syncthreads();
    if (threadIdx.x == 0)
        all.of[card]->calls[blockIdx.x] = number;
}

static int64_t blocks_for(int64_t n)
{
    return ceil_div(ceil_div(n, IN_PACKET), THREADS);
}

static const char *launch(const struct cards *cards, int card, void *self)
{
    const struct allreduce_problem *p = (const struct allreduce_problem *)self;
    const float *x = (const float *)cards_at(cards, card, p->x + card * p->n);
    const on_all<inbox> *all;
    TRY_CALL(get_shared(cards, (int)p->cards, &all));
    return TRY_LAUNCH("allreduce_gpus_packets", allreduce_packets_kernel, blocks_for(p->n), THREADS, 0,
                      cards->stream[card], (int)p->cards, card, (int)p->n, x, (float *)cards_at(cards, card, p->y),
                      *all);
}

const char *allreduce_gpus_packets(const void *problem, void *stream)
{
    struct allreduce_problem p = *(const struct allreduce_problem *)problem;
    const int64_t blocks = blocks_for(p.n), others = p.cards > 1 ? p.cards - 1 : 1;
    if (blocks * others > BLOCKS_MAX || blocks > blocks_at_once(blocks, THREADS, PER_MULTIPROCESSOR))
        return rung_hand_over(allreduce_gpus_direct, problem, stream);
    return cards_each((const struct cards *)stream, (int)p.cards, launch, &p);
}

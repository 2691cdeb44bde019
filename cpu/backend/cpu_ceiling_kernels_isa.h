/* The inner loops of one instruction set, `struct ceiling_kernels ceiling_kernels_ISA`. cpu_each_isa.h includes this
 * file and explains ISA_... */

/* Loads every byte into a register and does nothing with it. The asm statements stand for a use of it, or the compiler
 * would remove the loads. `streams` is a constant where this is inlined. */
static inline __attribute__((always_inline)) ISA_TARGET void ISA_NAME(read_streams)(const char *start, size_t bytes,
                                                                                    size_t streams)
{
    enum { TOGETHER = 8 };
    const LOOSE *from = (const void *)start;
    const size_t stream = bytes / sizeof *from / streams / TOGETHER * TOGETHER;
    for (size_t i = 0; i < stream; i += TOGETHER) {
        ISA_UNROLL
        for (size_t s = 0; s < streams; s++) {
            ISA_UNROLL
            for (size_t j = 0; j < TOGETHER; j++)
                __asm__ volatile("" : : VECTOR_REGISTER(from[s * stream + i + j]));
        }
    }
    const char *rest = start + streams * stream * sizeof *from, *end = start + bytes;
    for (; rest + sizeof *from <= end; rest += sizeof *from)
        __asm__ volatile("" : : VECTOR_REGISTER(*(const LOOSE *)(const void *)rest));
    for (; rest < end; rest++)
        __asm__ volatile("" : : "r"(*rest));
}

static ISA_TARGET void ISA_NAME(read)(const char *start, size_t bytes)
{
    ISA_NAME(read_streams)(start, bytes, 1);
}

static ISA_TARGET void ISA_NAME(read_spread)(const char *start, size_t bytes)
{
    ISA_NAME(read_streams)(start, bytes, STREAMS);
}

/* Chains of multiply-adds that depend on each other only from round to round. A core starts two per cycle, each takes
 * up to five cycles, so ten chains are enough. One round adds a little of the next number to each, the next round
 * subtracts it. So the numbers change all the time, but neither grow nor vanish. */
static ISA_TARGET float ISA_NAME(multiply_add)(int64_t rounds)
{
    enum { CHAINS = ISA_REGISTERS * 3 / 4 };
    VECTOR chain[CHAINS];
    for (int i = 0; i < CHAINS; i++)
        for (int lane = 0; lane < ISA_LANES; lane++)
            chain[i][lane] = 1.0F + (float)(i * ISA_LANES + lane) / (CHAINS * ISA_LANES);
    const VECTOR little = (VECTOR){0} + 0x1p-20F;
    for (int64_t round = 0; round < rounds; round += 2) {
        ISA_UNROLL
        for (int i = 0; i < CHAINS; i++)
            chain[i] += chain[(i + 1) % CHAINS] * little;
        ISA_UNROLL
        for (int i = 0; i < CHAINS; i++)
            chain[i] -= chain[(i + 1) % CHAINS] * little;
    }
    float sum = 0;
    for (int i = 0; i < CHAINS; i++)
        for (int lane = 0; lane < ISA_LANES; lane++)
            sum += chain[i][lane];
    return sum / (CHAINS * ISA_LANES);
}

static const struct ceiling_kernels ISA_NAME(ceiling_kernels) = {
    .read = {ISA_NAME(read), ISA_NAME(read_spread)},
    .multiply_add = ISA_NAME(multiply_add),
    .round_flop = 2 * (ISA_REGISTERS * 3 / 4) * ISA_LANES,
};

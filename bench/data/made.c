#include "made.h"

static inline void fill_blocks(unsigned char *to, size_t blocks, const struct made *made, enum made_kind kind,
                               uint64_t first)
{
    struct made of = *made;
    of.kind = kind;
    for (size_t i = 0; i < blocks; i++) {
        struct made_block block = made_draw(of.seed, first + i, MADE_OF_MEMORY);
        for (size_t w = 0; w < 4; w++)
            block.word[w] = made_from(&of, block.word[w], 4 * (first + i) + w);
        memcpy(to + sizeof block * i, &block, sizeof block);
    }
}

/* A loop for each kind that is made often, since compilers do not take the switch of made_from() out of it. */
#define FILL(kind) \
    case kind: fill_blocks(to, blocks, made, kind, first); break

static void fill_whole(unsigned char *to, size_t blocks, const struct made *made, uint64_t first)
{
    switch (made->kind) {
        FILL(MADE_BITS);
        FILL(MADE_FLOATS);
        FILL(MADE_BYTE);
        FILL(MADE_ZEROS);
        FILL(MADE_ONES);
        FILL(MADE_UNIT);
        FILL(MADE_SHARP);
        FILL(MADE_ROWS);
        FILL(MADE_FRACTIONS);
    default: fill_blocks(to, blocks, made, made->kind, first);
    }
}

static void fill_words(unsigned char *to, size_t bytes, const struct made *made, uint64_t index)
{
    for (size_t done = 0; done < bytes; done += 4, index++) {
        uint32_t word = made_word(made, index);
        memcpy(to + done, &word, bytes - done < 4 ? bytes - done : 4);
    }
}

void made_fill(void *to, size_t bytes, const struct made *made, size_t first)
{
    const size_t block = sizeof(struct made_block), odd = (block - first % block) % block;
    const size_t before = odd < bytes ? odd : bytes, blocks = (bytes - before) / block, whole = before + blocks * block;
    unsigned char *bytes_to = to;
    fill_words(bytes_to, before, made, first / 4);
    fill_whole(bytes_to + before, blocks, made, (first + before) / block);
    fill_words(bytes_to + whole, bytes - whole, made, (first + whole) / 4);
}

struct made made_unit(uint64_t seed, float scale)
{
    return (struct made){.kind = MADE_UNIT, .seed = seed, .scale = scale};
}

struct made made_sharp(uint64_t seed, double share, float dust)
{
    const uint32_t big = share < 1 ? (uint32_t)(share * 0x1p32) : UINT32_MAX;
    return (struct made){.kind = MADE_SHARP, .seed = seed, .scale = 1, .big = big, .dust = dust};
}

static size_t common_divisor(size_t a, size_t b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

struct made made_rows(enum made_kind kind, uint64_t seed, const uint8_t *rows, size_t row_length, size_t row_count)
{
    const struct made_block drawn = made_draw(seed, 0, MADE_OF_ROWS);
    size_t step = 1 + drawn.word[1] % row_count;
    while (common_divisor(step, row_count) != 1)
        step++;
    return (struct made){.kind = kind,
                         .seed = seed,
                         .rows = rows,
                         .row_length = row_length,
                         .row_count = row_count,
                         .first = drawn.word[0] % row_count,
                         .step = step};
}

size_t made_rows_bytes(const struct made *made)
{
    const size_t row = made->kind == MADE_ONE_HOT ? 1 : made->row_length;
    return made->rows ? row * made->row_count : 0;
}

/* Made memory: each word is a function of a seed and of where it lies. A device fills inputs and poisons outputs so,
 * and whoever knows the seed can tell any word of them without holding the rest.
 *
 * Random words are those of Philox4x32-10 (J. Salmon, M. Moraes, R. Dror and D. Shaw, "Parallel random numbers: as easy
 * as 1, 2, 3", SC 2011): the seed is the key, and a place in memory the counter. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#define MADE_RULE static __host__ __device__ inline
#else
#define MADE_RULE static inline
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum made_kind {
    /* What outputs are poisoned with: */
    MADE_BITS,   /* random bits */
    MADE_FLOATS, /* random floats of either sign, from 2^-4 to 2^4, as an answer might have them */
    MADE_BYTE,   /* one random byte everywhere */
    MADE_ZEROS,
    MADE_ONES, /* all bits are 1: NaN in FP32 */
    MADE_POISONS,

    /* Inputs, FP32 where nothing else is said: */
    MADE_UNIT = MADE_POISONS, /* uniform in [-1, 1], times `scale` */
    MADE_SHARP,     /* as MADE_UNIT; but of 2^32 elements only about `big` are that large, the others `dust` times so */
    MADE_ROWS,      /* bytes: rows of a data set, permuted; the lowest bit of each byte is random */
    MADE_FRACTIONS, /* the bytes of such rows as they are, each divided by 255 */
    MADE_ONE_HOT,   /* rows of zeros and one 1: at the place that the data set, bytes, says; NULL: at a random one */
    MADE_POSITIVE,  /* random bits, but the top bit of each word is 0; no 16 bytes equal the next 16 */
    MADE_HALVES,    /* IEEE binary16, uniform in [-1, 1) with steps of 2^-10 */
    MADE_BFLOATS,   /* bfloat16, uniform in [-1, 1) with steps of 2^-7 */
    MADE_DOUBLES,   /* uniform in [-1, 1] */
    MADE_INTEGERS,  /* 32 bits: from `low` on, `count` different ones */
    MADE_SORTED,    /* 32 bits: `row_length` of them from `low` to low + count, none smaller than the one before */
    MADE_PERMUTED,  /* 32 bits: each from `low` on, row_count of them, once */
    MADE_GIVEN,     /* `rows` as they are, which the host has made; NULL: it had no memory for them */
};

struct made {
    enum made_kind kind;
    uint64_t seed;
    float scale;  /* of MADE_UNIT and MADE_SHARP */
    uint32_t big; /* of MADE_SHARP, and `dust` too */
    float dust;
    int32_t low;
    uint32_t count;
    size_t row_length;   /* in elements */
    const uint8_t *rows; /* the data set, where made_word() is called: on a device its memory */
    size_t row_count;
    size_t first, step; /* row r is row (first + r * step) mod row_count of the data set */
};

struct made_block {
    uint32_t word[4];
};

/* Philox4x32-10 as the paper has it: counter and key in words, the lowest first. */
MADE_RULE struct made_block made_philox(struct made_block counter, uint32_t key_low, uint32_t key_high)
{
    const uint64_t m0 = 0xD2511F53, m1 = 0xCD9E8D57;
    const uint32_t w0 = 0x9E3779B9, w1 = 0xBB67AE85;
    uint32_t *c = counter.word;
    for (int round = 0; round < 10; round++, key_low += w0, key_high += w1) {
        const uint64_t p0 = m0 * c[0], p1 = m1 * c[2];
        c[0] = (uint32_t)(p1 >> 32) ^ c[1] ^ key_low;
        c[2] = (uint32_t)(p0 >> 32) ^ c[3] ^ key_high;
        c[1] = (uint32_t)p1;
        c[3] = (uint32_t)p0;
    }
    return counter;
}

/* Four random words. What is drawn for another `purpose` has nothing to do with them. */
MADE_RULE struct made_block made_draw(uint64_t seed, uint64_t index, uint32_t purpose)
{
    struct made_block counter = {{(uint32_t)index, (uint32_t)(index >> 32), purpose, 0}};
    return made_philox(counter, (uint32_t)seed, (uint32_t)(seed >> 32));
}

enum {
    MADE_OF_MEMORY,
    MADE_OF_ROWS,
    MADE_OF_NUMBERS,
    MADE_OF_SEEDS,
    MADE_OF_ROUNDS
}; /* purposes; the last are several */

/* 64 random bits, number `index` of a seed. */
MADE_RULE uint64_t made_bits(uint64_t seed, uint64_t index)
{
    struct made_block block = made_draw(seed, index, MADE_OF_NUMBERS);
    return (uint64_t)block.word[1] << 32 | block.word[0];
}

/* A seed of its own for each `purpose`. */
MADE_RULE uint64_t made_seed(uint64_t seed, uint64_t purpose)
{
    struct made_block block = made_draw(seed, purpose, MADE_OF_SEEDS);
    return (uint64_t)block.word[1] << 32 | block.word[0];
}

MADE_RULE uint32_t made_float(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

MADE_RULE size_t made_row(const struct made *made, uint64_t row)
{
    return (made->first + row % made->row_count * made->step) % made->row_count;
}

/* Element `index` of permuted rows. */
MADE_RULE uint8_t made_of_rows(const struct made *made, uint64_t index)
{
    return made->rows[made_row(made, index / made->row_length) * made->row_length + index % made->row_length];
}

MADE_RULE uint32_t made_four_bytes(const struct made *made, uint32_t bits, uint64_t index)
{
    uint64_t row = 4 * index / made->row_length, column = 4 * index % made->row_length;
    const uint8_t *from = made->rows + made_row(made, row) * made->row_length;
    uint32_t word = bits & 0x01010101;
    for (uint32_t b = 0; b < 4; b++) {
        word |= (uint32_t)(from[column] & 0xFE) << 8 * b;
        if (++column == made->row_length) {
            column = 0;
            from = made->rows + made_row(made, ++row) * made->row_length;
        }
    }
    return word;
}

MADE_RULE uint32_t made_one_hot(const struct made *made, uint64_t index)
{
    const uint64_t row = index / made->row_length;
    const uint64_t place = made->rows ? made->rows[made_row(made, row)]
                                      : made_draw(made->seed, row, MADE_OF_ROWS).word[0] * made->row_length >> 32;
    return made_float(index % made->row_length == place ? 1 : 0);
}

/* The 16-bit float that an integer times 2^-10, or 2^-7, is: a float's bits, without those that are 0. */
MADE_RULE uint32_t made_half(int32_t k)
{
    const uint32_t bits = made_float((float)k * 0x1p-10f);
    return k == 0 ? 0 : (bits >> 16 & 0x8000) | ((bits >> 13 & 0x3FFFF) - (UINT32_C(112) << 10));
}

MADE_RULE uint32_t made_bfloat(int32_t k)
{
    return made_float((float)k * 0x1p-7f) >> 16;
}

/* The upper word has a sign, an exponent and 20 digits; the lower one is digits, and random. */
MADE_RULE uint32_t made_half_of_double(uint32_t bits, uint64_t index)
{
    const double value = (double)(int32_t)bits * 0x1p-31;
    uint64_t both;
    memcpy(&both, &value, sizeof both);
    return index % 2 == 0 ? bits : (uint32_t)(both >> 32);
}

/* A number with a random fraction, of which the next is larger. */
MADE_RULE uint32_t made_sorted(const struct made *made, uint32_t bits, uint64_t index)
{
    const uint64_t last = made->row_length - 1;
    const double each = (double)made->count / (double)(last > 0 ? last : 1);
    const uint32_t above = index >= last ? made->count : (uint32_t)(((double)index + (double)bits * 0x1p-32) * each);
    return (uint32_t)made->low + (index == 0 ? 0 : above);
}

/* A Feistel network of six rounds permutes a power of four; what lies beyond is permuted again until it does not (M.
 * Luby and C. Rackoff, "How to construct pseudorandom permutations from pseudorandom functions", SIAM J. Comput. 17,
 * 1988; J. Black and P. Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002). */
MADE_RULE uint32_t made_permuted(const struct made *made, uint64_t index)
{
    uint32_t half = 1;
    while ((UINT64_C(1) << 2 * half) < made->row_count)
        half++;
    const uint64_t mask = (UINT64_C(1) << half) - 1;
    index %= made->row_count; /* from a number that is none of them the way may never lead back */
    do {
        uint64_t left = index >> half, right = index & mask;
        for (uint32_t round = 0; round < 6; round++) {
            const uint64_t next = left ^ (made_draw(made->seed, right, MADE_OF_ROUNDS + round).word[0] & mask);
            left = right;
            right = next;
        }
        index = left << half | right;
    } while (index >= made->row_count);
    return (uint32_t)index;
}

MADE_RULE uint32_t made_given(const struct made *made, uint64_t index)
{
    uint32_t word;
    memcpy(&word, made->rows + sizeof word * index, sizeof word);
    return word;
}

/* What word `index` is where these are its random bits. An odd number times the bits decides which words are large, and
 * says nothing of how large. */
MADE_RULE uint32_t made_from(const struct made *made, uint32_t bits, uint64_t index)
{
    const float unit = (float)(int32_t)bits * 0x1p-31f * made->scale;
    switch (made->kind) {
    case MADE_FLOATS: return (bits & UINT32_C(0x807FFFFF)) | (UINT32_C(123) + (bits >> 23) % 8) << 23;
    case MADE_BYTE: return ((uint32_t)(made->seed >> 32) & 0xFF) * UINT32_C(0x01010101);
    case MADE_ZEROS: return 0;
    case MADE_ONES: return UINT32_MAX;
    case MADE_UNIT: return made_float(unit);
    case MADE_SHARP: return made_float(bits * UINT32_C(0x9E3779B1) < made->big ? unit : unit * made->dust);
    case MADE_ROWS: return made_four_bytes(made, bits, index);
    case MADE_FRACTIONS: return made_float((float)made_of_rows(made, index) / 255.0f);
    case MADE_ONE_HOT: return made_one_hot(made, index);
    case MADE_POSITIVE: return bits >> 1;
    case MADE_HALVES: return made_half((int16_t)bits >> 5) | made_half((int32_t)bits >> 21) << 16;
    case MADE_BFLOATS: return made_bfloat((int16_t)bits >> 8) | made_bfloat((int32_t)bits >> 24) << 16;
    case MADE_DOUBLES: return made_half_of_double(bits, index);
    case MADE_INTEGERS: return (uint32_t)made->low + (uint32_t)((uint64_t)bits * made->count >> 32);
    case MADE_SORTED: return made_sorted(made, bits, index);
    case MADE_PERMUTED: return (uint32_t)made->low + made_permuted(made, index);
    case MADE_GIVEN: return made_given(made, index);
    default: return bits;
    }
}

/* Bytes 4 * index to 4 * index + 3 of the memory, as they lie there. */
MADE_RULE uint32_t made_word(const struct made *made, uint64_t index)
{
    return made_from(made, made_draw(made->seed, index / 4, MADE_OF_MEMORY).word[index % 4], index);
}

/* Writes that to the host's memory: its bytes from number `first` on, a multiple of 4. */
void made_fill(void *to, size_t bytes, const struct made *made, size_t first);

struct made made_unit(uint64_t seed, float scale);
struct made made_sharp(uint64_t seed, double share, float dust); /* a share of the elements is large */

/* MADE_ROWS, MADE_FRACTIONS or MADE_ONE_HOT of a data set, permuted as the seed says: alike for as many rows. */
struct made made_rows(enum made_kind kind, uint64_t seed, const uint8_t *rows, size_t row_length, size_t row_count);

/* Bytes of the data set that `rows` are; 0: there is none. */
size_t made_rows_bytes(const struct made *made);

#ifdef __cplusplus
}
#endif

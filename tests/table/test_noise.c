/* Noise: what the kinds are like, that seeds and places matter, and that any piece of it can be made alone. */
#include "bench/table/noise.h"

#include "bench/base/seeded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { WORDS = 20000 };

static void any_piece_can_be_made_alone(void **state)
{
    (void)state;
    unsigned char whole[203], piece[203];
    for (uint64_t seed = 0; seed < 8 * NOISE_KINDS; seed++) {
        noise_fill(whole, sizeof whole, noise_seed(seeded_bits(1, seed), (enum noise_kind)(seed % NOISE_KINDS)), 0);
        for (size_t first = 0; first < sizeof whole; first += 4) {
            for (size_t bytes = 0; bytes <= sizeof whole - first; bytes += 7) {
                memset(piece, 0x5A, sizeof piece);
                noise_fill(piece, bytes, noise_seed(seeded_bits(1, seed), (enum noise_kind)(seed % NOISE_KINDS)),
                           first);
                assert_memory_equal(piece, whole + first, bytes);
                if (bytes < sizeof piece)
                    assert_int_equal(piece[bytes], 0x5A);
            }
        }
    }
}

static void plausible_floats_are_of_both_signs_and_of_an_answers_size(void **state)
{
    (void)state;
    int negative = 0, large = 0;
    for (uint64_t i = 0; i < WORDS; i++) {
        uint32_t word = noise_word(noise_seed(seeded_bits(2, 0), NOISE_FLOATS), i);
        float value;
        memcpy(&value, &word, sizeof value);
        assert_true(fabsf(value) >= 0x1p-4f && fabsf(value) < 0x1p4f);
        negative += value < 0;
        large += fabsf(value) >= 1;
    }
    assert_in_range(negative, WORDS * 2 / 5, WORDS * 3 / 5);
    assert_in_range(large, WORDS * 2 / 5, WORDS * 3 / 5);
}

static void the_constant_kinds_are_constant(void **state)
{
    (void)state;
    bool seen[256] = {false};
    for (uint64_t i = 0; i < WORDS; i++) {
        uint32_t byte = noise_word(noise_seed(seeded_bits(3, i), NOISE_BYTE), i);
        assert_int_equal(byte, (byte & 0xFF) * 0x01010101u);
        assert_int_equal(byte, noise_word(noise_seed(seeded_bits(3, i), NOISE_BYTE), 0));
        seen[byte & 0xFF] = true;
        assert_int_equal(noise_word(noise_seed(seeded_bits(3, i), NOISE_ZEROS), i), 0);
        assert_int_equal(noise_word(noise_seed(seeded_bits(3, i), NOISE_ONES), i), UINT32_MAX);
    }
    for (size_t byte = 0; byte < 256; byte++)
        assert_true(seen[byte]);
}

/* Each bit changes in about half of the words when the seed or the place does. */
static void bits_depend_on_seed_and_place(void **state)
{
    (void)state;
    int by_seed[32] = {0}, by_high_seed[32] = {0}, by_place[32] = {0}, by_far_place[32] = {0};
    for (uint64_t i = 0; i < WORDS; i++) {
        uint64_t seed = noise_seed(seeded_bits(4, i), NOISE_BITS);
        uint32_t word = noise_word(seed, i);
        for (int bit = 0; bit < 32; bit++) {
            by_seed[bit] += (int)((word ^ noise_word(seed + 8, i)) >> bit & 1);
            by_high_seed[bit] += (int)((word ^ noise_word(seed + (UINT64_C(1) << 40), i)) >> bit & 1);
            by_place[bit] += (int)((word ^ noise_word(seed, i + 1)) >> bit & 1);
            by_far_place[bit] += (int)((word ^ noise_word(seed, i + (UINT64_C(1) << 32))) >> bit & 1);
        }
    }
    for (int bit = 0; bit < 32; bit++) {
        const int *const all[] = {by_seed, by_high_seed, by_place, by_far_place};
        for (size_t i = 0; i < 4; i++)
            assert_in_range(all[i][bit], WORDS * 9 / 20, WORDS * 11 / 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_piece_can_be_made_alone),
        cmocka_unit_test(plausible_floats_are_of_both_signs_and_of_an_answers_size),
        cmocka_unit_test(the_constant_kinds_are_constant),
        cmocka_unit_test(bits_depend_on_seed_and_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Made memory: Philox is the published one, what the kinds are like, that seeds and places matter, and that any piece
 * can be made alone. */
#include "bench/table/element.h"
#include "bench/data/made.h"
#include "tests/unit.h"

enum { WORDS = 20000, KINDS = MADE_PERMUTED + 1, ROW = 13, ROWS = 12 };

static const uint8_t labels[ROWS] = {0, 3, 12, 5, 7, 1, 9, 11, 2, 2, 8, 4};
static uint8_t data_set[ROWS * ROW];

static struct made of_kind(enum made_kind kind, uint64_t seed)
{
    struct made made = made_rows(kind, seed, kind == MADE_ONE_HOT ? labels : data_set, ROW, ROWS);
    made.scale = 1;
    made.big = UINT32_C(1) << 30;
    made.dust = 0x1p-36f;
    made.low = -5;
    made.count = 40;
    return made;
}

static int make_data_set(void **state)
{
    for (size_t i = 0; i < sizeof data_set; i++)
        data_set[i] = (uint8_t)(i + 50);
    return 0;
}

/* Random123's kat_vectors, of philox4x32 with 10 rounds. */
TEST(philox_has_the_published_answers)
{
    static const struct {
        struct made_block counter;
        uint32_t key[2];
        struct made_block answer;
    } known[] = {
        {{{0, 0, 0, 0}}, {0, 0}, {{0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8}}},
        {{{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}},
         {UINT32_MAX, UINT32_MAX},
         {{0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD}}},
        {{{0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344}},
         {0xA4093822, 0x299F31D0},
         {{0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1}}},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct made_block got = made_philox(known[i].counter, known[i].key[0], known[i].key[1]);
        assert_memory_equal(&got, &known[i].answer, sizeof got);
    }
    const struct made zeros = {.kind = MADE_BITS};
    for (uint64_t w = 0; w < 4; w++)
        assert_int_equal(made_word(&zeros, w), known[0].answer.word[w]);
}

TEST(any_piece_can_be_made_alone)
{
    unsigned char whole[203], piece[203];
    for (int kind = 0; kind < KINDS; kind++) {
        const struct made made = of_kind((enum made_kind)kind, 77 + (uint64_t)kind);
        made_fill(whole, sizeof whole, &made, 0);
        for (size_t first = 0; first < sizeof whole; first += 4) {
            for (size_t bytes = 0; bytes <= sizeof whole - first; bytes += 7) {
                memset(piece, 0x5A, sizeof piece);
                made_fill(piece, bytes, &made, first);
                assert_memory_equal(piece, whole + first, bytes);
                if (bytes < sizeof piece)
                    assert_int_equal(piece[bytes], 0x5A);
            }
            const uint32_t word = made_word(&made, first / 4);
            assert_memory_equal(&word, whole + first, sizeof whole - first < 4 ? sizeof whole - first : 4);
        }
    }
}

static float number(enum made_kind kind, uint64_t seed, uint64_t index)
{
    const struct made made = of_kind(kind, seed);
    const uint32_t word = made_word(&made, index);
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

TEST(plausible_floats_are_of_both_signs_and_of_an_answers_size)
{
    int negative = 0, large = 0;
    for (uint64_t i = 0; i < WORDS; i++) {
        const float value = number(MADE_FLOATS, 2, i);
        assert_true(fabsf(value) >= 0x1p-4f && fabsf(value) < 0x1p4f);
        negative += value < 0;
        large += fabsf(value) >= 1;
    }
    assert_in_range(negative, WORDS * 2 / 5, WORDS * 3 / 5);
    assert_in_range(large, WORDS * 2 / 5, WORDS * 3 / 5);
}

TEST(the_constant_kinds_are_constant)
{
    bool seen[256] = {false};
    for (uint64_t i = 0; i < WORDS; i++) {
        const struct made byte = of_kind(MADE_BYTE, made_bits(3, i)), zeros = of_kind(MADE_ZEROS, made_bits(3, i)),
                          ones = of_kind(MADE_ONES, made_bits(3, i));
        const uint32_t word = made_word(&byte, i);
        assert_int_equal(word, (word & 0xFF) * 0x01010101u);
        assert_int_equal(word, made_word(&byte, 0));
        seen[word & 0xFF] = true;
        assert_int_equal(made_word(&zeros, i), 0);
        assert_int_equal(made_word(&ones, i), UINT32_MAX);
    }
    for (size_t byte = 0; byte < 256; byte++)
        assert_true(seen[byte]);
}

/* Each bit changes in about half of the words when the seed or the place does. */
TEST(bits_depend_on_seed_and_place)
{
    int changed[4][32] = {{0}};
    for (uint64_t i = 0; i < WORDS; i++) {
        const uint64_t seed = made_bits(4, i);
        const struct made made = of_kind(MADE_BITS, seed), next = of_kind(MADE_BITS, seed + 1),
                          high = of_kind(MADE_BITS, seed + (UINT64_C(1) << 40));
        const uint32_t word = made_word(&made, i);
        const uint32_t others[4] = {made_word(&next, i), made_word(&high, i), made_word(&made, i + 1),
                                    made_word(&made, i + (UINT64_C(1) << 32))};
        for (size_t other = 0; other < 4; other++)
            for (int bit = 0; bit < 32; bit++)
                changed[other][bit] += (int)((word ^ others[other]) >> bit & 1);
    }
    for (size_t other = 0; other < 4; other++)
        for (int bit = 0; bit < 32; bit++)
            assert_in_range(changed[other][bit], WORDS * 9 / 20, WORDS * 11 / 20);
}

/* A quarter is large here; nothing is subnormal, nor are products; and sizes say nothing of which ones are large. */
TEST(few_sharp_numbers_are_large_and_the_others_dust)
{
    int large = 0, negative = 0, above_half = 0;
    for (uint64_t i = 0; i < WORDS; i++) {
        const float value = number(MADE_SHARP, 6, i), all = number(MADE_UNIT, 6, i);
        assert_true(value == all || value == all * 0x1p-36f);
        assert_true(fabsf(value) * fabsf(value) >= 0x1p-126f);
        large += value == all;
        negative += value == all && value < 0;
        above_half += value == all && fabsf(value) > 0.5f;
    }
    assert_in_range(large, WORDS * 23 / 100, WORDS * 27 / 100);
    assert_in_range(negative, large * 45 / 100, large * 55 / 100);
    assert_in_range(above_half, large * 45 / 100, large * 55 / 100);
}

/* Each row of the data set comes once, in an order that the seed says; then they begin again. */
TEST(rows_are_permuted_and_repeat)
{
    bool differ = false;
    for (uint64_t seed = 0; seed < 50; seed++) {
        const struct made made = of_kind(MADE_ROWS, seed);
        bool seen[ROWS] = {false};
        uint8_t bytes[2 * ROWS * ROW];
        made_fill(bytes, sizeof bytes, &made, 0);
        for (size_t r = 0; r < 2 * ROWS; r++) {
            const size_t from = made_row(&made, r);
            differ |= r < ROWS && from != (r + made_row(&made, 0)) % ROWS;
            assert_true(from == made_row(&made, r + ROWS) && seen[from] == (r >= ROWS));
            seen[from] = true;
            for (size_t c = 0; c < ROW; c++)
                assert_int_equal(bytes[r * ROW + c] | 1, data_set[from * ROW + c] | 1);
        }
    }
    assert_true(differ);
}

TEST(the_lowest_bit_of_a_byte_is_random)
{
    int ones = 0, same = 0;
    for (uint64_t i = 0; i < WORDS; i++) {
        const struct made made = of_kind(MADE_ROWS, 8);
        const uint32_t word = made_word(&made, i), again = made_word(&made, i + ROWS * ROW);
        for (int byte = 0; byte < 4; byte++) {
            ones += (int)(word >> 8 * byte & 1);
            same += (word >> 8 * byte & 1) == (again >> 8 * byte & 1);
        }
    }
    assert_in_range(ones, WORDS * 19 / 10, WORDS * 21 / 10);
    assert_in_range(same, WORDS * 19 / 10, WORDS * 21 / 10);
}

TEST(a_data_set_has_so_many_bytes)
{
    const struct made rows = of_kind(MADE_ROWS, 1), fractions = of_kind(MADE_FRACTIONS, 1),
                      hot = of_kind(MADE_ONE_HOT, 1), unit = made_unit(1, 1);
    assert_int_equal(made_rows_bytes(&rows), sizeof data_set);
    assert_int_equal(made_rows_bytes(&fractions), sizeof data_set);
    assert_int_equal(made_rows_bytes(&hot), sizeof labels);
    assert_int_equal(made_rows_bytes(&unit), 0);
}

TEST(a_label_that_nobody_knows_is_random)
{
    const struct made made = {.kind = MADE_ONE_HOT, .seed = 10, .row_length = 10};
    int count[10] = {0};
    for (uint64_t r = 0; r < WORDS; r++) {
        int ones = 0;
        for (uint64_t c = 0; c < 10; c++) {
            const bool is_one = made_word(&made, r * 10 + c) == made_float(1);
            ones += is_one;
            count[c] += is_one;
        }
        assert_int_equal(ones, 1);
    }
    for (size_t c = 0; c < 10; c++)
        assert_in_range(count[c], WORDS * 9 / 100, WORDS * 11 / 100);
}

TEST(what_ceilings_read_has_no_top_bits_and_no_equal_neighbours)
{
    const struct made made = of_kind(MADE_POSITIVE, 11);
    uint32_t words[WORDS];
    made_fill(words, sizeof words, &made, 0);
    for (size_t i = 0; i < WORDS; i++)
        assert_int_equal(words[i] >> 31, 0);
    for (size_t i = 0; i + 8 <= WORDS; i += 4)
        assert_memory_not_equal(words + i, words + i + 4, 16);
}

/* Multiples of a step, of which both ends are reached, or any digits. */
TEST(numbers_are_uniform)
{
    static const struct {
        enum made_kind kind;
        enum element_type type;
        double least, most, step; /* 0: none */
    } cases[] = {{MADE_UNIT, ELEMENT_FLOAT, -1, 1, 0},
                 {MADE_DOUBLES, ELEMENT_DOUBLE, -1, 1, 0},
                 {MADE_HALVES, ELEMENT_HALF, -1, 1023.0 / 1024, 1.0 / 1024},
                 {MADE_BFLOATS, ELEMENT_BFLOAT16, -1, 127.0 / 128, 1.0 / 128},
                 {MADE_INTEGERS, ELEMENT_INT32, -5, 34, 1}};
    static double elements[WORDS]; /* room for any */
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const struct made made = of_kind(cases[c].kind, 12);
        const double middle = (cases[c].least + cases[c].most) / 2, reach = cases[c].most - middle + cases[c].step / 2;
        double sum = 0, squares = 0, least = INFINITY, most = -INFINITY;
        int finer = 0;
        made_fill(elements, sizeof elements, &made, 0);
        for (int64_t i = 0; i < WORDS; i++) {
            const double value = element_value(cases[c].type, elements, i), from_middle = (value - middle) / reach;
            assert_true(cases[c].step == 0 || value / cases[c].step == rint(value / cases[c].step));
            least = fmin(least, value);
            most = fmax(most, value);
            finer += (float)value != value;
            sum += from_middle;
            squares += from_middle * from_middle;
        }
        assert_true(least >= cases[c].least && most <= cases[c].most);
        assert_true(cases[c].step == 0 || (least == cases[c].least && most == cases[c].most));
        assert_true(cases[c].kind != MADE_DOUBLES || finer > WORDS * 99 / 100);
        assert_true(fabs(sum / WORDS) < 0.02 && fabs(squares / WORDS - 1.0 / 3) < 0.01);
    }
}

TEST(sorted_integers_begin_and_end_as_said)
{
    const size_t lengths[] = {1, 2, 13, 1000};
    const uint32_t counts[] = {0, 1, 40, 100000};
    for (size_t l = 0; l < 4; l++)
        for (size_t c = 0; c < 4; c++) {
            struct made made = of_kind(MADE_SORTED, 15);
            made.row_length = lengths[l];
            made.count = counts[c];
            int before = made.low, empty = 0;
            for (uint64_t i = 0; i < lengths[l]; i++) {
                const int value = (int)made_word(&made, i);
                assert_true(value >= before && value <= made.low + (int)made.count);
                assert_true(i > 0 || value == made.low);
                empty += i > 0 && value == before;
                before = value;
            }
            assert_true(lengths[l] == 1 || before == made.low + (int)made.count);
            assert_true(lengths[l] != 1000 || counts[c] != 1 || empty == 998);
        }
}

TEST(permuted_integers_come_once)
{
    for (uint64_t seed = 0; seed < 50; seed++) {
        const struct made made = of_kind(MADE_PERMUTED, seed);
        bool seen[ROWS] = {false};
        for (uint64_t i = 0; i < ROWS; i++) {
            const int value = (int)made_word(&made, i) - made.low;
            assert_true(value >= 0 && value < ROWS && !seen[value]);
            seen[value] = true;
        }
    }
}

/* Each 16-bit float, by its sign, exponent and digits as IEEE 754 has them. */
static double decode(uint16_t bits, int digits, int bias)
{
    const int exponents = 15 - digits, exponent = bits >> digits & ((1 << exponents) - 1);
    const double fraction = (double)(bits & ((1 << digits) - 1)) / (1 << digits), sign = bits >> 15 ? -1 : 1;
    if (exponent == (1 << exponents) - 1)
        return fraction > 0 ? (double)NAN : sign * INFINITY;
    return sign * (exponent > 0 ? (1 + fraction) * exp2(exponent - bias) : fraction * exp2(1 - bias));
}

TEST(short_floats_are_decoded_and_encoded)
{
    for (uint32_t bits = 0; bits <= UINT16_MAX; bits++) {
        const double half = decode((uint16_t)bits, 10, 15), bfloat = decode((uint16_t)bits, 7, 127);
        const double got[2] = {element_of_16(ELEMENT_HALF, (uint16_t)bits),
                               element_of_16(ELEMENT_BFLOAT16, (uint16_t)bits)};
        assert_true(got[0] == half || (isnan(got[0]) && isnan(half)));
        assert_true(got[1] == bfloat || (isnan(got[1]) && isnan(bfloat)));
        if (!isnan(half))
            assert_int_equal(element_to_16(ELEMENT_HALF, half), bits);
        if (!isnan(bfloat))
            assert_int_equal(element_to_16(ELEMENT_BFLOAT16, bfloat), bits);
    }
    assert_true(isnan(element_of_16(ELEMENT_HALF, element_to_16(ELEMENT_HALF, NAN))));
}

/* Between neighbours the nearer one is taken, and the even one where both are as near; beyond the last, infinity. */
TEST(short_floats_are_rounded_to_the_nearest)
{
    static const enum element_type types[] = {ELEMENT_HALF, ELEMENT_BFLOAT16};
    static const uint16_t endless[] = {0x7C00, 0x7F80};
    for (size_t t = 0; t < 2; t++) {
        for (uint16_t bits = 0; bits + 1 < endless[t]; bits++) {
            const double low = element_of_16(types[t], bits), high = element_of_16(types[t], (uint16_t)(bits + 1));
            const double middle = (low + high) / 2;
            const uint16_t even = (uint16_t)(bits + (bits & 1));
            assert_int_equal(element_to_16(types[t], middle), even);
            assert_int_equal(element_to_16(types[t], nextafter(middle, low)), bits);
            assert_int_equal(element_to_16(types[t], nextafter(middle, high)), bits + 1);
            assert_int_equal(element_to_16(types[t], -middle), even | 0x8000);
            assert_true(element_round(types[t], middle) == element_of_16(types[t], even));
        }
        const double largest = element_of_16(types[t], (uint16_t)(endless[t] - 1));
        const double step = largest - element_of_16(types[t], (uint16_t)(endless[t] - 2));
        assert_int_equal(element_to_16(types[t], nextafter(largest + step / 2, 0)), endless[t] - 1);
        assert_int_equal(element_to_16(types[t], largest + step / 2), endless[t]);
        assert_int_equal(element_to_16(types[t], -INFINITY), endless[t] | 0x8000);
    }
}

TEST(what_the_host_has_made_is_copied_from_any_place)
{
    uint8_t given[24] = {0}, to[24];
    const size_t length = 21; /* words beyond the last element are there */
    memcpy(given, data_set, length);
    const struct made made = {.kind = MADE_GIVEN, .seed = 7, .rows = given, .row_length = length, .row_count = 1};
    for (size_t first = 0; first < length; first += sizeof(uint32_t)) {
        memset(to, 0xFF, sizeof to);
        made_fill(to, length - first, &made, first);
        assert_memory_equal(to, given + first, length - first);
        assert_int_equal(to[length - first], 0xFF);
    }
}

TEST(integers_are_read_and_set_with_their_signs)
{
    uint64_t memory = 0;
    element_set(ELEMENT_INT8, &memory, 0, -128);
    assert_true(element_value(ELEMENT_INT8, &memory, 0) == -128 && element_value(ELEMENT_BYTE, &memory, 0) == 128);
    element_set(ELEMENT_INT32, &memory, 1, INT32_MIN);
    assert_true(element_value(ELEMENT_INT32, &memory, 1) == INT32_MIN);
    element_set(ELEMENT_DOUBLE, &memory, 0, 1.0 / 3);
    assert_true(element_value(ELEMENT_DOUBLE, &memory, 0) == 1.0 / 3);
}

AROUND_ALL_TESTS(make_data_set, NULL)

/* Seeded numbers: the published test vectors. */
#include "bench/base/seeded.h"
#include "tests/unit.h"

TEST(bits_are_those_of_splitmix64)
{
    static const uint64_t expected[] = {
        UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),  UINT64_C(9817491932198370423),
        UINT64_C(4593380528125082431), UINT64_C(16408922859458223821),
    };
    for (uint64_t i = 0; i < 5; i++)
        assert_int_equal(seeded_bits(1234567, i), expected[i]);
    assert_int_equal(seeded_bits(0, 0), UINT64_C(0xE220A8397B1DCDAF));
}

/* If one stream were another one shifted, A and B would hold the same numbers. */
TEST(streams_do_not_repeat_each_other)
{
    uint64_t a = seeded_stream(42, 0), b = seeded_stream(42, 1);
    assert_int_not_equal(a, seeded_stream(43, 0));
    for (uint64_t shift = 0; shift < 10000; shift++) {
        assert_int_not_equal(seeded_bits(a, shift), seeded_bits(b, 0));
        assert_int_not_equal(seeded_bits(b, shift), seeded_bits(a, 0));
        assert_int_not_equal(seeded_bits(42, shift), seeded_bits(a, 0));
    }
}

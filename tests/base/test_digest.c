/* Digests are SHA-256, whole or piece by piece. */
#include "bench/base/digest.h"
#include "tests/unit.h"

/* The examples of FIPS 180-4, and 0 bytes. */
TEST(test_digests_are_those_of_the_standard)
{
    char hex[DIGEST_HEX];
    assert_true(digest_of("abc", 3, hex));
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_true(digest_of("", 0, hex));
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(test_pieces_make_the_digest_of_the_whole)
{
    char hex[DIGEST_HEX], expected[DIGEST_HEX];
    struct digest digest;
    digest_start(&digest);
    digest_add(&digest, "ab", 2);
    digest_add_text(&digest, "c");
    assert_true(digest_finish(&digest, hex));
    assert_true(digest_of("abc", 4, expected));
    assert_string_equal(hex, expected);
}

/* Digests piece by piece; test_mnist knows those of whole files. */
#include "bench/base/digest.h"
#include "tests/unit.h"

TEST(test_pieces_make_the_digest_of_the_whole)
{
    char hex[DIGEST_HEX], expected[DIGEST_HEX];
    struct digest digest;
    digest_start(&digest);
    digest_add(&digest, "ab", 2);
    digest_add_text(&digest, "c");
    digest_finish(&digest, hex);
    digest_of("abc", 4, expected);
    assert_string_equal(hex, expected);
}

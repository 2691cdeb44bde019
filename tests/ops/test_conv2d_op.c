/* The operation conv2d: which sizes it has. What its answer is says test_sums.c, and what it shares with others
 * test_operations.c. */
#include "bench/table/op.h"
#include "tests/unit.h"

TEST(a_filter_must_fit_into_the_image)
{
    static const struct workload fits = {"2x1x3x4x4x4", {2, 1, 3, 4, 4, 4}, 0}, low = {"", {1, 1, 1, 3, 4, 4}, 0},
                                 narrow = {"", {1, 1, 1, 4, 3, 4}, 0}, large = {"", {1, 1, 1, 1, 1, 1 << 30}, 0};
    struct error error;
    assert_true(conv2d_op.accepts(&fits, &error));
    assert_false(conv2d_op.accepts(&narrow, &error));
    assert_false(conv2d_op.accepts(&large, &error));
    assert_false(conv2d_op.accepts(&low, &error));
    assert_string_equal(error.text, "a filter of 4x4, expected at most the image's 3x4");
}

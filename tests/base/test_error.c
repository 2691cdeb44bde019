/* A message is one line that fits, with both of its ends. */
#include "bench/base/error.h"
#include "tests/unit.h"

TEST(values_are_filled_in_on_one_line)
{
    struct error error;
    assert_false(error_set(&error, "--%s=%d: %s: unknown", "rounds", 0, "a\nb\033[1m"));
    assert_string_equal(error.text, "--rounds=0: a?b?[1m: unknown");
}

TEST(what_this_program_says_is_known_by_its_name)
{
    assert_string_equal(error_said("test_error: lost"), "lost");
    assert_null(error_said("test_errors: lost"));
    assert_null(error_said("lost"));
}

/* From the longest that fits on. */
TEST(a_long_value_hides_neither_flag_nor_reason)
{
    static char value[100000];
    static const char flag[] = "--filter=", reason[] = ": expected less";
    struct error error;
    size_t fits = sizeof error.text - sizeof flag - sizeof reason + 1;
    for (size_t length = fits; length < sizeof value; length = length == fits ? fits + 1 : 2 * length) {
        memset(value, '(', length);
        value[length] = '\0';
        assert_false(error_set(&error, "%s%s%s", flag, value, reason));
        assert_int_equal(strlen(error.text), sizeof error.text - 1);
        assert_memory_equal(error.text, flag, strlen(flag));
        assert_string_equal(error.text + sizeof error.text - sizeof reason, reason);
        assert_int_equal(strstr(error.text, "( ... (") != NULL, length > fits);
    }
}

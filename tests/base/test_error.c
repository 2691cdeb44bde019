/* A message is one line that fits, with both of its ends. */
#include "bench/base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

static void a_short_message_is_kept(void **state)
{
    (void)state;
    struct error error;
    assert_false(error_set(&error, "--%s=%d: expected more", "rounds", 0));
    assert_string_equal(error.text, "--rounds=0: expected more");
}

static void a_long_value_hides_neither_flag_nor_reason(void **state)
{
    (void)state;
    static char value[100000];
    memset(value, '(', sizeof value - 1);
    struct error error;
    assert_false(error_set(&error, "--filter=%s: expected less", value));
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
    assert_memory_equal(error.text, "--filter=((", 11);
    assert_string_equal(error.text + strlen(error.text) - 15, ": expected less");
    assert_non_null(strstr(error.text, "( ... ("));
}

/* The longest that fits, and one more. */
static void the_limit_is_exact(void **state)
{
    (void)state;
    struct error error;
    char value[sizeof error.text + 1];
    memset(value, 'x', sizeof value);
    value[sizeof error.text - 1] = '\0';
    error_set(&error, "%s", value);
    assert_string_equal(error.text, value);
    value[sizeof error.text - 1] = 'x';
    value[sizeof error.text] = '\0';
    error_set(&error, "%s", value);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
    assert_non_null(strstr(error.text, "x ... x"));
}

static void line_breaks_of_a_value_make_no_line(void **state)
{
    (void)state;
    struct error error;
    error_set(&error, "%s: unknown", "a\nb\033[1m");
    assert_string_equal(error.text, "a?b?[1m: unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_short_message_is_kept),
        cmocka_unit_test(a_long_value_hides_neither_flag_nor_reason),
        cmocka_unit_test(the_limit_is_exact),
        cmocka_unit_test(line_breaks_of_a_value_make_no_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

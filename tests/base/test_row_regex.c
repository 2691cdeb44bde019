/* Which regular expressions are compiled, and what they match. */
#include "bench/base/row_regex.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

/* `count` times `open`, then `middle`, then `count` times `close`; free() it. */
static char *nested(int count, const char *open, const char *middle, const char *close)
{
    char *text = calloc((size_t)count, strlen(open) + strlen(close) + strlen(middle) + 1);
    assert_non_null(text);
    char *to = text;
    for (int i = 0; i < count; i++)
        to = stpcpy(to, open);
    to = stpcpy(to, middle);
    for (int i = 0; i < count; i++)
        to = stpcpy(to, close);
    return text;
}

static bool compiles(const char *pattern, const char *reason)
{
    regex_t regex;
    struct error error = {""};
    bool ok = row_regex_compile(pattern, strlen(pattern), &regex, &error);
    if (ok)
        regfree(&regex);
    else if (!reason || !strstr(error.text, reason))
        fail_msg("%.80s: %s", pattern, error.text);
    return ok;
}

static bool nested_compiles(int count, const char *open, const char *middle, const char *close, const char *reason)
{
    char *pattern = nested(count, open, middle, close);
    bool ok = compiles(pattern, reason);
    free(pattern);
    return ok;
}

static void names_match(void **state)
{
    (void)state;
    regex_t regex;
    struct error error;
    static const char text[] = "a|b/cold";
    assert_true(row_regex_compile(text, 3, &regex, &error));
    assert_true(row_regex_matches(&regex, "xbx"));
    assert_false(row_regex_matches(&regex, "/cold"));
    regfree(&regex);
    assert_true(row_regex_compile_whole("a|b+", &regex, &error));
    assert_true(row_regex_matches(&regex, "bb"));
    assert_false(row_regex_matches(&regex, "bba"));
    regfree(&regex);
}

static void what_closes_our_own_bracket_is_no_regex(void **state)
{
    (void)state;
    regex_t regex;
    struct error error = {""};
    assert_false(row_regex_compile_whole("a)(b", &regex, &error));
    assert_string_not_equal(error.text, "");
}

static void usual_ones_compile(void **state)
{
    (void)state;
    static const char *const usual[] = {"",
                                        "^(matmul/square-1024/cuda_tiled|grayscale/.*)/(cold|hot)$",
                                        "[][:alpha:]()+{]{2,3}x{1,}\\(\\)\\{",
                                        "[^]+]+(a{1,9}b+){1,99}",
                                        "\\.\\\\1",
                                        "x{5000}"};
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        assert_true(compiles(usual[i], NULL));
    assert_true(nested_compiles(100, "(", "a", ")", NULL));
    assert_true(nested_compiles(10, "(", "a|b", ")+", NULL));
}

static void parentheses_are_limited(void **state)
{
    (void)state;
    assert_false(nested_compiles(101, "(", "a", ")", "parentheses"));
    assert_false(nested_compiles(20000, "(", "a", ")", "parentheses"));
    assert_false(nested_compiles(25000, "(", "", "", "parentheses"));
}

/* Any of these would take minutes, or all memory. */
static void copies_are_limited(void **state)
{
    (void)state;
    assert_false(nested_compiles(24, "(", "a|b", ")+", "copies"));
    assert_false(nested_compiles(4, "(", "a", "{1,100})", "copies"));
    assert_false(nested_compiles(40, "", "[a]", "{2}", "copies"));
    assert_false(compiles("(((a{30000}){30000}){30000}){30000}", "copies"));
    assert_false(compiles("a{99999999999999999999}{9}", "copies"));
}

static void back_references_are_refused(void **state)
{
    (void)state;
    assert_false(compiles("(.*)*(.*)*\\2x", "back-reference"));
}

static void the_length_is_limited(void **state)
{
    (void)state;
    assert_true(nested_compiles(ROW_REGEX_BYTES_MAX - 1, "a", "b", "", NULL));
    assert_false(nested_compiles(ROW_REGEX_BYTES_MAX, "a", "b", "", "65536 at most"));
}

static void what_is_no_regex_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"(", "[", "a{2,1}", "*(", "\\", "[[:none:]]", "a{99999}"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(compiles(wrong[i], ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_match),           cmocka_unit_test(what_closes_our_own_bracket_is_no_regex),
        cmocka_unit_test(usual_ones_compile),    cmocka_unit_test(parentheses_are_limited),
        cmocka_unit_test(copies_are_limited),    cmocka_unit_test(back_references_are_refused),
        cmocka_unit_test(the_length_is_limited), cmocka_unit_test(what_is_no_regex_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What patterns match, and that none takes long or much memory. */
#include "bench/base/pattern.h"
#include "tests/unit.h"

static bool matches(const char *text, const char *name, enum pattern_extent extent)
{
    struct error error;
    struct pattern *pattern = pattern_make(text, strlen(text), extent, &error);
    if (!pattern)
        fail_msg("%.80s: %s", text, error.text);
    bool found = pattern_matches(pattern, name);
    pattern_free(pattern);
    return found;
}

static void assert_refused(const char *text, const char *why)
{
    struct error error = {""};
    struct pattern *pattern = pattern_make(text, strlen(text), PATTERN_PART, &error);
    if (pattern || !strstr(error.text, why))
        fail_msg("%.80s: %s", text, pattern ? "is none, but was taken" : error.text);
}

TEST(parts_and_whole_names_match)
{
    assert_true(matches("", "x", PATTERN_PART));
    assert_false(matches("", "x", PATTERN_WHOLE));
    assert_true(matches("a|b", "xbx", PATTERN_PART));
    assert_false(matches("a|b", "xbx", PATTERN_WHOLE));
    assert_true(matches("a|b+", "bb", PATTERN_WHOLE));
    assert_false(matches("a|b+", "bba", PATTERN_WHOLE));
    assert_true(matches("b", "abc", PATTERN_FILTER));
    assert_false(matches("-b", "abc", PATTERN_FILTER));
    assert_true(matches("-b", "ac", PATTERN_FILTER));
    assert_false(matches("-b", "abc", PATTERN_PART));
    struct error error;
    struct pattern *pattern = pattern_make("a|b/cold", 3, PATTERN_PART, &error);
    assert_non_null(pattern);
    assert_true(pattern_matches(pattern, "b"));
    pattern_free(pattern);
}

/* POSIX's syntax, and what GNU adds to it. */
TEST(the_syntax_is_that_of_posix)
{
    static const struct {
        const char *text, *name;
        bool matches;
    } cases[] = {
        {"^(matmul/mnist/cuda_tiled|grayscale/.*)/(cold|hot)$", "grayscale/photo/cpu_tuned/hot", true},
        {"^(matmul/mnist/cuda_tiled|grayscale/.*)/(cold|hot)$", "grayscale/photo/cpu_tuned/hots", false},
        {"^[[:alpha:]_]{3}[^]0-9]+[]]$", "cpu_x]", true},
        {"^a{2,3}$", "aaaa", false},
        {"^(a|)b\\.c$", "b.c", true},
        {"^(a|)b\\.c$", "b_c", false},
        {"()++++++++++++b", "ab", true},
        {"(a**|b)++$", "aab", true},
        {"^\\w+\\b/\\w+$", "cold/hot", true},
        {"HOT", "hot", false},
        {"x$", "x\ny", false},                        /* $ is the end of the name */
        {"^.\xff[\x80-\xfe]$", "\x01\xff\x90", true}, /* bytes, whatever they are */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (matches(cases[i].text, cases[i].name, PATTERN_PART) != cases[i].matches)
            fail_msg("%s: %s", cases[i].text, cases[i].name);
}

TEST(what_is_no_pattern_is_refused)
{
    static const char *const wrong[] = {"(",    ")",  "a)|(b",      "[",      "a{2,1}", "*",
                                        "(+a)", "\\", "[[:none:]]", "(a)\\1", "\xff("};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_refused(wrong[i], "");
    assert_refused("[a", "missing ]");
}

/* `before`, then `part` until the text has `bytes` bytes, then `after`. */
static char *filled(size_t bytes, const char *before, const char *part, const char *after)
{
    static char text[1 << 17];
    size_t length = (size_t)sprintf(text, "%s", before);
    while (length + strlen(part) + strlen(after) <= bytes)
        length += (size_t)sprintf(text + length, "%s", part);
    strcpy(text + length, after);
    return text;
}

/* What other matchers take minutes or all memory for is matched here, or refused as too large. */
TEST(no_pattern_takes_long)
{
    static const char *const parts[] = {"(",      "[",         ".*",          "(.*)*",   "()+",      "a?",
                                        "(a|b)+", "a{0,1000}", "(.{0,30})?b", ".*[ab]?", "[a-m]{9}", "(a{1,9}b+){1,99}",
                                        "(|a)",   "(|.a|b.)"};
    char name[160];
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    for (size_t i = 0; i < 2 * sizeof parts / sizeof parts[0]; i++) {
        char *text = filled(i % 2 ? 1 << 13 : 100, "", parts[i / 2], "~");
        struct error error = {""};
        struct pattern *pattern = pattern_make(text, strlen(text), PATTERN_PART, &error);
        if (pattern)
            assert_false(pattern_matches(pattern, name));
        else
            assert_string_not_equal(error.text, "");
        pattern_free(pattern);
    }
    for (size_t i = 0; i < 4; i++)
        assert_refused((const char *const[]){"a\\<b", "\\>", "x[[.a.]]", "[[=a=]]"}[i], "is not known here");
    assert_refused("(.{0,90}){0,90}z", "invalid repetition size");
    assert_refused("(((a{1000}){1000}){1000})", "invalid repetition size");
    assert_refused(filled(100, "", "a{0,1000}b", ""), "pattern too large");
}

TEST(the_length_is_limited)
{
    assert_false(matches(filled(1 << 13, "", "a", "b*"), "a", PATTERN_PART));
    char *list = filled(1 << 16, "^(", "matmul/mnist/name|", "b)$"); /* of names that have little in common */
    unsigned number = 1;
    for (char *at = list; *at; at++)
        if (*at == 'm' || *at == 'n')
            *at = (char)('a' + (number = number * 1103515245 + 12345, number >> 28));
    assert_true(matches(list, "b", PATTERN_PART));
    assert_refused(filled((1 << 13) + 1, "", "a", "+"), "8193 bytes, expected 8192 at most");
    assert_refused(filled((1 << 13) + 1, "", "()", "a"), "8193 bytes, expected 8192 at most");
    assert_refused(filled((1 << 16) + 1, "", "a", "|b"), "65537 bytes, expected 65536 at most");
}

/* Which texts are numbers, and what is told of a program. */
#include "bench/base/plain_text.h"
#include "tests/unit.h"

/* Neither whole nor decimal ones. */
static const char *const no_numbers[] = {"",    " 1",  "1 ",  "+1",  "-1",       "0x10", "1x", "inf", "nan", "1,5",
                                         "1_0", "\t1", "1\n", "--1", "infinity", "e5",   "1e", ".",   "1e+", "1e5.0"};

TEST(integers_are_digits_within_a_range)
{
    static const struct {
        const char *text;
        uint64_t least, most;
        bool is_read;
        uint64_t number;
    } cases[] = {{"1e3", 0, UINT64_MAX, false, 0},
                 {"1.0", 0, UINT64_MAX, false, 0},
                 {"007", 7, 7, true, 7},
                 {"3", 3, 5, true, 3},
                 {"5", 3, 5, true, 5},
                 {"2", 3, 5, false, 0},
                 {"6", 3, 5, false, 0},
                 {"18446744073709551615", 0, UINT64_MAX, true, UINT64_MAX},
                 {"18446744073709551616", 0, UINT64_MAX, false, 0}};
    uint64_t number;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(number_read_integer(cases[i].text, cases[i].least, cases[i].most, &number), cases[i].is_read);
        assert_true(!cases[i].is_read || number == cases[i].number);
    }
    for (size_t i = 0; i < sizeof no_numbers / sizeof no_numbers[0]; i++)
        assert_false(number_read_integer(no_numbers[i], 0, UINT64_MAX, &number));
}

TEST(decimals_are_plain_and_within_a_range_and_a_unit_may_follow)
{
    static const struct {
        const char *text, *unit;
        double number; /* 0: it is none up to 10 */
    } cases[] = {{"5", NULL, 5},      {"0.5", NULL, 0.5},  {".5", NULL, 0.5},  {"5.", NULL, 5},    {"5e-3", NULL, 5e-3},
                 {"0.5E+1", NULL, 5}, {"1e1", NULL, 10},   {"10", NULL, 10},   {"10.01", NULL, 0}, {"0", NULL, 0},
                 {"0.0", NULL, 0},    {"1e-400", NULL, 0}, {"1e999", NULL, 0}, {"2s", "s", 2},     {"2", "s", 2},
                 {"2s", NULL, 0},     {"s", "s", 0},       {"2ss", "s", 0},    {"2 s", "s", 0},    {"2sx", "s", 0}};
    double number;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool is_read = number_read_positive(cases[i].text, cases[i].unit, 10, &number);
        if (is_read != (cases[i].number > 0) || (is_read && number != cases[i].number))
            fail_msg("%s is read as %g", cases[i].text, number);
    }
    for (size_t i = 0; i < sizeof no_numbers / sizeof no_numbers[0]; i++)
        assert_false(number_read_positive(no_numbers[i], NULL, 1e300, &number));
}

TEST(lines_of_a_program_are_told_whole_and_without_what_a_terminal_obeys)
{
    static const char said[] = "one\n\n\33[31mtwo\n";
    char whole[20000], expected[sizeof whole], told[sizeof whole];
    snprintf(whole, sizeof whole, "%s%09999d\nfive", said, 0);
    snprintf(expected, sizeof expected, "one\n\n?[31mtwo\n%09999d\n", 0);
    const int before = stream_redirect(stderr, "told");
    plain_text_tell(whole, strlen(whole), 4);
    plain_text_tell(NULL, 0, 4);
    stream_restore(stderr, before);
    file_get("told", told, sizeof told);
    assert_string_equal(told, expected);
}

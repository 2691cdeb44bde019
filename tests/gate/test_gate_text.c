/* Figures as text, and texts from outside: valid UTF-8, and escaping for XML. */
#include "bench/base/plain_text.h"
#include "bench/gate/gate_format.h"
#include "bench/gate/xml_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static void an_interval_may_be_open_at_an_end(void **state)
{
    (void)state;
    struct compared_row row = {.name = "a/b/c/d", .reason = "", .has_evidence = true};
    struct gate_figures figures;
    const struct {
        struct interval interval;
        const char *text;
    } expected[] = {{{0.9, 1.25}, "0.900 to 1.250"},
                    {{0.9, (double)INFINITY}, "0.900 or more"},
                    {{0, 1.25}, "1.250 or less"},
                    {{0, (double)INFINITY}, "unknown"}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        row.evidence.interval = expected[i].interval;
        gate_format(&row, &figures);
        assert_string_equal(figures.interval, expected[i].text);
    }
}

static void times_have_the_unit_that_fits(void **state)
{
    (void)state;
    struct compared_row row = {.name = "a/b/c/d", .reason = "", .has_evidence = true};
    struct gate_figures figures;
    const struct {
        double time_s;
        const char *text;
    } expected[] = {
        {9.994e-7, "999.4 ns"}, {9.996e-7, "0.9996 us"}, {39.9e-6, "39.9 us"}, {1.5, "1.5 s"}, {1234, "1234 s"}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        row.evidence.base_s = expected[i].time_s;
        gate_format(&row, &figures);
        assert_string_equal(figures.base, expected[i].text);
    }
}

static void xml_holds_what_it_may(void **state)
{
    (void)state;
    char text[256] = "";
    const char all[] =
        "\x01\x1f\x7f\t\n\r<>&\"'\xef\xbf\xbe\xef\xbf\xbf\xef\xbf\xbd\xed\xa0\x80\xf0\x9f\x98\x80\xe2\x82z";
    FILE *file = fmemopen(text, sizeof text, "w");
    xml_put_text(file, all, strlen(all));
    xml_put_text(file, "abc", 2);
    xml_put_text(file, "\xc3\xa9", 1);
    fclose(file);
    assert_string_equal(text, "\x7f&#9;&#10;&#13;&#60;&#62;&#38;&#34;&#39;\xef\xbf\xbd???\xf0\x9f\x98\x80??zab?");
}

static void utf_8_is_told_from_other_bytes(void **state)
{
    (void)state;
    static const char *const good[] = {
        "a", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"};
    static const char *const bad[] = {"",
                                      "\x80",
                                      "\xc1\xbf",
                                      "\xc2",
                                      "\xc2 ",
                                      "\xe0\x9f\xbf",
                                      "\xe1\x80",
                                      "\xe1\x80z",
                                      "\xed\xa0\x80",
                                      "\xf0\x8f\xbf\xbf",
                                      "\xf1\x80\x80",
                                      "\xf1\x80\x80z",
                                      "\xf4\x90\x80\x80",
                                      "\xf5\x80\x80\x80"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_int_equal(utf8_bytes(good[i]), strlen(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(utf8_bytes(bad[i]), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_interval_may_be_open_at_an_end),
        cmocka_unit_test(times_have_the_unit_that_fits),
        cmocka_unit_test(xml_holds_what_it_may),
        cmocka_unit_test(utf_8_is_told_from_other_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

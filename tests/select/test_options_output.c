/* The command line: what is written, where to, and how it looks. */
#include "parsed_flags.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void out_names_a_file(void **state)
{
    (void)state;
    assert_string_equal(accepted("--out=results.csv").out, "results.csv");
    assert_string_equal(accepted("--out=-").out, "-");
    assert_refused("--out=", "--out", "", "file name");
}

static void the_format_is_console_csv_or_json(void **state)
{
    (void)state;
    assert_int_equal(accepted("--format=csv").format, FORMAT_CSV);
    assert_int_equal(accepted("--benchmark_format=json").format, FORMAT_JSON);
    assert_int_equal(accepted("--format=console").format, FORMAT_CONSOLE);
    assert_int_equal(accepted("--benchmark_format=csv").format, FORMAT_CSV);
    assert_refused("--format=xml", "--format", "xml", "console");
    assert_refused("--benchmark_format=", "--benchmark_format", "", "csv");
}

static void google_benchmarks_file_is_json_unless_it_says_csv(void **state)
{
    (void)state;
    struct options options = accepted("--benchmark_out=a");
    assert_string_equal(options.json, "a");
    assert_null(options.out);
    options = accepted("--benchmark_out=a --benchmark_out_format=csv");
    assert_string_equal(options.out, "a");
    assert_null(options.json);
    options = accepted("--benchmark_out_format=json --benchmark_out=a --out=b");
    assert_string_equal(options.json, "a");
    assert_string_equal(options.out, "b");
    assert_refused("--benchmark_out=a --json=b", "--benchmark_out", "a", "--json=b");
    assert_refused("--benchmark_out=a --benchmark_out_format=csv --out=b", "--benchmark_out", "a", "--out=b");
    assert_refused("--benchmark_out_format=console", "--benchmark_out_format", "console", "json or csv");
    assert_string_equal(accepted("--json=c.json").json, "c.json");
    assert_string_equal(accepted("--samples=s.csv").samples, "s.csv");
    assert_refused("--json=", "--json", "", "file name");
    assert_refused("--samples=", "--samples", "", "file name");
}

static void progress_is_auto_on_or_off(void **state)
{
    (void)state;
    assert_int_equal(accepted("--progress=on").progress, CHOICE_ON);
    assert_int_equal(accepted("--progress=off").progress, CHOICE_OFF);
    assert_int_equal(accepted("--progress=on --progress=auto").progress, CHOICE_AUTO);
    assert_refused("--progress=sometimes", "--progress", "sometimes", "auto, on or off");
    static const char *const near_misses[] = {"", "a", "au", "auto|on", "off|", "|", "onn"};
    for (size_t i = 0; i < sizeof near_misses / sizeof near_misses[0]; i++) {
        char flag[32];
        snprintf(flag, sizeof flag, "--progress=%s", near_misses[i]);
        assert_refused(flag, flag, "", "auto, on or off");
    }
}

static void color_is_auto_always_or_never(void **state)
{
    (void)state;
    assert_int_equal(accepted("--color=always").color, CHOICE_ON);
    assert_int_equal(accepted("--color=never").color, CHOICE_OFF);
    assert_int_equal(accepted("--color=always --color=auto").color, CHOICE_AUTO);
    assert_int_equal(accepted("--benchmark_color=true").color, CHOICE_ON);
    assert_int_equal(accepted("--benchmark_color=false").color, CHOICE_OFF);
    assert_refused("--color=blue", "--color", "blue", "auto, always or never");
    assert_refused("--benchmark_color=blue", "--benchmark_color", "blue", "auto, always or never");
}

static void gray_out_names_a_file(void **state)
{
    (void)state;
    assert_refused("--gray-out=", "--gray-out", "", "file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(out_names_a_file),
        cmocka_unit_test(the_format_is_console_csv_or_json),
        cmocka_unit_test(google_benchmarks_file_is_json_unless_it_says_csv),
        cmocka_unit_test(progress_is_auto_on_or_off),
        cmocka_unit_test(color_is_auto_always_or_never),
        cmocka_unit_test(gray_out_names_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

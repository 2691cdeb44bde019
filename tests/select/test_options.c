/* The command line as such: what is a flag, what is its value, and what Google Benchmark would have said. */
#include "parsed_flags.h"

#include "bench/select/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void no_flags_mean_the_mnist_suite(void **state)
{
    (void)state;
    struct options options = accepted("");
    assert_string_equal(options.suite->name, "mnist");
    assert_modes(&options, "cold,hot,e2e");
    assert_true(options.min_time_s == 0.01);
    assert_true(isinf(options.budget_s));
    assert_int_equal(options.seed, 42);
    assert_int_equal(options.backend.device, -1);
    assert_int_equal(options.backend.threads, 0);
    assert_true(options.format == FORMAT_CONSOLE && options.progress == CHOICE_AUTO && options.color == CHOICE_AUTO);
    assert_null(options.filter);
    assert_null(options.out);
    assert_null(options.mnist);
    assert_null(options.require);
    assert_int_equal(options.user_count, 0);
    assert_false(options.help || options.version || options.list || options.verify || options.flush_by_writing);
}

static void help_and_version_are_flags(void **state)
{
    (void)state;
    assert_true(accepted("--help").help);
    assert_true(accepted("-h").help);
    assert_true(accepted("--version").version);
}

static void list_and_verify_are_flags(void **state)
{
    (void)state;
    assert_true(accepted("--list").list);
    assert_true(accepted("--verify").verify);
    assert_true(accepted("--list --verify").list);
}

static void google_may_say_true_or_false(void **state)
{
    (void)state;
    assert_true(accepted("--benchmark_list_tests").list);
    assert_true(accepted("--benchmark_list_tests=true").list);
    assert_false(accepted("--benchmark_list_tests=false").list);
    assert_refused("--benchmark_list_tests=maybe", "--benchmark_list_tests", "maybe", "true or false");
}

static void what_google_benchmarks_tools_send_is_accepted(void **state)
{
    (void)state;
    static const char *const flags[] = {"--benchmark_counters_tabular=true",
                                        "--benchmark_counters_tabular",
                                        "--benchmark_display_aggregates_only=true",
                                        "--benchmark_report_aggregates_only=false",
                                        "--benchmark_enable_random_interleaving=true",
                                        "--benchmark_time_unit=ms",
                                        "--benchmark_min_warmup_time=0.1",
                                        "--benchmark_context=a=b",
                                        "--benchmark_perf_counters=CYCLES"};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        accepted(flags[i]);
    assert_string_equal(accepted("--benchmark_counters_tabular --benchmark_counters_tabular=true --json=x "
                                 "--benchmark_context=a=b --benchmark_display_aggregates_only=true")
                            .ignored,
                        "--benchmark_counters_tabular");
    assert_string_equal(accepted("--benchmark_context=a=b --benchmark_display_aggregates_only=false").ignored,
                        "--benchmark_display_aggregates_only, --benchmark_context (without JSON)");
    assert_string_equal(accepted("--benchmark_context=a=b,c= --benchmark_context=d=e --json=x").context[1], "d=e");
    assert_int_equal(accepted("--benchmark_context=a=b --benchmark_context=d=e --json=x").replaced_count, 0);
    assert_true(accepted("--benchmark_report_aggregates_only --json=x").aggregates_only);
    assert_int_equal(accepted("--benchmark_time_unit=ms --json=x").time_unit, 2);
    assert_refused("--benchmark_context=a", "--benchmark_context", "a", "KEY=VALUE");
    assert_refused("--benchmark_context=a=b,", "--benchmark_context", "a=b,", "KEY=VALUE");
    assert_refused("--benchmark_context==b", "--benchmark_context", "=b", "KEY=VALUE");
    assert_refused("--benchmark_time_unit=m", "--benchmark_time_unit", "m", "ns, us, ms or s");
    assert_refused("--benchmark_min_time=100x", "--benchmark_min_time", "100x", "a number of calls is not taken");
    assert_refused("--counters_tabular", "--counters_tabular", "", "unknown flag");
}

static void an_unknown_flag_is_refused(void **state)
{
    (void)state;
    assert_refused("--frobnicate", "--frobnicate", "", "--help");
    assert_refused("--frobnicate=1", "--frobnicate=1", "", "--help");
    assert_refused("--list --frobnicate", "--frobnicate", "", "--help");
    assert_refused("-x", "-x", "", "--help");
    assert_refused("-list", "-list", "", "--help");
}

/* What is an abbreviation of one flag today would be one of two tomorrow. */
static void an_abbreviated_flag_is_unknown(void **state)
{
    (void)state;
    assert_refused("--sui=mnist", "--sui", "mnist", "--help");
    assert_refused("--benchmark_m=1", "--benchmark_m", "1", "--help");
    assert_refused("--s=1", "--s", "1", "--help");
    assert_refused("--version=1", "--version", "", "no value");
}

static void a_missing_value_is_said(void **state)
{
    (void)state;
    static const char *const names[] = {
        "--filter", "--suite",      "--modes",   "--min-time", "--sitting",          "--slowdown",
        "--budget", "--out",        "--format",  "--device",   "--threads",          "--seed",
        "--mnist",  "--require",    "--backend", "--flush",    "--progress",         "--color",
        "--shape",  "--image-size", "--image",   "--gray-out", "--benchmark_filter", "--benchmark_min_time"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_refused(names[i], names[i], "", "value");
    assert_refused("--list --suite", "--suite", "", "value");
}

static void a_value_for_a_flag_without_one_is_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"--list", "--verify", "--help", "--version"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char flags[32];
        snprintf(flags, sizeof flags, "%s=yes", names[i]);
        assert_refused(flags, names[i], "yes", "takes no value");
    }
}

static void a_stray_argument_is_refused(void **state)
{
    (void)state;
    assert_refused("mnist", "mnist", "", "--");
    assert_refused("--list results.csv", "results.csv", "", "--");
    assert_refused("results.csv --list", "results.csv", "", "--");
    assert_refused("-- --list", "--list", "", "--");
    assert_refused("--verify true", "true", "", "--");
}

static void a_value_may_stand_apart(void **state)
{
    (void)state;
    struct options options = accepted("--suite smoke --modes hot --seed 7 --shape 1x2x3");
    assert_string_equal(options.suite->name, "smoke");
    assert_modes(&options, "hot");
    assert_int_equal(options.seed, 7);
    assert_int_equal(options.user_count, 1);
}

static void the_last_value_counts(void **state)
{
    (void)state;
    struct options options = accepted("--suite=smoke --seed=1 --suite=lecture --seed=2");
    assert_string_equal(options.suite->name, "lecture");
    assert_int_equal(options.seed, 2);
}

static void parsing_again_starts_anew(void **state)
{
    (void)state;
    accepted("--verify --shape=1x2x3 --seed=5");
    struct options options = accepted("--suite=smoke");
    assert_false(options.verify);
    assert_int_equal(options.user_count, 0);
    assert_int_equal(options.seed, 42);
    assert_string_equal(options.suite->name, "smoke");
}

static void a_long_value_is_still_one_line(void **state)
{
    (void)state;
    char flags[3000] = "--suite=";
    memset(flags + 8, 'x', sizeof flags - 9);
    flags[sizeof flags - 1] = '\0';
    assert_refused(flags, "--suite", "xxx", "");
}

/* The table of flags grows with the operations. */
static void operations_may_have_any_number_of_flags(void **state)
{
    (void)state;
    const struct op *many[200];
    for (size_t i = 0; i < sizeof many / sizeof many[0]; i++)
        many[i] = flags_registry.ops[0];
    struct registry registry = flags_registry;
    registry.ops = many;
    registry.op_count = sizeof many / sizeof many[0];
    char *argv[] = {"rungbench", "--suite=smoke", NULL}, *arguments[6];
    struct options options;
    struct error error;
    assert_true(flags_parse(&registry, 2, argv, arguments, &options, &error));
    assert_string_equal(options.suite->name, "smoke");
}

static void help_names_every_flag(void **state)
{
    (void)state;
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    assert_non_null(to);
    flags_print_help(&flags_registry, to);
    assert_int_equal(fclose(to), 0);
    static const char *const names[] = {"list",
                                        "filter",
                                        "verify",
                                        "suite",
                                        "shape",
                                        "image-size",
                                        "modes",
                                        "min-time",
                                        "budget",
                                        "out",
                                        "format",
                                        "device",
                                        "threads",
                                        "seed",
                                        "mnist",
                                        "image",
                                        "gray-out",
                                        "require",
                                        "backend",
                                        "flush",
                                        "progress",
                                        "color",
                                        "help",
                                        "version",
                                        "benchmark_filter",
                                        "benchmark_list_tests",
                                        "benchmark_min_time",
                                        "benchmark_format",
                                        "benchmark_color"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char flag[40];
        snprintf(flag, sizeof flag, "--%s", names[i]);
        if (!strstr(text, flag))
            fail_msg("the help does not name %s", flag);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_flags_mean_the_mnist_suite),
        cmocka_unit_test(help_and_version_are_flags),
        cmocka_unit_test(list_and_verify_are_flags),
        cmocka_unit_test(google_may_say_true_or_false),
        cmocka_unit_test(what_google_benchmarks_tools_send_is_accepted),
        cmocka_unit_test(an_unknown_flag_is_refused),
        cmocka_unit_test(an_abbreviated_flag_is_unknown),
        cmocka_unit_test(a_missing_value_is_said),
        cmocka_unit_test(a_value_for_a_flag_without_one_is_refused),
        cmocka_unit_test(a_stray_argument_is_refused),
        cmocka_unit_test(a_value_may_stand_apart),
        cmocka_unit_test(the_last_value_counts),
        cmocka_unit_test(parsing_again_starts_anew),
        cmocka_unit_test(a_long_value_is_still_one_line),
        cmocka_unit_test(operations_may_have_any_number_of_flags),
        cmocka_unit_test(help_names_every_flag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

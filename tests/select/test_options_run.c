/* The command line: which rows are measured, where, and for how long. */
#include "bench/base/host.h"
#include "parsed_flags.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static void a_filter_is_kept(void **state)
{
    (void)state;
    assert_string_equal(accepted("--filter=^matmul/.*/cold$").filter, "^matmul/.*/cold$");
    assert_string_equal(accepted("--filter -openblas").filter, "-openblas");
    assert_string_equal(accepted("--benchmark_filter=x").filter, "x");
}

static void every_suite_is_known(void **state)
{
    (void)state;
    static const char *const names[] = {"mnist", "lecture", "sweep", "smoke", "network", "gate", "all", "none"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char flags[32];
        snprintf(flags, sizeof flags, "--suite=%s", names[i]);
        assert_string_equal(accepted(flags).suite->name, names[i]);
        assert_non_null(strstr(suite_names, names[i]));
    }
    assert_refused("--suite=imagenet", "--suite", "imagenet", "mnist|lecture|sweep|smoke|network|gate|all");
    assert_refused("--suite=", "--suite", "", "mnist|lecture");
    assert_refused("--suite=MNIST", "--suite", "MNIST", "mnist|lecture");
}

static void a_suite_brings_its_modes_and_time(void **state)
{
    (void)state;
    struct options gate = accepted("--suite=gate");
    assert_modes(&gate, "cold,hot,graph");
    assert_true(gate.modes_are_suites);
    assert_true(gate.min_time_s < 0.1);
    assert_int_equal(gate.backend.threads, 1);
    assert_int_equal(accepted("--suite=mnist").backend.threads, 0);
    char flags[96];
    snprintf(flags, sizeof flags, "--modes=e2e --min-time=3 --threads=%u --suite=gate", host_processors());
    struct options own = accepted(flags);
    assert_int_equal(own.backend.threads, (int)host_processors());
    assert_false(own.modes_are_suites);
    assert_modes(&own, "e2e");
    assert_true(own.min_time_s == 3);
}

static void modes_are_a_list(void **state)
{
    (void)state;
    struct options options = accepted("--modes=hot,cold");
    assert_modes(&options, "hot,cold");
    options = accepted("--modes=cold,cold,e2e,cold");
    assert_modes(&options, "cold,e2e");
    options = accepted("--modes=cold --modes=hot");
    assert_modes(&options, "hot");
}

static void an_unknown_mode_is_refused(void **state)
{
    (void)state;
    assert_refused("--modes=warm", "--modes", "warm", "cold,hot");
    assert_refused("--modes=cold,warm,hot", "--modes", "'warm'", "cold,hot");
    assert_refused("--modes=", "--modes", "''", "cold,hot");
    assert_refused("--modes=cold,", "--modes", "''", "cold,hot");
    assert_refused("--modes=col", "--modes", "'col'", "cold,hot");
    assert_refused("--modes=colder", "--modes", "'colder'", "cold,hot");
}

static void seconds_may_end_in_s(void **state)
{
    (void)state;
    assert_true(accepted("--min-time=0.5").min_time_s == 0.5);
    assert_true(accepted("--min-time=0.5s").min_time_s == 0.5);
    assert_true(accepted("--benchmark_min_time=2s").min_time_s == 2);
    assert_true(accepted("--min-time=1e-3").min_time_s == 1e-3);
    assert_true(accepted("--budget=90").budget_s == 90);
    assert_true(accepted("--budget=1.5s").budget_s == 1.5);
}

static void bad_seconds_are_refused(void **state)
{
    (void)state;
    static const char *const values[] = {"",    "s",   "x",     "0",   "-1",   "0.5x", "1ss",
                                         "inf", "nan", "1e999", "0,5", "0x10", "+1",   "1e308"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char min_time[64], google[64], budget[64];
        snprintf(min_time, sizeof min_time, "--min-time=%s", values[i]);
        snprintf(google, sizeof google, "--benchmark_min_time=%s", values[i]);
        snprintf(budget, sizeof budget, "--budget=%s", values[i]);
        assert_refused(min_time, "--min-time", values[i], "seconds above 0");
        assert_refused(google, "--benchmark_min_time", values[i], "seconds above 0");
        assert_refused(budget, "--budget", values[i], "seconds above 0");
    }
    assert_refused("--min-time=1~s", "--min-time", "1 s", "seconds above 0");
    assert_refused("--min-time=~1", "--min-time", " 1", "seconds above 0");
}

static void rounds_are_a_number(void **state)
{
    (void)state;
    assert_int_equal(accepted("").rounds, 1);
    assert_int_equal(accepted("--rounds=20").rounds, 20);
    assert_int_equal(accepted("--benchmark_repetitions=9").rounds, 9);
    assert_refused("--rounds=0", "--rounds", "0", "from 1 to 1000");
    assert_refused("--rounds=1001", "--rounds", "1001", "from 1 to 1000");
    assert_refused("--benchmark_repetitions=x", "--benchmark_repetitions", "x", "from 1 to 1000");
}

static void a_sitting_has_a_name_and_the_number_of_a_round(void **state)
{
    (void)state;
    assert_string_equal(accepted("").session, "");
    struct options options = accepted("--sitting=Gate_2.a-9:17");
    assert_string_equal(options.session, "Gate_2.a-9");
    assert_int_equal(options.session_round, 17);
    assert_int_equal(options.rounds, 1);
    assert_int_equal(accepted("--sitting=a:0 --rounds=1").session_round, 0);
    options = accepted("--sitting=0123456789012345678901234567890123456789:999999");
    assert_string_equal(options.session, "0123456789012345678901234567890123456789");
    assert_int_equal(options.session_round, 999999);
}

static void what_is_no_sitting_is_refused(void **state)
{
    (void)state;
    static const char *const values[] = {"",
                                         "a",
                                         ":",
                                         ":1",
                                         "a:",
                                         "a:-1",
                                         "a:+1",
                                         "a:~1",
                                         "a:1x",
                                         "a:x1",
                                         "a~b:1",
                                         "a,b:1",
                                         "a/b:1",
                                         "a:b:1",
                                         "a:1:",
                                         "a:1.5",
                                         "a:1000000",
                                         "a:99999999999999999999",
                                         "01234567890123456789012345678901234567890:1"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char flags[96];
        snprintf(flags, sizeof flags, "--sitting=%s", values[i]);
        assert_refused(flags, "--sitting=", "", "ID:N, 1 to 40 of ");
    }
    assert_refused("--sitting=a:3 --rounds=2", "--sitting=a:3", "--rounds=2", "expected one round");
    assert_true(accepted("--sitting=a:3 --verify").verify);
    static const char *const others[] = {"--list", "--info", "--calibrate", "--profile=x"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        char flags[96];
        snprintf(flags, sizeof flags, "--sitting=a:3 %s", others[i]);
        assert_refused(flags, "--sitting=a:3", others[i][2] == 'p' ? "--profile" : others[i],
                       "expected a run that times");
    }
}

static void assert_flags(char *const *flags, const char *expected)
{
    char text[512] = "";
    for (; *flags; flags++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", text[0] ? " " : "", *flags);
    assert_string_equal(text, expected);
}

static void assert_shared(const char *flags, const char *expected)
{
    assert_flags(accepted(flags).shared, expected);
}

static void what_reproduces_a_failure_writes_no_file(void **state)
{
    (void)state;
    struct options options = accepted("--suite=smoke --gray-out=g.png --out=a.csv --shape 1x2x3 --gray-out h.png");
    assert_flags(options.harmless, "--suite=smoke --shape 1x2x3");
    assert_flags(options.shared, "--suite=smoke --gray-out=g.png --shape 1x2x3 --gray-out h.png");
}

static void rounds_share_what_is_measured_and_not_where_it_goes(void **state)
{
    (void)state;
    assert_shared("", "");
    assert_shared("--suite=smoke --filter=a=b --seed 7 --seed=8 --", "--suite=smoke --filter=a=b --seed 7 --seed=8");
    assert_shared("--benchmark_filter=x --shape 1x2x3 --mnist m --image-size 3x4 --verify",
                  "--benchmark_filter=x --shape 1x2x3 --mnist m --image-size 3x4 --verify");
    assert_shared(
        "--out=a --samples b --json=c --format csv --color never --progress=on --rounds 3 --budget=5 --verify",
        "--verify");
    assert_shared("--benchmark_out=a --benchmark_out_format json --benchmark_format=csv --benchmark_color=true "
                  "--benchmark_repetitions=1 --min-time 1 --sitting a:1",
                  "--min-time 1");
}

static void a_slowdown_is_of_rows_that_are_timed(void **state)
{
    (void)state;
    assert_null(accepted("").slowdown);
    assert_string_equal(accepted("--slowdown=^a:b$:2.5 --rounds=3").slowdown, "^a:b$:2.5");
    static const char *const others[] = {"--list", "--verify", "--info", "--calibrate", "--profile=x"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        char flags[96];
        snprintf(flags, sizeof flags, "--slowdown=x:5 %s", others[i]);
        assert_refused(flags, "--slowdown=x:5", others[i][2] == 'p' ? "--profile" : others[i],
                       "expected a run that times");
    }
    assert_refused("--slowdown=x:5 --samples=s.csv", "--slowdown=x:5", "--samples=s.csv", "expected --out");
}

static void an_explanation_is_of_times_and_stands_below_the_table(void **state)
{
    (void)state;
    assert_false(accepted("").explain);
    assert_true(accepted("--explain --rounds=3 --out=x.csv --sitting=a:1 --rounds=1").explain);
    assert_shared("--explain --seed=1", "--seed=1");
    static const char *const others[] = {"--verify", "--info", "--calibrate", "--profile=x"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        char flags[96];
        snprintf(flags, sizeof flags, "--explain %s", others[i]);
        assert_refused(flags, "--explain", others[i][2] == 'p' ? "--profile" : others[i], "expected a run that times");
    }
    assert_refused("--explain --list", "--explain", "--list", "expected flags that choose rows");
    assert_refused("--explain --slowdown=x:5", "--explain", "--slowdown=x:5", "as fast as they are");
    static const char *const instead[] = {"--format=csv", "--format=json", "--format=markdown", "--out=-",
                                          "--json=-",     "--samples=-",   "--benchmark_out=-"};
    for (size_t i = 0; i < sizeof instead / sizeof instead[0]; i++) {
        char flags[96];
        snprintf(flags, sizeof flags, "--explain %s", instead[i]);
        assert_refused(flags, "--explain", "", "below the table");
    }
}

static void a_list_takes_only_what_chooses_rows(void **state)
{
    (void)state;
    accepted("--list --verify --suite=smoke --filter=x --backend=cpu --modes=hot --shape=1x2x3 --image-size 3x4");
    accepted("--benchmark_filter=x --benchmark_list_tests --progress=off --color=never --benchmark_time_unit=ms");
    static const char *const idle[] = {
        "--out=a",    "--json=a",      "--samples=a",  "--format=csv", "--rounds=2",
        "--budget=5", "--seed=1",      "--min-time=1", "--threads=1",  "--device=0",
        "--mnist=m",  "--require=cpu", "--flush=read", "--gray-out=g", "--benchmark_repetitions=2"};
    for (size_t i = 0; i < sizeof idle / sizeof idle[0]; i++) {
        char flags[96], name[64];
        snprintf(name, sizeof name, "%.*s:", (int)strcspn(idle[i], "="), idle[i]);
        snprintf(flags, sizeof flags, "--list --suite=smoke %s", idle[i]);
        assert_refused(flags, name, "--list", "choose rows");
        snprintf(flags, sizeof flags, "%s --list", idle[i]);
        assert_refused(flags, name, "--list", "choose rows");
        snprintf(flags, sizeof flags, "--benchmark_list_tests=false %s", idle[i]);
        accepted(flags);
    }
}

static void a_summary_takes_no_other_flag(void **state)
{
    (void)state;
    accepted("--summarize=a.csv --progress=off --color=never");
    static const char *const idle[] = {"--list", "--filter=x", "--suite=all", "--out=b", "--shape=1x2x3", "--rounds=2"};
    for (size_t i = 0; i < sizeof idle / sizeof idle[0]; i++) {
        char flags[96], name[64];
        snprintf(name, sizeof name, "%.*s:", (int)strcspn(idle[i], "="), idle[i]);
        snprintf(flags, sizeof flags, "--summarize=a.csv %s", idle[i]);
        assert_refused(flags, name, "--summarize", "alone");
    }
}

static void looks_are_flags(void **state)
{
    (void)state;
    assert_true(accepted("--profile=x").min_time_s == accepted("").min_time_s);
    assert_refused("--profile=x --calibrate", "--calibrate", "several", "expected one");
    assert_refused("--info --list", "--info", "several", "expected one");
    assert_true(accepted("--info").info && !accepted("").info);
    assert_true(accepted("--calibrate").calibrate && !accepted("").calibrate);
    struct options options = accepted("--profile=matmul/square-64/x/graph --suite=smoke --modes=hot");
    assert_string_equal(options.profile, "matmul/square-64/x/graph");
    assert_string_equal(options.suite->name, "all"); /* any row there is */
    assert_modes(&options, mode_names);
}

static void a_device_is_a_number_from_zero(void **state)
{
    (void)state;
    assert_int_equal(accepted("--device=0").backend.device, 0);
    assert_int_equal(accepted("--device=7").backend.device, 7);
    static const char *const values[] = {"-1", "x", "", "1.5", "0x1", "99999999999999999999", "4294967296"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char flags[64];
        snprintf(flags, sizeof flags, "--device=%s", values[i]);
        assert_refused(flags, "--device", values[i], "from 0");
    }
}

static void threads_are_at_least_one(void **state)
{
    (void)state;
    char flags[64];
    assert_int_equal(accepted("--threads=1").backend.threads, 1);
    snprintf(flags, sizeof flags, "--threads=%u", host_processors());
    assert_int_equal(accepted(flags).backend.threads, (int)host_processors());
    assert_int_equal(accepted("--threads=64").backend.threads, 64); /* where there are fewer processors, too */
    snprintf(flags, sizeof flags, "--threads=%u", host_processors() > 64 ? host_processors() + 1 : 65);
    assert_refused(flags, "--threads", flags + sizeof "--threads=" - 1, "from 1 to");
    static const char *const values[] = {"0", "-1", "x", "", "2.5", "4294967297", "1000000"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        snprintf(flags, sizeof flags, "--threads=%s", values[i]);
        assert_refused(flags, "--threads", values[i], "from 1");
    }
}

static void require_names_a_backend(void **state)
{
    (void)state;
    assert_ptr_equal(accepted("--require=cuda").require, &flags_registry.backends[1]);
    assert_ptr_equal(accepted("--require=cpu").require, &flags_registry.backends[0]);
    assert_refused("--require=tpu", "--require", "tpu", "cuda");
    assert_refused("--require=", "--require", "", "cuda");
}

static void a_backend_is_chosen_by_name(void **state)
{
    (void)state;
    assert_null(accepted("").only);
    assert_ptr_equal(accepted("--backend=cuda").only, &flags_registry.backends[1]);
    assert_ptr_equal(accepted("--backend=cuda --backend=cpu").only, &flags_registry.backends[0]);
    assert_refused("--backend=tpu", "--backend", "tpu", "cuda");
}

static void the_cache_is_emptied_by_reading_or_writing(void **state)
{
    (void)state;
    assert_false(accepted("--flush=read").flush_by_writing);
    assert_true(accepted("--flush=write").flush_by_writing);
    assert_false(accepted("--flush=write --flush=read").flush_by_writing);
    assert_refused("--flush=delete", "--flush", "delete", "read or write");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_filter_is_kept),
        cmocka_unit_test(every_suite_is_known),
        cmocka_unit_test(a_suite_brings_its_modes_and_time),
        cmocka_unit_test(modes_are_a_list),
        cmocka_unit_test(an_unknown_mode_is_refused),
        cmocka_unit_test(seconds_may_end_in_s),
        cmocka_unit_test(bad_seconds_are_refused),
        cmocka_unit_test(rounds_are_a_number),
        cmocka_unit_test(a_sitting_has_a_name_and_the_number_of_a_round),
        cmocka_unit_test(what_is_no_sitting_is_refused),
        cmocka_unit_test(rounds_share_what_is_measured_and_not_where_it_goes),
        cmocka_unit_test(what_reproduces_a_failure_writes_no_file),
        cmocka_unit_test(a_slowdown_is_of_rows_that_are_timed),
        cmocka_unit_test(an_explanation_is_of_times_and_stands_below_the_table),
        cmocka_unit_test(a_list_takes_only_what_chooses_rows),
        cmocka_unit_test(a_summary_takes_no_other_flag),
        cmocka_unit_test(looks_are_flags),
        cmocka_unit_test(a_device_is_a_number_from_zero),
        cmocka_unit_test(threads_are_at_least_one),
        cmocka_unit_test(require_names_a_backend),
        cmocka_unit_test(a_backend_is_chosen_by_name),
        cmocka_unit_test(the_cache_is_emptied_by_reading_or_writing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

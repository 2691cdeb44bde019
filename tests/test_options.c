/* The command line: every flag, and one line for each thing that can be wrong with one. */
#include "options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const struct op matmul_op, grayscale_op;

static const struct backend_entry backends[] = {{"cpu", "CPU", false, false, NULL},
                                                {"cuda", "CUDA", true, false, NULL}};
static const struct op *const ops[] = {&matmul_op, &grayscale_op};
static const struct registry registry = {.backends = backends, .backend_count = 2, .ops = ops, .op_count = 2};

enum { ARGUMENTS_MAX = 80 };

/* Parses flags that are separated by spaces; ~ stands for a space within a flag. */
static bool parse(const char *flags, struct options *options, struct error *error)
{
    static char text[4096]; /* options point into it */
    char *argv[ARGUMENTS_MAX] = {"rungbench"};
    int argc = 1;
    assert_true(strlen(flags) < sizeof text);
    strcpy(text, flags);
    for (char *rest = text, *word; (word = strtok_r(rest, " ", &rest));) {
        assert_true(argc < ARGUMENTS_MAX - 1);
        for (char *c = word; (c = strchr(c, '~'));)
            *c = ' ';
        argv[argc++] = word;
    }
    *error = (struct error){""};
    return options_parse(&registry, argc, argv, options, error);
}

static struct options accepted(const char *flags)
{
    struct options options;
    struct error error;
    if (!parse(flags, &options, &error))
        fail_msg("%s: %s", flags, error.text);
    return options;
}

/* One line, and it says all of these. */
static void assert_refused(const char *flags, const char *name, const char *value, const char *expected)
{
    struct options options;
    struct error error;
    if (parse(flags, &options, &error))
        fail_msg("%s is accepted", flags);
    assert_true(strlen(error.text) > 0 && !strchr(error.text, '\n'));
    if (!strstr(error.text, name) || !strstr(error.text, value) || !strstr(error.text, expected))
        fail_msg("'%s' does not say '%s', '%s' and '%s'", error.text, name, value, expected);
}

static void assert_modes(const struct options *options, const char *names)
{
    char text[96] = "";
    for (size_t i = 0; i < options->mode_count; i++) {
        strcat(text, i > 0 ? "," : "");
        strcat(text, options->modes[i]->name);
    }
    assert_string_equal(text, names);
}

static void no_flags_mean_the_mnist_suite(void **state)
{
    (void)state;
    struct options options = accepted("");
    assert_string_equal(options.suite->name, "mnist");
    assert_modes(&options, "cold,hot,e2e");
    assert_true(options.min_time_s == 0.1);
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
    static const char *const names[] = {"mnist", "lecture", "sweep", "smoke", "gate", "all", "none"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char flags[32];
        snprintf(flags, sizeof flags, "--suite=%s", names[i]);
        assert_string_equal(accepted(flags).suite->name, names[i]);
        assert_non_null(strstr(suite_names, names[i]));
    }
    assert_refused("--suite=imagenet", "--suite", "imagenet", "mnist|lecture|sweep|smoke|gate|all");
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
    struct options own = accepted("--modes=e2e --min-time=3 --threads=3 --suite=gate");
    assert_int_equal(own.backend.threads, 3);
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
    static const char *const values[] = {"", "s", "x", "0", "-1", "0.5x", "1ss", "inf", "nan", "1e999", "0,5"};
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
}

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
    assert_string_equal(accepted("").sitting, "");
    struct options options = accepted("--sitting=Gate_2.a-9:17");
    assert_string_equal(options.sitting, "Gate_2.a-9");
    assert_int_equal(options.sitting_round, 17);
    assert_int_equal(options.rounds, 1);
    assert_int_equal(accepted("--sitting=a:0 --rounds=1").sitting_round, 0);
    options = accepted("--sitting=0123456789012345678901234567890123456789:999999");
    assert_string_equal(options.sitting, "0123456789012345678901234567890123456789");
    assert_int_equal(options.sitting_round, 999999);
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
    static const char *const others[] = {"--list", "--verify", "--info", "--calibrate", "--profile=x"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        char flags[96];
        snprintf(flags, sizeof flags, "--sitting=a:3 %s", others[i]);
        assert_refused(flags, "--sitting=a:3", others[i][2] == 'p' ? "--profile" : others[i],
                       "expected a run that times");
    }
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

static void looks_are_flags(void **state)
{
    (void)state;
    assert_true(accepted("--profile=x").min_time_s == 0.1);
    assert_refused("--profile=x --calibrate", "--calibrate", "several", "expected one");
    assert_refused("--info --list", "--info", "several", "expected one");
    assert_true(accepted("--info").info && !accepted("").info);
    assert_true(accepted("--calibrate").calibrate && !accepted("").calibrate);
    struct options options = accepted("--profile=matmul/square-64/x/graph --suite=smoke --modes=hot");
    assert_string_equal(options.profile, "matmul/square-64/x/graph");
    assert_string_equal(options.suite->name, "all"); /* any row there is */
    assert_modes(&options, mode_names);
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
    assert_refused("--counters_tabular", "--counters_tabular", "", "unknown flag");
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
    assert_int_equal(accepted("--threads=1").backend.threads, 1);
    assert_int_equal(accepted("--threads=64").backend.threads, 64);
    static const char *const values[] = {"0", "-1", "x", "", "2.5", "4294967297", "1000000"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char flags[64];
        snprintf(flags, sizeof flags, "--threads=%s", values[i]);
        assert_refused(flags, "--threads", values[i], "from 1");
    }
}

static void a_seed_has_64_bits(void **state)
{
    (void)state;
    assert_int_equal(accepted("--seed=0").seed, 0);
    assert_true(accepted("--seed=18446744073709551615").seed == UINT64_MAX);
    static const char *const values[] = {"18446744073709551616", "-1", "x", "", "1.5", "+1", "12abc"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char flags[64];
        snprintf(flags, sizeof flags, "--seed=%s", values[i]);
        assert_refused(flags, "--seed", values[i], "2^64");
    }
}

static void mnist_is_a_folder(void **state)
{
    (void)state;
    assert_string_equal(accepted("--mnist=/data/mnist").mnist, "/data/mnist");
}

static void require_names_a_backend(void **state)
{
    (void)state;
    assert_ptr_equal(accepted("--require=cuda").require, &backends[1]);
    assert_ptr_equal(accepted("--require=cpu").require, &backends[0]);
    assert_refused("--require=tpu", "--require", "tpu", "cuda");
    assert_refused("--require=", "--require", "", "cuda");
}

static void a_backend_is_chosen_by_name(void **state)
{
    (void)state;
    assert_null(accepted("").only);
    assert_ptr_equal(accepted("--backend=cuda").only, &backends[1]);
    assert_ptr_equal(accepted("--backend=cuda --backend=cpu").only, &backends[0]);
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

static void progress_is_auto_on_or_off(void **state)
{
    (void)state;
    assert_int_equal(accepted("--progress=on").progress, CHOICE_ON);
    assert_int_equal(accepted("--progress=off").progress, CHOICE_OFF);
    assert_int_equal(accepted("--progress=on --progress=auto").progress, CHOICE_AUTO);
    assert_refused("--progress=sometimes", "--progress", "sometimes", "auto, on or off");
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

static void a_shape_is_a_workload(void **state)
{
    (void)state;
    struct options options = accepted("--shape=5x784x10");
    assert_int_equal(options.user_count, 1);
    assert_ptr_equal(options.user[0].op, &matmul_op);
    assert_string_equal(options.user[0].workload.name, "5x784x10");
    assert_int_equal(options.user[0].workload.size[0], 5);
    assert_int_equal(options.user[0].workload.size[1], 784);
    assert_int_equal(options.user[0].workload.size[2], 10);
    assert_int_equal(options.user[0].workload.suites, 0);
}

static void an_image_size_is_a_workload(void **state)
{
    (void)state;
    struct options options = accepted("--image-size=1080x1920");
    assert_int_equal(options.user_count, 1);
    assert_ptr_equal(options.user[0].op, &grayscale_op);
    assert_string_equal(options.user[0].workload.name, "1080x1920");
    char shape[64];
    grayscale_op.shape(&options.user[0].workload, shape, sizeof shape);
    assert_string_equal(shape, "1080x1920");
}

static void sizes_from_one_to_two_to_the_30_are_taken(void **state)
{
    (void)state;
    struct options options = accepted("--shape=1x1x1073741824 --image-size=1x65535 --image-size=1x1");
    assert_int_equal(options.user_count, 3);
    assert_int_equal(options.user[0].workload.size[2], 1073741824);
}

static void bad_sizes_are_refused(void **state)
{
    (void)state;
    static const char *const shapes[] = {
        "",         "5",        "5x784",    "5x784x10x2", "0x784x10", "-5x784x10",      "5x784x",
        "x784x10",  "5xx10",    "5x7.5x10", "ax784x10",   "5X784X10", "1073741825x1x1", "99999999999999999999x1x1",
        "5,784,10", "+5x784x10"};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        char flags[64];
        snprintf(flags, sizeof flags, "--shape=%s", shapes[i]);
        assert_refused(flags, "--shape", shapes[i], "MxKxN");
    }
    assert_refused("--shape=5x784x10~", "--shape", "5x784x10 ", "MxKxN");
    assert_refused("--shape=5~x784x10", "--shape", "5 x784x10", "MxKxN");
    static const char *const sizes[] = {"", "28", "28x", "28x28x28", "0x28", "28x-1", "1073741825x1", "28*28"};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char flags[64];
        snprintf(flags, sizeof flags, "--image-size=%s", sizes[i]);
        assert_refused(flags, "--image-size", sizes[i], "HxW");
    }
}

static void workloads_given_twice_are_one(void **state)
{
    (void)state;
    struct options options = accepted("--shape=5x6x7 --image-size=5x6 --shape=05x6x7 --shape=5x6x8 --image-size=5x6");
    assert_int_equal(options.user_count, 3);
    assert_string_equal(options.user[0].workload.name, "5x6x7");
    assert_string_equal(options.user[1].workload.name, "5x6");
    assert_string_equal(options.user[2].workload.name, "5x6x8");
}

static void there_is_an_end_to_further_workloads(void **state)
{
    (void)state;
    char flags[2048] = "";
    for (int i = 1; i <= OPTIONS_USER_WORKLOADS_MAX; i++)
        snprintf(flags + strlen(flags), sizeof flags - strlen(flags), "--shape=%dx1x1 ", i);
    assert_int_equal(accepted(flags).user_count, OPTIONS_USER_WORKLOADS_MAX);
    strcat(flags, "--shape=1x1x1 --image-size=7x7");
    assert_refused(flags, "more than", "64", "workloads");
}

static void an_image_that_is_not_there_is_refused(void **state)
{
    (void)state;
    assert_refused("--image=not-there.jpg", "--image", "not-there.jpg", "No such file");
}

static void gray_out_names_a_file(void **state)
{
    (void)state;
    assert_refused("--gray-out=", "--gray-out", "", "file");
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
    accepted("--list --shape=1x2x3 --seed=5");
    struct options options = accepted("--suite=smoke");
    assert_false(options.list);
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

static void help_names_every_flag(void **state)
{
    (void)state;
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    assert_non_null(to);
    options_print_help(&registry, to);
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
        cmocka_unit_test(a_filter_is_kept),
        cmocka_unit_test(every_suite_is_known),
        cmocka_unit_test(a_suite_brings_its_modes_and_time),
        cmocka_unit_test(modes_are_a_list),
        cmocka_unit_test(an_unknown_mode_is_refused),
        cmocka_unit_test(seconds_may_end_in_s),
        cmocka_unit_test(bad_seconds_are_refused),
        cmocka_unit_test(out_names_a_file),
        cmocka_unit_test(the_format_is_console_csv_or_json),
        cmocka_unit_test(google_benchmarks_file_is_json_unless_it_says_csv),
        cmocka_unit_test(rounds_are_a_number),
        cmocka_unit_test(a_sitting_has_a_name_and_the_number_of_a_round),
        cmocka_unit_test(what_is_no_sitting_is_refused),
        cmocka_unit_test(a_slowdown_is_of_rows_that_are_timed),
        cmocka_unit_test(looks_are_flags),
        cmocka_unit_test(what_google_benchmarks_tools_send_is_accepted),
        cmocka_unit_test(a_device_is_a_number_from_zero),
        cmocka_unit_test(threads_are_at_least_one),
        cmocka_unit_test(a_seed_has_64_bits),
        cmocka_unit_test(mnist_is_a_folder),
        cmocka_unit_test(require_names_a_backend),
        cmocka_unit_test(a_backend_is_chosen_by_name),
        cmocka_unit_test(the_cache_is_emptied_by_reading_or_writing),
        cmocka_unit_test(progress_is_auto_on_or_off),
        cmocka_unit_test(color_is_auto_always_or_never),
        cmocka_unit_test(a_shape_is_a_workload),
        cmocka_unit_test(an_image_size_is_a_workload),
        cmocka_unit_test(sizes_from_one_to_two_to_the_30_are_taken),
        cmocka_unit_test(bad_sizes_are_refused),
        cmocka_unit_test(workloads_given_twice_are_one),
        cmocka_unit_test(there_is_an_end_to_further_workloads),
        cmocka_unit_test(an_image_that_is_not_there_is_refused),
        cmocka_unit_test(gray_out_names_a_file),
        cmocka_unit_test(an_unknown_flag_is_refused),
        cmocka_unit_test(an_abbreviated_flag_is_unknown),
        cmocka_unit_test(a_missing_value_is_said),
        cmocka_unit_test(a_value_for_a_flag_without_one_is_refused),
        cmocka_unit_test(a_stray_argument_is_refused),
        cmocka_unit_test(a_value_may_stand_apart),
        cmocka_unit_test(the_last_value_counts),
        cmocka_unit_test(parsing_again_starts_anew),
        cmocka_unit_test(a_long_value_is_still_one_line),
        cmocka_unit_test(help_names_every_flag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#define _DEFAULT_SOURCE /* strsep() */
/* The command line: what becomes of each flag, what is refused, and what Google Benchmark would have said. */
#include "bench/base/host.h"
#include "parsed_flags.h"
#include "bench/base/plain_text.h"
#include "tests/unit.h"

/* A field of the options that these flags make. */
struct becomes {
    const char *flags; /* any of these, with | between them */
    enum { TEXT, NUMBER, SECONDS, YES } kind;
    size_t at, size;
    const char *text; /* NULL: there is none */
    double number;
};
#define FIELD(field) offsetof(struct options, field), sizeof((struct options *)0)->field
#define IS_TEXT(flags, field, value) flags, TEXT, FIELD(field), value, 0
#define IS(flags, field, value) flags, NUMBER, FIELD(field), NULL, value
#define IS_SECONDS(flags, field, value) flags, SECONDS, FIELD(field), NULL, value
#define IS_YES(flags, field, value) flags, YES, FIELD(field), NULL, value

static double number_of(const void *member, const struct becomes *is)
{
    if (is->kind == SECONDS)
        return *(const double *)member;
    if (is->kind == YES)
        return *(const bool *)member;
    return is->size == sizeof(int) ? *(const int *)member : (double)*(const uint64_t *)member;
}

static void assert_becomes(const struct becomes *is, const char *flags)
{
    struct options options = accepted(flags);
    const void *member = (const char *)&options + is->at;
    const char *text = is->kind == TEXT ? *(const char *const *)member : NULL;
    if (is->kind == TEXT ? !text != !is->text || (text && strcmp(text, is->text) != 0)
                         : number_of(member, is) != is->number)
        fail_msg("%s: '%s' or %g, expected '%s' or %g", flags, text ? text : "",
                 is->kind == TEXT ? 0 : number_of(member, is), is->text ? is->text : "", is->number);
}

/* Of each kind of flag some, and what follows from several. */
TEST(a_flag_has_its_field)
{
    static const struct becomes fields[] = {
        {IS_YES("", help, 0)},
        {IS_YES("--help|-h", help, 1)},
        {IS_YES("|--benchmark_list_tests=false", list, 0)},
        {IS_YES("--list|--list --verify|--benchmark_list_tests|--benchmark_list_tests=true", list, 1)},
        {IS_YES("--verify|--sitting=a:3 --verify", verify, 1)},
        {IS_YES("--tune --rounds=3 --shape=1x2x3 --filter=x|--tune --list", tune, 1)},
        {IS_YES("|--suite=mnist|--suite=all|--tune", backend.untuned, 0)},
        {IS_YES("--untuned|--suite=gate|--suite=gate --modes=hot", backend.untuned, 1)},
        {IS_YES("--explain --rounds=3 --out=x.csv --sitting=a:1 --rounds=1", explain, 1)},
        {IS_YES("|--benchmark_counters_tabular --benchmark_counters_tabular=true|"
                "--benchmark_enable_random_interleaving=true",
                dry_run, 0)}, /* which are so in any case */
        {IS_TEXT("", filter, NULL)},
        {IS_TEXT("--filter=^matmul/.*/cold$", filter, "^matmul/.*/cold$")},
        {IS_TEXT("--filter -openblas", filter, "-openblas")},
        {IS_TEXT("--benchmark_filter=x", filter, "x")},
        {IS_TEXT("--slowdown=^a:b$:2.5 --rounds=3", slowdown, "^a:b$:2.5")},
        {IS_TEXT("--benchmark_filter=all", filter, NULL)},
        {IS_TEXT("--filter=all", filter, "all")},
        {IS_TEXT("|--benchmark_out=a", out, NULL)},
        {IS_TEXT("--out=results.csv", out, "results.csv")},
        {IS_TEXT("--benchmark_out=a|--benchmark_out_format=json --benchmark_out=a --out=b", json, "a")},
        {IS_TEXT("--benchmark_out=a --benchmark_out_format=csv|--benchmark_out=a --benchmark_out_format=csv --out=b",
                 google_csv, "a")},
        {IS_TEXT("--benchmark_out=a --benchmark_out_format=csv|--benchmark_out=a --benchmark_out_format=console", json,
                 NULL)},
        {IS_TEXT("--benchmark_out=a --benchmark_out_format=csv", out, NULL)},
        {IS_TEXT("--benchmark_out=a --benchmark_out_format=console --json=b", table, "a")},
        {IS_TEXT("--benchmark_out_format=json --benchmark_out=a --out=b", out, "b")},
        {IS("|--format=console|--benchmark_format=console", format, FORMAT_CONSOLE)},
        {IS("--format=csv", format, FORMAT_CSV)},
        {IS("--benchmark_format=json", format, FORMAT_JSON)},
        {IS("--benchmark_format=csv", format, FORMAT_GOOGLE_CSV)},
        {IS("--format=markdown", format, FORMAT_MARKDOWN)},
        {IS("|--progress=on --progress=auto", progress, CHOICE_AUTO)},
        {IS("|--color=always --color=auto", color, CHOICE_AUTO)},
        {IS("--color=always|--benchmark_color=true", color, CHOICE_ON)},
        {IS("--color=never|--benchmark_color=false", color, CHOICE_OFF)},
        {IS_SECONDS("", min_time_s, 0.005)},
        {IS_SECONDS("--min-time=0.5|--min-time=0.5s", min_time_s, 0.5)},
        {IS_SECONDS("--benchmark_min_time=2s", min_time_s, 2)},
        {IS_SECONDS("--benchmark_min_time=7x|--min-time=3 --benchmark_min_time=7x", min_time_s, 0.005)},
        {IS("--benchmark_min_time=7x|--samples-per-row=7", samples_per_row, 7)},
        {IS("--benchmark_min_time=7x --min-time=3", samples_per_row, 0)},
        {IS("--benchmark_min_time=7x", exact_calls, 7)},
        {IS("|--samples-per-row=7", exact_calls, 0)},
        {IS("--benchmark_dry_run --rounds=3|--benchmark_min_time=7x --benchmark_dry_run", samples_per_row, 1)},
        {IS("--benchmark_dry_run --rounds=3", rounds, 1)},
        {IS("--benchmark_dry_run", exact_calls, 1)},
        {IS_SECONDS("--benchmark_dry_run --min-time=5", min_time_s, OPTIONS_NO_TIME_S)},
        {IS_SECONDS("--benchmark_min_warmup_time=0.5", min_warm_up_s, 0.5)},
        {IS("--samples-per-row=50000 --min-time=5 --slowdown=x:5", samples_per_row, 50000)},
        {IS_SECONDS("", budget_s, INFINITY)},
        {IS_SECONDS("--budget=90", budget_s, 90)},
        {IS("", rounds, 1)},
        {IS("--rounds=20", rounds, 20)},
        {IS("--benchmark_repetitions=9", rounds, 9)},
        {IS("", backend.device, -1)},
        {IS("--device=7", backend.device, 7)},
        {IS("--threads=64", backend.threads, 64)}, /* where there are fewer processors, too */
        {IS("", seed, 42)},
        {IS("--seed=18446744073709551615", seed, (double)UINT64_MAX)},
        {IS("|--flush=read|--flush=write --flush=read", flush_by_writing, 0)},
        {IS("--flush=write", flush_by_writing, 1)},
        {IS_YES("--benchmark_report_aggregates_only --json=x|--benchmark_report_aggregates_only", aggregates_only, 1)},
        {IS_YES("--benchmark_display_aggregates_only|--benchmark_display_aggregates_only --out=x",
                displays_aggregates_only, 1)},
        {IS("--benchmark_time_unit=ms --json=x|--benchmark_time_unit=ms --benchmark_format=csv", time_unit, 2)},
    };
    for (size_t i = 0; i < LENGTH(fields); i++) {
        char all[128], *rest = all;
        snprintf(all, sizeof all, "%s", fields[i].flags);
        for (char *flags; (flags = strsep(&rest, "|"));)
            assert_becomes(&fields[i], flags);
    }
    assert_string_equal(accepted("--benchmark_context=a=b,c= --context=d=e --out=x").context, "a=b,c=,d=e");
    assert_ptr_equal(accepted("--require=cuda").require, &flags_registry.backends[1]);
    assert_ptr_equal(accepted("--backend=cuda --backend=cpu").only, &flags_registry.backends[0]);
    assert_true(!accepted("").require && !accepted("").only);
}

/* Each of these flags refuses each of these values, and says what it expects. */
TEST(values_that_mean_nothing_are_refused)
{
    static const struct {
        const char *flags[5], *values[24], *expected;
    } refused[] = {
        {{"--min-time", "--benchmark_min_time", "--budget"},
         {"", "s", "y", "0", "-1", "0.5x", "1ss", "inf", "nan", "1e999", "0,5", "0x10", "+1", "1e308", "1~s", "~1"},
         "seconds above 0"},
        {{"--min-time"}, {"100x"}, "a number of seconds above 0"},
        {{"--benchmark_min_time"}, {"0x", "x", "50001x", "99999999999999999999x"}, "1x to 50000x"},
        {{"--benchmark_min_time"}, {"1.5x", "-1x", "1xx"}, "a number of seconds above 0"},
        {{"--benchmark_min_warmup_time"}, {"-1", "x"}, "a number of seconds above 0"},
        {{"--seed"}, {"18446744073709551616", "-1", "x", "", "1.5", "+1", "12abc"}, "2^64"},
        {{"--device"}, {"-1", "x", "", "1.5", "0x1", "99999999999999999999", "4294967296"}, "from 0"},
        {{"--devices"},
         {"0,0", "", ",", "1,", ",1", "-1", "1024", "all,1", "0x1", "1.0", "99999999999"},
         "different numbers"},
        {{"--threads"}, {"0", "-1", "x", "", "2.5", "4294967297", "1000000"}, "from 1 to"},
        {{"--samples-per-row"}, {"0", "50001", "x", "", "1.5", "100x", "-1"}, "from 1 to 50000"},
        {{"--rounds", "--benchmark_repetitions"}, {"0", "1001", "x"}, "from 1 to 1000"},
        {{"--shape"},
         {"", "5", "5x784", "5x784x10x2", "0x784x10", "-5x784x10", "5x784x", "x784x10", "5xx10", "5x7.5x10", "ax784x10",
          "5X784X10", "5x784x10~", "5~x784x10", "5,784,10", "+5x784x10", "1073741825x1x1", "99999999999999999999x1x1"},
         "MxKxN"},
        {{"--image-size"}, {"", "28", "28x", "2x28x28x28", "0x28", "28x-1", "1073741825x1", "28*28"}, "HxW"},
        {{"--suite"}, {"imagenet", "", "MNIST"}, "mnist|lecture|sweep|smoke|network|gate|scaling|own|own-small|all"},
        {{"--modes"}, {"warm", "cold,warm,hot", "", "cold,", "col", "colder"}, "cold,hot"},
        {{"--require", "--backend"}, {"tpu", ""}, "cuda"},
        {{"--flush"}, {"delete"}, "read|write"},
        {{"--format", "--benchmark_format"}, {"xml", ""}, "console"},
        {{"--benchmark_format"}, {"markdown"}, "console|json|csv"},
        {{"--benchmark_counters_tabular", "--benchmark_enable_random_interleaving"}, {"false", "", "maybe"}, "true"},
        {{"--progress"}, {"sometimes", "", "a", "au", "auto|on", "off|", "|", "onn"}, "auto|on|off"},
        {{"--color", "--benchmark_color"}, {"blue"}, "auto|"},
        {{"--out", "--json", "--samples", "--gray-out", "--benchmark_out"}, {""}, "file"},
        {{"--benchmark_out_format"}, {"xml"}, "json|csv|console"},
        {{"--benchmark_list_tests"}, {"maybe"}, "true or false"},
        {{"--benchmark_context", "--context"}, {"a", "a=b,", "=b"}, "KEY=VALUE"},
        {{"--benchmark_time_unit"}, {"m"}, "ns|us|ms|s"},
        {{"--sitting"},
         {"", "a", ":", ":1", "a:", "a:-1", "a:+1", "a:~1", "a:1x", "a:x1", "a~b:1", "a,b:1", "a/b:1", "a:b:1",
          "a:1:", "a:1.5", "a:1000000", "a:99999999999999999999", "01234567890123456789012345678901234567890:1"},
         "ID:N, 1 to 40 of "},
        {{"--list", "--verify", "--help", "--version"}, {"yes"}, "takes no value"},
    };
    for (size_t i = 0; i < LENGTH(refused); i++)
        for (const char *const *flag = refused[i].flags; *flag && flag < refused[i].flags + 5; flag++)
            for (const char *const *value = refused[i].values; *value && value < refused[i].values + 24; value++) {
                char flags[96], seen[64];
                snprintf(flags, sizeof flags, "%s=%s", *flag, *value);
                snprintf(seen, sizeof seen, "%s", *value);
                for (char *space = seen; (space = strchr(space, '~'));)
                    *space = ' ';
                assert_refused(flags, *flag, seen, refused[i].expected);
            }
}

/* Each flag is named by the help. */
TEST(what_is_no_flag_or_lacks_its_value_is_refused)
{
    /* What is an abbreviation of one flag today would be one of two tomorrow. */
    char unknown[] = "--frobnicate --frobnicate=1 -x -list --sui=mnist --benchmark_m=1 --s=1 "
                     "--counters_tabular --benchmark_perf_counters=CYCLES --v=1";
    char valued[] = "--filter --suite --modes --min-time --sitting --slowdown --budget --out --format "
                    "--device --threads --seed --mnist --require --backend --flush --progress --color --shape "
                    "--image-size --image --size --gray-out --benchmark_filter --benchmark_min_time";
    char plain[] = "--list --verify --help --version --benchmark_list_tests --benchmark_format --benchmark_color";
    static char help[1 << 16];
    static const char *const stray[][2] = {
        {"mnist", "mnist"}, {"--list x", "x"}, {"x --list", "x"}, {"-- --list", "--list"}, {"--verify true", "true"}};
    char flags[3000];
    PRINT_TO(help, to, flags_print_help(to));
    for (char *flag = strtok(unknown, " "); flag; flag = strtok(NULL, " ")) {
        snprintf(flags, sizeof flags, "--list %s", flag);
        assert_refused(flags, flag, "unknown flag", "--help");
    }
    for (char *flag = strtok(valued, " "); flag; flag = strtok(NULL, " ")) {
        snprintf(flags, sizeof flags, "--list %s", flag);
        assert_refused(flags, flag, "", "value");
        assert_non_null(strstr(help, flag));
    }
    for (char *flag = strtok(plain, " "); flag; flag = strtok(NULL, " "))
        assert_non_null(strstr(help, flag));
    for (size_t i = 0; i < LENGTH(stray); i++)
        assert_refused(stray[i][0], stray[i][1], "", "--");
    memset(flags, 'x', sizeof flags);
    memcpy(flags, "--suite=", 8);
    flags[sizeof flags - 1] = '\0';
    assert_refused(flags, "--suite", "xxx", ""); /* still one line */
}

TEST(what_may_not_stand_together_is_refused)
{
    static const char *const pairs[][4] = {
        {"--benchmark_out=a --json=b", "--benchmark_out", "--json", "one of them"},
        {"--benchmark_min_time=7x --samples-per-row=7", "--benchmark_min_time=...x", "--samples-per-row",
         "one of them"},
        {"--benchmark_report_aggregates_only --out=a", "--benchmark_report_aggregates_only", "row per round",
         "--benchmark_out_format"},
        {"--benchmark_display_aggregates_only --format=csv", "--benchmark_display_aggregates_only", "row per round",
         "--benchmark_format"},
        {"--sitting=a:3 --rounds=2", "--sitting", "--rounds", "expected one round"},
        {"--slowdown=x:5 --samples=s.csv", "--slowdown", "--samples", "expected --out"},
        {"--explain --list", "--explain", "--list", "expected flags that choose rows"},
        {"--explain --slowdown=x:5", "--explain", "--slowdown", "as fast as they are"},
        {"--tune --suite=mnist", "--tune", "--suite", "its own shapes"},
        {"--tune --modes=cold", "--tune", "--modes", "cold"},
        {"--tune --slowdown=x:5", "--tune", "--slowdown", "a run that times rows"},
        {"--tune --kernel=x.cu", "--tune", "--kernel", "candidates"},
        {"--devices=0 --device=0", "--devices", "--device", "one of them"},
        {"--backend=gpus --device=0", "--backend", "--device", "CUDA_VISIBLE_DEVICES"},
        {"--devices=all --backend=gpus", "--backend", "--devices", "CUDA_VISIBLE_DEVICES"},
        {"--devices=all --list", "--devices", "--list", "a run that times rows"},
        {"--devices=all --info", "--devices", "--info", "a run that times rows"},
        {"--devices=all --tune", "--devices", "--tune", "one table"},
        {"--devices=all --explain", "--devices", "--explain", "one table"},
        {"--devices=all --watch --kernel=x.cu", "--devices", "--watch", "one table"},
        {"--devices=all --sitting=a:3", "--devices", "--sitting", "one table"},
        {"--devices=all --json=a", "--devices", "another output", "--out"},
        {"--devices=all --format=csv", "--devices", "another output", "--out"},
        {"--devices=all --slowdown=x:5", "--devices", "--slowdown", "one table"},
        {"--together", "--together", "one run", "--devices"},
        {"--merge --match=x", "--merge", "--match", "one of them"},
        {"--profile=x --calibrate", "--calibrate", "several", "expected one"},
        {"--info --list", "--info", "several", "expected one"},
    };
    static const char *const of_times[][2] = {{"--sitting", "=a:3"},
                                              {"--slowdown", "=x:5"},
                                              {"--explain", ""},
                                              {"--samples-per-row", "=5"},
                                              {"--benchmark_min_time", "=5x"},
                                              {"--tune", ""},
                                              {"--benchmark_dry_run", ""},
                                              {"--benchmark_min_warmup_time", "=1"}};
    static const char *const without[] = {"--info", "--calibrate", "--profile=x", "--list", "--verify"};
    static const char *const instead[] = {"--format=csv",
                                          "--format=json",
                                          "--format=markdown",
                                          "--out=-",
                                          "--json=-",
                                          "--samples=-",
                                          "--benchmark_out=-",
                                          "--benchmark_format=csv",
                                          "--benchmark_out=- --benchmark_out_format=csv",
                                          "--benchmark_out=- --benchmark_out_format=console"};
    char flags[96];
    for (size_t i = 0; i < LENGTH(pairs); i++)
        assert_refused(pairs[i][0], pairs[i][1], pairs[i][2], pairs[i][3]);
    for (size_t i = 0; i < LENGTH(of_times); i++)
        for (size_t k = 0; k < LENGTH(without); k++) {
            bool is_fine = (i == 0 && k == 4) || (i >= 2 && i <= 5 && k == 3); /* a sitting verifies; see elsewhere */
            is_fine =
                is_fine || (k == 2 && i >= 3 && i != 5); /* how long: ncu's run has the flags of the explained one */
            snprintf(flags, sizeof flags, "%s%s %s", of_times[i][0], of_times[i][1], without[k]);
            if (!is_fine)
                assert_refused(flags, of_times[i][0], k == 2 ? "--profile" : without[k], "expected a run that times");
        }
    for (size_t i = 0; i < LENGTH(instead); i++) {
        snprintf(flags, sizeof flags, "--explain %s", instead[i]);
        assert_refused(flags, "--explain", "", "below the table");
    }
}

/* The name alone of "--out=a", and a colon. */
static void assert_idle(const char *flags, const char *idle, const char *with, const char *expected)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s:", (int)strcspn(idle, "="), idle);
    assert_refused(flags, name, with, expected);
}

TEST(what_would_do_nothing_is_refused)
{
    char in_list[] = "--out=a --json=a --samples=a --format=csv --rounds=2 --budget=5 --seed=1 --min-time=1 "
                     "--threads=1 --device=0 --mnist=m --require=cpu --flush=read --gray-out=g "
                     "--benchmark_repetitions=2 --samples-per-row=5";
    char in_summary[] = "--list --filter=x --suite=all --out=b --shape=1x2x3 --rounds=2";
    static const char *const without_a_place[][4] = {
        {"--benchmark_context=a=b", "--context", "the table", "CSV or JSON"},
        {"--context=a=b --samples=x", "--context", "the table", "CSV or JSON"},
        {"--benchmark_time_unit=ms --out=x", "--benchmark_time_unit", "the table", "JSON"},
        {"--benchmark_out_format=json --json=x", "--benchmark_out_format", "stdout", "--benchmark_out=FILE"},
    };
    char flags[96];
    accepted("--list --verify --suite=smoke --filter=x --backend=cpu --modes=hot --shape=1x2x3 --image-size 3x4");
    accepted("--benchmark_filter=x --benchmark_list_tests --progress=off --color=never");
    accepted("--summarize=a.csv --progress=off --color=never");
    for (char *flag = strtok(in_list, " "); flag; flag = strtok(NULL, " ")) {
        snprintf(flags, sizeof flags, "--list --suite=smoke %s", flag);
        assert_idle(flags, flag, "--list", "choose rows");
        snprintf(flags, sizeof flags, "%s --list", flag);
        assert_idle(flags, flag, "--list", "choose rows");
        snprintf(flags, sizeof flags, "--benchmark_list_tests=false %s", flag);
        accepted(flags);
    }
    for (char *flag = strtok(in_summary, " "); flag; flag = strtok(NULL, " ")) {
        snprintf(flags, sizeof flags, "--summarize=a.csv %s", flag);
        assert_idle(flags, flag, "--summarize", "only");
    }
    for (size_t i = 0; i < LENGTH(without_a_place); i++)
        assert_idle(without_a_place[i][0], without_a_place[i][1], without_a_place[i][2], without_a_place[i][3]);
}

TEST(the_context_has_room_for_so_much)
{
    char flags[1100] = "--json=x --context=a=";
    memset(flags + strlen(flags), 'x', 509);
    assert_int_equal(strlen(accepted(flags).context), 511);
    strcat(flags, " --context=b=");
    assert_refused(flags, "--context", "more", "511 bytes");
}

TEST(a_suite_brings_its_modes_time_and_threads)
{
    static const char *const names[] = {"mnist", "lecture", "sweep", "smoke", "network", "gate", "all", "none"};
    char flags[96];
    for (size_t i = 0; i < LENGTH(names); i++) {
        snprintf(flags, sizeof flags, "--suite=smoke --suite=%s", names[i]);
        assert_string_equal(accepted(flags).suite->name, names[i]);
        assert_non_null(strstr(suite_names, names[i]));
    }
    struct options plain = accepted(""), gate = accepted("--suite=gate");
    assert_string_equal(plain.suite->name, "mnist");
    assert_modes(&plain, "cold,hot,e2e");
    assert_modes(&gate, "cold,hot,graph");
    assert_true(gate.modes_are_suites && gate.min_time_s < 0.1 && gate.backend.threads == 1);
    snprintf(flags, sizeof flags, "--modes=e2e --min-time=3 --threads=%u --suite=gate", host_processors());
    struct options own = accepted(flags);
    assert_true(!own.modes_are_suites && own.min_time_s == 3 && own.backend.threads == (int)host_processors());
    assert_modes(&own, "e2e");
    struct options profile = accepted("--profile=matmul/square-64/x/graph --suite=smoke --modes=hot "
                                      "--samples-per-row=5 --benchmark_min_warmup_time=1");
    assert_string_equal(profile.profile, "matmul/square-64/x/graph");
    assert_string_equal(profile.suite->name, "all"); /* any row there is */
    assert_modes(&profile, mode_names);
}

TEST(modes_are_a_list_of_which_the_last_counts)
{
    static const char *const lists[][2] = {{"--modes=hot,cold", "hot,cold"},
                                           {"--modes=cold,cold,e2e,cold", "cold,e2e"},
                                           {"--modes cold --modes hot", "hot"}};
    for (size_t i = 0; i < LENGTH(lists); i++) {
        struct options options = accepted(lists[i][0]);
        assert_modes(&options, lists[i][1]);
    }
}

TEST(devices_are_different_numbers_or_all)
{
    struct options options = accepted("--devices=3,0,12");
    assert_int_equal(options.device_count, 3);
    assert_true(options.devices[0] == 3 && options.devices[1] == 0 && options.devices[2] == 12 && !options.all_devices);
    options = accepted("--devices=3,0 --devices=all --together");
    assert_true(options.device_count == 0 && options.all_devices && options.together);
    options = accepted("--devices=all --devices=1");
    assert_true(options.device_count == 1 && options.devices[0] == 1 && !options.all_devices);
    char many[512] = "--devices=0";
    for (int i = 1; i < OPTIONS_DEVICES_MAX; i++)
        text_append(many, sizeof many, ",%d", i);
    assert_int_equal(accepted(many).device_count, OPTIONS_DEVICES_MAX);
    text_append(many, sizeof many, ",%d", OPTIONS_DEVICES_MAX);
    assert_refused(many, "--devices", "", "up to 64");
}

TEST(a_sitting_has_a_name_and_the_number_of_a_round)
{
    assert_string_equal(accepted("").sitting, "");
    struct options options = accepted("--sitting=Gate_2.a-9:17");
    assert_string_equal(options.sitting, "Gate_2.a-9");
    assert_true(options.sitting_round == 17 && options.rounds == 1);
    assert_int_equal(accepted("--sitting=a:0 --rounds=1").sitting_round, 0);
    options = accepted("--sitting=0123456789012345678901234567890123456789:999999");
    assert_string_equal(options.sitting, "0123456789012345678901234567890123456789");
    assert_int_equal(options.sitting_round, 999999);
}

static void assert_flags(char *const *flags, const char *expected)
{
    char text[512] = "";
    for (; *flags; flags++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", text[0] ? " " : "", *flags);
    assert_string_equal(text, expected);
}

TEST(rounds_share_what_is_measured_and_not_where_it_goes)
{
    static const char *const shared[][2] = {
        {"", ""},
        {"--suite=smoke --filter=a=b --seed 7 --seed=8 --", "--suite=smoke --filter=a=b --seed 7 --seed=8"},
        {"--benchmark_filter=x --shape 1x2x3 --mnist m --image-size 3x4 --verify",
         "--benchmark_filter=x --shape 1x2x3 --mnist m --image-size 3x4 --verify"},
        {"--out=a --samples b --json=c --format csv --color never --progress=on --rounds 3 --budget=5 --verify",
         "--verify"},
        {"--benchmark_out=a --benchmark_out_format json --benchmark_format=csv --benchmark_color=true "
         "--benchmark_repetitions=1 --min-time 1 --sitting a:1",
         "--min-time 1"},
        {"--explain --seed=1", "--seed=1"},
        {"--samples-per-row=5 --rounds=2 --size=map:n=1..3,7", "--samples-per-row=5 --size=map:n=1..3,7"},
        {"--suite=smoke --gray-out=g.png --out=a.csv --shape 1x2x3 --gray-out h.png", "--suite=smoke --shape 1x2x3"},
    };
    for (size_t i = 0; i < LENGTH(shared); i++)
        assert_flags(accepted(shared[i][0]).shared, shared[i][1]);
}

/* The table of flags grows with the operations. */
TEST(operations_may_have_any_number_of_flags)
{
    const struct op *many[200];
    for (size_t i = 0; i < LENGTH(many); i++)
        many[i] = flags_registry.ops[0];
    struct registry registry = flags_registry;
    registry.ops = many;
    registry.op_count = LENGTH(many);
    char *argv[] = {"rungbench", "--suite=smoke", NULL}, *arguments[3];
    struct options options;
    MUST(flags_parse(&registry, 2, argv, arguments, &options, &error));
    assert_string_equal(options.suite->name, "smoke");
}

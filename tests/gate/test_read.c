/* What others' benchmarks write becomes the same rounds, whichever of them wrote it, and what is damaged is refused
 * with one line. */
#include "bench/gate/gate_options.h"
#include "bench/gate/read/read.h"
#include "tests/unit.h"

enum { NAMES = 2, ROUNDS = 3, TEXT_MAX = 1 << 16 };

/* Seconds. */
static const char *const names[NAMES] = {"a/NaN", "b"};
static const float times[NAMES][ROUNDS] = {{3, 1, 2}, {6, 4, 5}};
static struct recording recording;
static struct error refusal;

static int clean(void **state)
{
    recording_free(&recording);
    recording.wants = NULL;
    refusal = (struct error){""};
    return 0;
}

AROUND_EACH_TEST(clean, clean)

#define GOOGLE_RUN(name, round, time)                                                                            \
    "{\"name\": \"" name "\", \"run_type\": \"iteration\", \"repetition_index\": " round ", \"iterations\": 3, " \
    "\"real_time\": " time ", \"cpu_time\": 1e9, \"time_unit\": \"s\", \"label\": \"NaN \\\"\"}, "
#define GOOGLE_RUNS(name, first, second, third) \
    GOOGLE_RUN(name, "0", first)                \
    GOOGLE_RUN(name, "1", second)               \
    GOOGLE_RUN(name, "2", third) "{\"name\": \"" name "_mean\", \"run_type\": \"aggregate\", \"real_time\": 5}"
#define HYPERFINE_RUN(name, times) "{\"command\": \"" name "\", \"mean\": 9, \"times\": " times ", \"exit_codes\": [0]}"
#define PYTEST_RUN(name, times) \
    "{\"name\": \"x\", \"fullname\": \"" name "\", \"stats\": {\"min\": 9, \"ops\": Infinity, \"data\": " times "}}"
#define NVBENCH_RUN(name, file)                                                                                     \
    "{\"name\": \"" name "\", \"states\": [{\"name\": \"\", \"device\": 0, \"is_skipped\": false, \"summaries\": [" \
    "{\"tag\": \"nv/cold/time/gpu/mean\", \"data\": [{\"name\": \"value\", \"value\": \"9\"}]}, "                   \
    "{\"tag\": \"nv/json/bin:nv/cold/sample_times\", \"data\": [{\"name\": \"filename\", \"value\": "               \
    "\"" file "\"}, {\"name\": \"size\", \"value\": \"3\"}]}]}]}"

#define NVBENCH_RUNS(folder)                                                                        \
    "{\"meta\": {}, \"devices\": [{\"id\": 0, \"name\": \"H100\"}], \"benchmarks\": [" NVBENCH_RUN( \
        "a/NaN", folder "rows-bin/0.bin") ", " NVBENCH_RUN("b", folder "rows-bin/1.bin") "]}"

/* The same times as each format has them. */
static const struct {
    int place; /* in READ_FORMATS */
    const char *text, *device, *host;
} formats[] = {
    {2,
     "{\"context\": {\"host_name\": \"alpha\", \"x\": NaN, \"y\": [-Infinity, 1]}, \"benchmarks\": [" GOOGLE_RUNS(
         "a/NaN", "3", "1", "2") ", " GOOGLE_RUNS("b", "6", "4", "5") "]}",
     "", "alpha"},
    {5, "{\"results\": [" HYPERFINE_RUN("a/NaN", "[3, 1, 2]") ", " HYPERFINE_RUN("b", "[6, 4, 5]") "]}", "", ""},
    {6,
     "{\"machine_info\": {\"node\": \"alpha\"}, \"benchmarks\": [" PYTEST_RUN("a/NaN", "[3, 1, 2]") ", " PYTEST_RUN(
         "b", "[6, 4, 5]") "]}",
     "", "alpha"},
    {3, NVBENCH_RUNS(""), "H100", ""},
    {7, "round,name,seconds,clock\n0,a/NaN,3,\n0,b,6,\n1,a/NaN,1,host\n1,b,4,host\n2,a/NaN,2,\n2,b,5,\n", "", ""},
    {7,
     "name,round,seconds,device,clock\na/NaN,0,3,H100,device\na/NaN,1,1,H100,device\na/NaN,2,2,H100,device\n"
     "b,0,6,H100,device\nb,1,4,H100,device\nb,2,5,H100,device\n",
     "H100", ""},
};

/* The text in the file `rows`, and NVBench's samples beside it. */
static void put_rows(const char *text)
{
    char path[20];
    file_put("rows", text);
    mkdir("rows-bin", 0777);
    for (int name = 0; name < NAMES; name++) {
        snprintf(path, sizeof path, "rows-bin/%d.bin", name);
        FILE *to = fopen(path, "w");
        assert_true(to && fwrite(times[name], sizeof times[name], 1, to) == 1 && fclose(to) == 0);
    }
}

static void read_text(const char *text)
{
    clean(NULL);
    file_put("rows", text);
    MUST(results_read_file("rows", READ_AUTO, &recording, &error));
}

static void assert_refused(const char *text, const char *expected)
{
    clean(NULL);
    file_put("rows", text);
    assert_false(results_read_file("rows", READ_AUTO, &recording, &refusal));
    if (strcmp(refusal.text, expected) != 0)
        fail_msg("'%s', expected '%s'", refusal.text, expected);
}

TEST(each_format_gives_the_same_rounds)
{
    for (size_t f = 0; f < LENGTH(formats); f++)
        for (int is_named = 0; is_named < 2; is_named++) {
            clean(state);
            put_rows(formats[f].text);
            MUST(results_read_file("rows", is_named ? formats[f].place : READ_AUTO, &recording, &error));
            assert_int_equal(recording.count, NAMES * ROUNDS);
            for (size_t i = 0; i < recording.count; i++) {
                const struct observation *o = &recording.items[i];
                assert_string_equal(o->name, names[i / ROUNDS]);
                assert_int_equal(o->round, i % ROUNDS);
                assert_true(o->time_s == (double)times[i / ROUNDS][i % ROUNDS]);
                assert_int_equal(o->on_host, formats[f].device[0] == '\0');
                assert_true(o->foreign && o->status == STATUS_OK);
                assert_string_equal(o->text[COLUMN_device], formats[f].device);
                assert_string_equal(o->text[COLUMN_host], formats[f].host);
                assert_string_equal(o->text[COLUMN_code], "");
            }
        }
}

/* Reads a text as what a process has written. */
static void read_process(const char *text)
{
    clean(NULL);
    struct reading process = {.name = "process",
                              .path = "rows",
                              .is_process = true,
                              .to = &recording,
                              .text = strdup(text),
                              .bytes = strlen(text)};
    MUST(results_read(&process, READ_AUTO, &error));
}

/* The median on a device's clock, else the least. */
TEST(a_process_is_one_round)
{
    for (size_t f = 0; f < LENGTH(formats); f++) {
        put_rows(formats[f].text);
        read_process(formats[f].text);
        assert_int_equal(recording.count, NAMES);
        for (size_t i = 0; i < NAMES; i++)
            assert_true(recording.items[i].time_s == (double)times[i][formats[f].device[0] ? 2 : 1]);
    }
}

/* What lies close together is alike, so that many times of one process are no more rounds than its blocks. */
TEST(many_times_are_twenty_blocks)
{
    static const struct {
        const char *before, *each, *after;
        int rounds, offset; /* of the time that counts of a block of two or three, from its first */
    } table[] = {
        {"{\"results\": [{\"command\": \"a\", \"times\": [1", ", %d", "]}]}", 20, 0},
        {"{\"context\": {}, \"benchmarks\": [{\"name\": \"a\", \"real_time\": 1, \"time_unit\": \"s\"}",
         ", {\"name\": \"a\", \"real_time\": %d, \"time_unit\": \"s\", \"repetition_index\": %d}", "]}", 20, 0},
        {"name,seconds,round\na,1,0\n", "a,%d,%d\n", "", 20, 0},
        {"clock,name,seconds,round\ndevice,a,1,0\n", "device,a,%d,%d\n", "", 20, 1},
        {"sitting,name,seconds,round\nmonday,a,1,0\n", "monday,a,%d,%d\n", "", 45, 0}, /* processes in turns */
    };
    for (size_t f = 0; f < LENGTH(table); f++) {
        char text[TEXT_MAX];
        PRINT_TO(text, to, {
            fputs(table[f].before, to);
            for (int i = 1; i < 45; i++)
                fprintf(to, table[f].each, i + 1, i);
            fputs(table[f].after, to);
        });
        read_text(text);
        assert_int_equal(recording.count, table[f].rounds);
        for (int i = 0; i < table[f].rounds; i++) {
            const int from = i * 45 / table[f].rounds, end = (i + 1) * 45 / table[f].rounds;
            assert_close(recording.items[i].time_s, 1 + from + table[f].offset * (end - from - 1) / 2.0);
            assert_int_equal(recording.items[i].round, i);
        }
        read_process(text);
        assert_int_equal(recording.count, 1);
        assert_true(recording.items[0].time_s == (table[f].offset ? 23 : 1));
    }
}

#define GOOGLE(entries) "{\"context\": {}, \"benchmarks\": [" entries "]}"
#define GOOGLE_TIME(time, unit) GOOGLE("{\"name\": \"a\", \"real_time\": " time ", \"time_unit\": \"" unit "\"}")
#define NVBENCH(states) "{\"devices\": null, \"benchmarks\": [{\"name\": \"a\", \"states\": [" states "]}]}"
#define NVBENCH_STATE(more) NVBENCH("{\"name\": \"N=1\", " more "}")
#define SUMMARY(tag, value) "{\"tag\": \"nv/" tag "\", \"data\": [{\"name\": \"value\", \"value\": \"" value "\"}]}"
#define SUMMARIES(some) NVBENCH_STATE("\"summaries\": [" some "]")
#define AND ", "

TEST(without_times_the_best_summary_counts)
{
    static const struct {
        const char *text;
        double time_s;
        bool on_host;
    } table[] = {
        {"Benchmark,Device,Device Name,Skipped,Samples,CPU Time (sec),Noise,GPU Time (sec),Noise,Samples\n"
         "a,,H100,No,100,3,1,2,1,7\n",
         2, false},
        {"Benchmark,Device,Device Name,Skipped,Samples,CPU Time (sec),Noise\na,,,No,100,3,1\n", 3, true},
        {"{\"results\": [{\"command\": \"a\", \"mean\": 2}]}", 2, true},
        {"{\"machine_info\": {}, \"benchmarks\": [{\"fullname\": \"a\", \"stats\": {\"min\": 2, \"mean\": 3}}]}", 2,
         true},
        {GOOGLE_TIME("7", "ns"), 7e-9, true},
        {GOOGLE_TIME("7", "us"), 7e-6, true},
        {GOOGLE_TIME("7", "ms"), 7e-3, true},
        {GOOGLE_TIME("7", "s"), 7, true},
        {SUMMARIES(SUMMARY("cold/time/cpu/mean", "9") AND SUMMARY("cold/time/gpu/mean", "3")
                       AND SUMMARY("cold/time/gpu/median", "2")),
         2, false},
        {SUMMARIES(SUMMARY("cold/time/cpu/mean", "9") AND SUMMARY("batch/time/gpu/mean", "4")
                       AND SUMMARY("cold/time/gpu/mean", "3")),
         3, false},
        {SUMMARIES(SUMMARY("cpu_only/time/cpu/mean", "6") AND SUMMARY("cpu_only/time/cpu/min", "5")), 5, true},
    };
    for (size_t i = 0; i < LENGTH(table); i++) {
        read_text(table[i].text);
        assert_int_equal(recording.count, 1);
        assert_close(recording.items[0].time_s, table[i].time_s);
        assert_int_equal(recording.items[0].on_host, table[i].on_host);
        assert_string_equal(recording.items[0].name, strstr(table[i].text, "N=1") ? "a N=1" : "a");
    }
}

/* Axes of a later benchmark stand behind what the first has measured. */
TEST(nvbenchs_csv_of_several_benchmarks_names_all_axes)
{
    static const char *const expected[] = {"a Device=0 N=2^0 T=F32", "b Device=0 M=2^3 K=x", "b Device=0 M=2^4 K=y"};
    read_text("Benchmark,Device,Device Name,N (pow2),N,T,Skipped,Items,Samples,CPU Time (sec),M (pow2),M,K,GPU Time "
              "(sec),BWUtil\n"
              "a,0,H100,2^0,1,F32,No,7,10,3,,,,,\n"
              "b,0,H100,,,,No,8,10,3,2^3,8,x,2,0.5\n"
              "b,0,H100,,,,Yes,,,,2^4,16,y,,\n");
    assert_int_equal(recording.count, LENGTH(expected));
    for (size_t i = 0; i < LENGTH(expected); i++) {
        assert_string_equal(recording.items[i].name, expected[i]);
        assert_string_equal(recording.items[i].text[COLUMN_device], "H100");
    }
    assert_true(recording.items[1].time_s == 2);
}

TEST(nvbenchs_numbers_have_all_digits)
{
#define STATE_OF(type)                                                                                      \
    NVBENCH_STATE("\"axis_values\": [{\"name\": \"N\", \"type\": \"" type "\", \"value\": \"1.000002\"}], " \
                  "\"summaries\": [" SUMMARY("cold/time/gpu/mean", "3") "]")
    read_text(STATE_OF("float64"));
    assert_string_equal(recording.items[0].name, "a N=1.000002");
    read_text(STATE_OF("string"));
    assert_string_equal(recording.items[0].name, "a N=1");
}

/* Batches are another quantity than single launches, with which the other side would be compared. */
TEST(what_was_not_timed_has_its_reason)
{
    static const struct {
        const char *text, *reason;
        enum status status;
    } table[] = {
        {GOOGLE("{\"name\": \"a\", \"run_type\": \"iteration\", \"error_occurred\": true, \"error_message\": \"no "
                "memory\", \"real_time\": 0}"),
         "no memory", STATUS_FAILED},
        {GOOGLE("{\"name\": \"a\", \"skipped\": true, \"skip_message\": \"no GPU\"}"), "no GPU", STATUS_SKIPPED},
        {NVBENCH_STATE("\"is_skipped\": true, \"skip_reason\": \"too small\", \"summaries\": null"), "too small",
         STATUS_SKIPPED},
        {NVBENCH_STATE("\"is_skipped\": true, \"skip_reason\": \"Unexpected error: no memory\""),
         "Unexpected error: no memory", STATUS_FAILED},
        {SUMMARIES(""), "it has no time", STATUS_SKIPPED},
        {SUMMARIES(SUMMARY("cold/sample_size", "0") AND SUMMARY("batch/time/gpu/mean", "4")),
         "all of its samples were discarded", STATUS_SKIPPED},
        {SUMMARIES(SUMMARY("cold/sample_size", "0") ", {\"tag\": \"nv/json/bin:nv/cold/sample_times\", \"data\": "
                                                    "[{\"name\": \"filename\", \"value\": \"x\"}, {\"name\": "
                                                    "\"size\", \"value\": \"0\"}]}"),
         "all of its samples were discarded", STATUS_SKIPPED},
        {"Benchmark,Device,Device Name,Skipped\na,,,Yes\n", "NVBench skipped it, or it failed", STATUS_SKIPPED},
        {"Benchmark,Device,Device Name,Skipped,Samples,Samples,Batch GPU (sec)\na,,,No,0,5,4\n", "it has no time",
         STATUS_SKIPPED},
        {"{\"results\": [{\"command\": \"a\", \"times\": [1, 2], \"exit_codes\": [0, 139]}]}",
         "exit status 139 of run 1", STATUS_FAILED},
        {"name,round,seconds,status,reason\na,0,,failed,wrong\n", "wrong", STATUS_FAILED},
    };
    for (size_t i = 0; i < LENGTH(table); i++) {
        read_text(table[i].text);
        assert_int_equal(recording.count, 1);
        assert_string_equal(recording.items[0].name, strstr(table[i].text, "N=1") ? "a N=1" : "a");
        assert_int_equal(recording.items[0].status, table[i].status);
        assert_string_equal(recording.items[0].reason, table[i].reason);
        assert_true(isnan(recording.items[0].time_s));
    }
}

TEST(a_mark_before_utf8_is_no_text)
{
    for (size_t f = 0; f < LENGTH(formats); f++) {
        char text[TEXT_MAX];
        snprintf(text, sizeof text, "\xef\xbb\xbf%s", formats[f].text);
        put_rows(text);
        read_text(text);
        assert_int_equal(recording.count, NAMES * ROUNDS);
    }
}

TEST(only_what_is_wanted_is_read)
{
    for (int i = 0; i < 4; i++) {
        clean(state);
        put_rows(formats[i / 2 ? 0 : LENGTH(formats) - 1].text);
        struct pattern *filter = row_filter_make(i % 2 ? "-^b" : "^b", &refusal);
        assert_non_null(filter);
        recording.wants = row_filter_wants;
        recording.choice = filter;
        MUST(results_read_file("rows", READ_AUTO, &recording, &error));
        assert_int_equal(recording.count, ROUNDS);
        assert_string_equal(recording.items[0].name, i % 2 ? "a/NaN" : "b");
        pattern_free(filter);
    }
    assert_null(row_filter_make("(", &refusal));
    assert_non_null(strstr(refusal.text, "--filter=(: "));
}

/* A file of each format, cut somewhere, is refused with its name: it is never half a result. */
TEST(what_is_cut_is_refused)
{
    for (size_t f = 0; f < LENGTH(formats); f++) {
        const size_t length = strlen(formats[f].text);
        for (size_t cut = 1; cut < length - 1; cut += 1 + length / 40) {
            char part[TEXT_MAX];
            snprintf(part, sizeof part, "%.*s", (int)cut, formats[f].text);
            if (part[cut - 1] == '\n')
                continue; /* a CSV of fewer lines is one */
            clean(state);
            put_rows(part);
            assert_false(results_read_file("rows", READ_AUTO, &recording, &refusal));
            assert_int_equal(strncmp(refusal.text, "rows: ", 6), 0);
            assert_null(strchr(refusal.text, '\n'));
        }
    }
}

TEST(what_is_damaged_is_refused_with_what_was_expected)
{
    static const struct {
        const char *text, *expected;
    } table[] = {
        {"", "rows: is empty, expected CSV with a header"},
        {"{}",
         "rows: JSON of no known tool, expected Google Benchmark's, NVBench's, hyperfine's or pytest-benchmark's"},
        {"[1, 2]",
         "rows: JSON of no known tool, expected Google Benchmark's, NVBench's, hyperfine's or pytest-benchmark's"},
        {"{\"results\": 3}", "rows: has no 'results', expected an array of them that is not empty"},
        {"{\"results\": [3]}", "rows: results[0]: Expected object, got integer"},
        {"{\"results\": [{\"command\": \"a\", \"times\": [1, \"2\"]}]}",
         "rows: results[0]: time 1 is no number, expected seconds"},
        {"{\"results\": [{\"command\": \"a\", \"times\": [0]}]}",
         "rows: results[0]: a: a time is 0 s, expected seconds from 1e-12 to 1e6"},
        {"{\"results\": [{\"command\": \"a\\nb\", \"times\": [1]}]}",
         "rows: results[0]: 'a?b' is the name of a benchmark, expected one line"},
        {GOOGLE("{\"name\": \"a\"}"), "rows: benchmarks[0]: Object item not found: real_time"},
        {GOOGLE("{\"real_time\": 1}"), "rows: benchmarks[0]: Object item not found: name"},
        {GOOGLE("{\"name\": \"a\", \"real_time\": \"1\"}"),
         "rows: benchmarks[0]: Expected real or integer, got string"},
        {GOOGLE("{\"name\": \"a\", \"real_time\": 1}"), "rows: benchmarks[0]: Object item not found: time_unit"},
        {GOOGLE("{\"name\": \"a\", \"run_type\": \"agregate\"}"),
         "rows: benchmarks[0]: run_type is 'agregate', expected iteration or aggregate"},
        {GOOGLE_TIME("1", "h"), "rows: benchmarks[0]: time_unit is 'h', expected ns, us, ms or s"},
        {GOOGLE_TIME("NaN", "s"), "rows: benchmarks[0]: a: a time is 0 s, expected seconds from 1e-12 to 1e6"},
        {GOOGLE("{\"name\": \"a\", \"repetition_index\": -1}"),
         "rows: benchmarks[0]: repetition_index is -1, expected 0 to 1e9"},
        {GOOGLE("{\"name\": \"a\", \"repetition_index\": 4294967296}"),
         "rows: benchmarks[0]: repetition_index is 4294967296, expected 0 to 1e9"},
        {"{\"results\": [{\"command\": \"a\", \"mean\": 1, \"mean\": 2}]}",
         "rows: line 1: duplicate object key near '\"mean\"', expected JSON"},
        {SUMMARIES(SUMMARY("cold/time/gpu/mean", "0.01garbage")),
         "rows: benchmarks[0]: nv/cold/time/gpu/mean is '0.01garbage', expected seconds"},
        {GOOGLE("{\"name\": \"a\", \"run_type\": \"aggregate\", \"real_time\": 1}"),
         "rows: has no row, expected repetitions in Google Benchmark's JSON"},
        {GOOGLE("{\"name\": \"a\", \"real_time\": 1, \"time_unit\": \"s\", \"repetition_index\": 0}, "
                "{\"name\": \"a\", \"real_time\": 1, \"time_unit\": \"s\", \"repetition_index\": 0}"),
         "rows: 'a' is there twice, expected a name for each benchmark"},
        {NVBENCH("{}"), "rows: benchmarks[0]: Object item not found: name"},
        {"{\"devices\": [], \"benchmarks\": [{\"name\": \"a\"}]}",
         "rows: benchmarks[0]: Object item not found: states"},
        {NVBENCH(""), "rows: has no row, expected NVBench's JSON"},
        {"Benchmark,Device Name,Device,Skipped\na,b,c,No\n",
         "rows: has other columns, expected Benchmark,Device,Device Name,...,Skipped,..."},
        {"Benchmark,Device,Device Name,Skipped,GPU Time (sec)\na,,,No,x\n",
         "rows: line 2: GPU Time (sec) is 'x', expected seconds"},
        {"Benchmark,Device,Device Name,T,Skipped\na,,,pair<int, int>,No\n",
         "rows: line 2 has 6 cells, expected 5 as in the header (NVBench's CSV quotes nothing: use --json)"},
        {"Benchmark,Device,Device Name,Skipped,K\na,,,Yes,\nb,,,Yes,0.5\n",
         "rows: line 3: K=0.5 may be an axis or a result: use --json"},
        {"name,seconds\na,1\n", "rows: has no column name, round or seconds, expected all three"},
        {"name,round,seconds\na,-1,1\n", "rows: line 2: round is '-1', expected an integer from 0"},
        {"name,round,seconds\na,0,nan\n", "rows: line 2: seconds is 'nan', expected a decimal number above 0"},
        {"name,round,seconds,clock\na,0,1,sun\n", "rows: line 2: clock is 'sun', expected device or host"},
        {"name,round,seconds,status\na,0,1,fine\n", "rows: line 2: status is 'fine', expected ok, skipped or failed"},
        {"name,round,seconds\na,0,1\na,0,2\n", "rows: 'a' is there twice, expected a name for each benchmark"},
        {"name,round,seconds\n", "rows: has no row, expected a line name,round,seconds for each round"},
        {"name;round;seconds\n", "rows: its columns are separated by semicolons, expected commas"},
    };
    for (size_t i = 0; i < LENGTH(table); i++)
        assert_refused(table[i].text, table[i].expected);
}

TEST(a_file_of_samples_has_as_many_as_the_json_says)
{
    static const size_t sizes[] = {0, 7, 8, 13};
    for (size_t i = 0; i < LENGTH(sizes); i++) {
        char samples[40] = "", expected[100];
        put_rows(NVBENCH_RUNS(""));
        file_put("rows-bin/1.bin", memset(samples, '1', sizes[i]));
        clean(state);
        assert_false(results_read_file("rows", READ_AUTO, &recording, &refusal));
        snprintf(expected, sizeof expected,
                 "rows: benchmarks[1]: rows-bin/1.bin has %zu bytes, expected 4 for each of 3 samples", sizes[i]);
        assert_string_equal(refusal.text, expected);
    }
}

/* Until July 2026 NVBench named them as it had been called, in another folder than the gate. */
TEST(samples_lie_beside_the_json)
{
    static const char *const folders[][2] = {{"", NVBENCH_RUNS("")},
                                             {"results/", NVBENCH_RUNS("results/")},
                                             {"/gone/results/", NVBENCH_RUNS("/gone/results/")}};
    mkdir("beside", 0777);
    for (size_t i = 0; i < LENGTH(folders); i++) {
        put_rows(folders[i][1]);
        for (int is_moved = 0; is_moved < 2; is_moved++) {
            clean(state);
            MUST(results_read_file(is_moved ? "beside/rows" : "rows", READ_AUTO, &recording, &error));
            assert_int_equal(recording.count, NAMES * ROUNDS);
            if (!is_moved)
                assert_true(rename("rows", "beside/rows") == 0 && rename("rows-bin", "beside/rows-bin") == 0);
        }
        clean(state);
        remove("beside/rows-bin/0.bin"); /* the summary, which is another time, is left */
        assert_false(results_read_file("beside/rows", READ_AUTO, &recording, &refusal));
        char expected[120];
        snprintf(expected, sizeof expected,
                 "beside/rows: benchmarks[0]: %srows-bin/0.bin is missing, expected the samples next to the JSON",
                 folders[i][0]);
        assert_string_equal(refusal.text, expected);
        remove("beside/rows-bin/1.bin");
        remove("beside/rows-bin");
    }
}

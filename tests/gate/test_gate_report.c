/* The gate's report: its status, headline and advice; Markdown, XML and CSV are compared with golden files. */
#include "bench/gate/gate_report.h"
#include "tests/report/sample_results.h"
#include "tests/unit.h"

#include <jansson.h>

static void write_file(gate_writer *writer, const struct gate_report *report, const char *path)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    writer(file, report);
    assert_int_equal(fclose(file), 0);
}

static void write_text(gate_writer *writer, const struct gate_report *report, char text[TEXT_MAX])
{
    write_file(writer, report, "report.txt");
    file_get("report.txt", text, TEXT_MAX);
    remove("report.txt");
}

/* Markup of Markdown, HTML, CSV and XML, a control character, a line break, and bytes that are not UTF-8. */
static const char new_name[] = "new|<b>\n\033[31m.csv";
static const char nasty_text[] = "a|b <c> & \"d\"\x01 `e` _f_ *g*, [h](i) \\| \xff\n]]>'j' caf\xc3\xa9";

#define ROW(row_name, row_verdict, ...) \
    .name = row_name, .verdict = row_verdict, .is_decided = true, .reason = __VA_ARGS__
#define TIMED(before_s, times, from, to)            \
    "", .has_evidence = true,                       \
        .evidence = {.base_rounds = 8,              \
                     .new_rounds = 8,               \
                     .base_s = before_s,            \
                     .new_s = (before_s) * (times), \
                     .ratio = times,                \
                     .interval = {from, to},        \
                     .tick_s = 5e-10,               \
                     .limits = {0.01, 0.02},        \
                     .p_slower = 0.00390625,        \
                     .p_faster = 0.99609375,        \
                     .p_clear = 0.0078125,          \
                     .p_error = 0.00025,            \
                     .arrangements = 256}

/* A comparison made by hand, with a row of each verdict and texts that every format must escape. Rows are sorted by
 * name. */
static char reasons[] = "Less |<b>.\nThe machine code is the same.\n- Commit 1a2b3c4 a_b_c";
static struct compared_row samples[] = {
    {ROW(nasty_text, VERDICT_FAILED, nasty_text)},
    {ROW("grayscale/puppy/cuda_1d/cold", VERDICT_CLEARED, TIMED(39.9e-6, 1.0004, 0.9991, 1.0017))},
    {ROW("grayscale/puppy/cuda_vector/hot", VERDICT_FASTER, TIMED(12e-6, 0.8, 0, 0.809))},
    {ROW("grayscale/thumb/cuda_1d/cold", VERDICT_SUSPECTED, TIMED(4e-6, 1.1, 1.05, (double)INFINITY))},
    {ROW("grayscale/thumb/cuda_1d/hot", VERDICT_NOT_GATED, "launch-bound")},
    {ROW("matmul/mnist/cublas/cold", VERDICT_NEWLY_SKIPPED, "no \"GPU\"")},
    {ROW("matmul/mnist/cuda_tiled/cold", VERDICT_SLOWER, TIMED(326e-6, 1.0512, 1.031, 1.072)), .confirmed = true,
     .slowed = true, .why = reasons},
    {ROW("matmul/mnist/cuda_tiled/hot", VERDICT_CLEARED, TIMED(0.25, 1, 0.999, 1.001)), .code = CODE_CHANGED},
    {ROW("matmul/mnist/laid_out/cold", VERDICT_LAYOUT, TIMED(697e-6, 1.5365, 1.529, 1.544)), .code = CODE_SAME},
    {ROW("matmul/mnist/mine/cold", VERDICT_MISSING, "")},
    {ROW("matmul/mnist/yours/cold", VERDICT_NEW, "")},
    {ROW("matmul/mnist-valid5/cuda_tiled/cold", VERDICT_INCONCLUSIVE, TIMED(4e-6, 1.03, 0, (double)INFINITY))},
    {ROW("odd", VERDICT_SKIPPED, "built without CUDA")},
};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

static struct gate_report sample_report(void)
{
    static struct comparison comparison;
    static const struct gate_options options;
    comparison = (struct comparison){.options = &options,
                                     .level = RULE_SITTING_LEVEL,
                                     .rows = samples,
                                     .count = SAMPLES,
                                     .paired = true,
                                     .base_revision = "0123456789ab",
                                     .new_revision = "",
                                     .device = "Example GPU, <12> GB"};
    struct gate_report report = {
        .base_name = "base_of_all.csv", .new_name = new_name, .method = "8 pairs of rounds in one sitting"};
    gate_report_conclude(&report, &comparison, gate_status_of(&comparison));
    strcpy(report.advice, "run again with more rounds");
    return report;
}

enum { ROWS_MAX = 40 };
static struct compared_row rows[ROWS_MAX];
static struct comparison comparison;
static struct gate_options options;
static char text[TEXT_MAX];

static int start(void **state)
{
    options.other_device = false;
    comparison = (struct comparison){
        .options = &options, .level = 0.005, .rows = rows, .base_revision = "a", .new_revision = "b", .device = ""};
    return 0;
}

static struct compared_row *add(const char *name, enum verdict verdict)
{
    assert_true(comparison.count < ROWS_MAX);
    rows[comparison.count] = (struct compared_row){.name = name, .verdict = verdict, .reason = ""};
    return &rows[comparison.count++];
}

/* Writes a report of these rows to `text`. */
static void report_rows(gate_writer *writer)
{
    struct gate_report report = {.base_name = "base", .new_name = new_name};
    gate_report_conclude(&report, &comparison, GATE_SLOWER);
    write_text(writer, &report, text);
}

static void assert_shown(const char *expected)
{
    report_rows(gate_write_console);
    if (!strstr(text, expected))
        fail_msg("'%s' is not in: %s", expected, text);
}

AROUND_EACH_TEST(start, NULL)

TEST(each_verdict_has_its_status_and_the_worst_decides)
{
    static const enum gate_status statuses[VERDICTS][2] = {
        [VERDICT_SLOWER] = {GATE_SLOWER, GATE_INCONCLUSIVE},
        [VERDICT_FAILED] = {GATE_SLOWER, GATE_SLOWER}, /* wrong is wrong on any device */
        [VERDICT_MISSING] = {GATE_SLOWER, GATE_INCONCLUSIVE},
        [VERDICT_NEWLY_SKIPPED] = {GATE_SLOWER, GATE_INCONCLUSIVE},
        [VERDICT_SUSPECTED] = {GATE_INCONCLUSIVE, GATE_INCONCLUSIVE},
        [VERDICT_INCONCLUSIVE] = {GATE_INCONCLUSIVE, GATE_INCONCLUSIVE},
        [VERDICT_ACCEPTED] = {GATE_CLEARED, GATE_CLEARED},
        [VERDICT_LAYOUT] = {GATE_CLEARED, GATE_CLEARED},
        [VERDICT_SAME_CODE] = {GATE_CLEARED, GATE_CLEARED},
        [VERDICT_FASTER] = {GATE_CLEARED, GATE_CLEARED},
        [VERDICT_CLEARED] = {GATE_CLEARED, GATE_CLEARED},
        [VERDICT_NEW] = {GATE_BAD_INPUT, GATE_BAD_INPUT},
        [VERDICT_NOT_GATED] = {GATE_BAD_INPUT, GATE_BAD_INPUT},
        [VERDICT_SKIPPED] = {GATE_ALL_SKIPPED, GATE_ALL_SKIPPED},
    };
    static const enum gate_status worst_first[] = {GATE_SLOWER, GATE_INCONCLUSIVE, GATE_CLEARED, GATE_BAD_INPUT,
                                                   GATE_ALL_SKIPPED};
    assert_int_equal(gate_status_of(&comparison), GATE_BAD_INPUT);
    assert_string_equal(gate_status_words(GATE_BAD_INPUT), "nothing to compare");
    for (size_t i = 0; i < (size_t)VERDICTS * VERDICTS * 2; i++) {
        const enum verdict one = (enum verdict)(i / 2 / VERDICTS), another = (enum verdict)(i / 2 % VERDICTS);
        const enum gate_status *worst = worst_first;
        start(state);
        options.other_device = i % 2;
        add("a", one);
        assert_int_equal(gate_status_of(&comparison), statuses[one][i % 2]);
        add("b", another);
        while (*worst != statuses[one][i % 2] && *worst != statuses[another][i % 2])
            worst++;
        assert_int_equal(gate_status_of(&comparison), *worst);
    }
}

TEST(the_headline_counts)
{
    assert_shown("\ngate failed: 0 rows\n");
    add("a", VERDICT_CLEARED);
    assert_shown(": 1 row: 1 cleared\n");
    add("b", VERDICT_SLOWER);
    add("c", VERDICT_CLEARED);
    assert_shown(": 3 rows: 1 slower, 2 cleared\n");
    for (enum verdict verdict = 0; verdict < VERDICTS; verdict++)
        add("d", verdict);
    assert_shown(": 17 rows: 2 slower, 1 failed, 1 missing, 1 newly skipped, 1 suspected, 1 inconclusive, 1 accepted, "
                 "1 layout, 1 same code, 1 faster, 3 cleared, 1 new, 1 not gated, 1 skipped\n");
}

/* Five rounds a side have 252 rearrangements: enough for one row at this level, and not for two. Rows of the same code
 * do not count. */
TEST(the_advice_is_more_rounds_or_a_quieter_machine)
{
    static const char few[] = "\ninconclusive: too few rounds; 2 rows need at least 6 rounds per side\n",
                      noisy[] = "run again on a quieter machine\n";
    add("a", VERDICT_INCONCLUSIVE);
    add("b", VERDICT_LAYOUT);
    for (size_t i = 0; i < 2; i++) {
        rows[i].has_evidence = true;
        rows[i].evidence.base_rounds = 9;
        rows[i].evidence.new_rounds = 5;
    }
    assert_shown(few);
    rows[0].confirmed = true;
    assert_shown(noisy);
    rows[0].confirmed = false;
    rows[1].code = CODE_SAME;
    assert_shown(noisy);
    rows[0].verdict = VERDICT_CLEARED;
    report_rows(gate_write_console);
    assert_null(strstr(text, "inconclusive"));
}

TEST(notes_say_what_a_verdict_rests_on)
{
    struct compared_row *row = add("a", VERDICT_FAILED);
    assert_shown(" a\n");
    strcpy(row->remark, "threshold 2 %");
    assert_shown(" a (threshold 2 %)\n");
    row->reason = "no GPU";
    assert_shown(" a (no GPU; threshold 2 %)\n");
    row->slowed = true;
    assert_shown(" a (slowed on purpose by --slowdown; no GPU; threshold 2 %)\n");
    row->verdict = VERDICT_LAYOUT;
    assert_shown(" a (slowed on purpose by --slowdown; the same machine code; no GPU; threshold 2 %)\n");
}

TEST(what_programs_and_people_read_is_golden)
{
    struct gate_report report = sample_report();
    write_text(gate_write_markdown, &report, text);
    assert_is_golden("gate.md", text);
    write_text(gate_write_junit, &report, text);
    assert_is_golden("gate.xml", text);
    write_text(gate_write_csv, &report, text);
    assert_is_golden("gate.csv", text);
}

TEST(without_open_rows_all_of_the_markdown_is_folded)
{
    add("a", VERDICT_CLEARED);
    report_rows(gate_write_markdown);
    const char *fold = strstr(text, "<details>\n<summary>1 row cleared</summary>\n\n|");
    assert_non_null(fold);
    assert_ptr_equal(strchr(text, '|'), strchr(fold, '|'));
    assert_string_equal(fold + strlen(fold) - strlen("|\n\n</details>\n\n"), "|\n\n</details>\n\n");
    assert_null(strstr(text, "skipped</summary>"));
}

static size_t lines_without_controls(void)
{
    size_t lines = 0;
    for (const char *c = text; *c; c++) {
        lines += *c == '\n';
        assert_true((unsigned char)*c >= ' ' || *c == '\n');
    }
    return lines;
}

TEST(the_table_has_the_same_lines_whatever_its_texts_hold)
{
    struct compared_row *row = add("a/b/c/d", VERDICT_FAILED);
    row->reason = "it failed";
    report_rows(gate_write_console);
    size_t lines = lines_without_controls();
    *row = samples[0];
    comparison.base_revision = comparison.new_revision = comparison.device = "\033[31mred\r\ngate passed";
    report_rows(gate_write_console);
    assert_int_equal(lines_without_controls(), lines);
    assert_null(strstr(text, "\ngate passed"));
}

/* In valid UTF-8 of the characters that XML allows. */
TEST(xml_holds_what_it_may)
{
    static const char *const texts[][2] = {{"\x01\x1f\x7f\t\n\r<>&\"'", "\x7f&#9;&#10;&#13;&#60;&#62;&#38;&#34;&#39;"},
                                           {"\xef\xbf\xbe\xef\xbf\xbf\xef\xbf\xbd", "\xef\xbf\xbd"},
                                           {"\xc2\x80", "\xc2\x80"},
                                           {"\xdf\xbf", "\xdf\xbf"},
                                           {"\xe0\xa0\x80", "\xe0\xa0\x80"},
                                           {"\xed\x9f\xbf", "\xed\x9f\xbf"},
                                           {"\xf0\x90\x80\x80", "\xf0\x90\x80\x80"},
                                           {"\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"},
                                           {"\x80", "?"},
                                           {"\xc1\xbf", "??"},
                                           {"\xc2", "?"},
                                           {"\xe0\x9f\xbf", "???"},
                                           {"\xe1\x80", "??"},
                                           {"\xed\xa0\x80", "???"},
                                           {"\xf0\x8f\xbf\xbf", "????"},
                                           {"\xf1\x80\x80", "???"},
                                           {"\xf1\x80\x80z", "???z"},
                                           {"\xf4\x90\x80\x80", "????"},
                                           {"\xf5\x80\x80\x80", "????"}};
    struct compared_row *row = add("a", VERDICT_FAILED);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char expected[100];
        row->reason = texts[i][0];
        report_rows(gate_write_junit);
        snprintf(expected, sizeof expected, "message=\"failed: %s\">failed: %s</failure>", texts[i][1], texts[i][1]);
        assert_non_null(strstr(text, expected));
    }
}

TEST(the_console_says_why_below_the_rows)
{
    struct compared_row *row = add("a/b", VERDICT_FASTER);
    add("c", VERDICT_CLEARED);
    row->why = reasons;
    assert_shown("  c\n\na/b\n  Less |<b>.\n  The machine code is the same.\n  - Commit 1a2b3c4 a_b_c\n\ngate ");
}

/* What is said of each row is the CSV's (json_row()); here is what JSON alone has. */
TEST(the_json_has_what_the_csv_has_and_more)
{
    json_error_t error;
    struct gate_report report = sample_report();
    const struct {
        const char *key, *text;
    } texts[] = {{"status", "failed"},
                 {"headline", report.headline},
                 {"method", report.method},
                 {"advice", report.advice},
                 {"device", "Example GPU, <12> GB"}};
    const char *names[2], *revision;
    double ratio;
    int paired;
    json_t *all, *lines, *times;
    write_file(gate_write_json, &report, "gate.json");
    json_t *document = json_load_file("gate.json", JSON_REJECT_DUPLICATES, &error);
    for (size_t i = 0; i < LENGTH(texts); i++)
        assert_string_equal(json_string_value(json_object_get(document, texts[i].key)), texts[i].text);
    assert_int_equal(json_unpack(document, "{s:n, s:b, s:{s:s, s:s}, s:{s:s, s:n}, s:o}", "error", "paired", &paired,
                                 "base", "name", &names[0], "revision", &revision, "new", "name", &names[1], "revision",
                                 "rows", &all),
                     0);
    assert_true(paired && json_integer_value(json_object_get(document, "schema")) == 1);
    assert_int_equal(json_integer_value(json_object_get(document, "exit_status")), 1);
    assert_string_equal(names[0], "base_of_all.csv");
    assert_string_equal(names[1], new_name);
    assert_string_equal(revision, "0123456789ab");
    assert_int_equal(json_array_size(all), SAMPLES);
    assert_int_equal(
        json_unpack(json_array_get(all, 6), "{s:f, s:o, s:o}", "ratio", &ratio, "why", &lines, "new_times_s", &times),
        0);
    assert_true(fabs(ratio - 1.0512) < 1e-8 && json_is_array(times));
    assert_int_equal(json_array_size(lines), 3);
    assert_string_equal(json_string_value(json_array_get(lines, 0)), "Less |<b>.");
    assert_true(json_is_null(json_object_get(json_array_get(all, 5), "why")));
    json_decref(document);
}

/* The gate's reports: Markdown and XML are compared with golden files, CSV and JSON are read back. Leaves junit.xml for
 * gate/test_junit.sh. */
#include "bench/base/csv_text.h"
#include "sample_comparison.h"
#include "tests/report/sample_results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void write_file(gate_writer *writer, const struct gate_report *report, const char *path)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(writer(report, file));
    assert_int_equal(fclose(file), 0);
}

static void write_text(gate_writer *writer, const struct gate_report *report, char text[TEXT_MAX])
{
    write_file(writer, report, "report.txt");
    read_file("report.txt", text);
    remove("report.txt");
}

static void the_markdown_is_golden(void **state)
{
    (void)state;
    static char text[TEXT_MAX];
    struct gate_report report = sample_report(SAMPLE_ROWS);
    write_text(gate_write_markdown, &report, text);
    assert_is_golden("gate.md", text);
}

/* A pipe or line break that is not escaped would start a new cell or row. */
static void a_row_of_the_markdown_is_one_whatever_its_texts_hold(void **state)
{
    (void)state;
    static char text[TEXT_MAX];
    struct gate_report report = sample_report(SAMPLE_ROWS);
    size_t rows = 0;
    write_text(gate_write_markdown, &report, text);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        size_t pipes = 0;
        for (const char *c = line; *c; c++) {
            pipes += *c == '|';
            assert_true((unsigned char)*c >= ' ');
        }
        assert_true(pipes == 0 || (pipes == 7 && line[0] == '|' && line[strlen(line) - 1] == '|'));
        rows += pipes == 7 && line[1] == ' ';
    }
    assert_int_equal(rows, SAMPLE_ROWS + 3); /* three tables with one header each */
}

static size_t lines_without_controls(const char *text)
{
    size_t lines = 0;
    for (; *text; text++) {
        lines += *text == '\n';
        assert_true((unsigned char)*text >= ' ' || *text == '\n');
    }
    return lines;
}

static void the_table_has_the_same_lines_whatever_its_texts_hold(void **state)
{
    (void)state;
    static char harmless[TEXT_MAX], text[TEXT_MAX];
    struct compared_row harmless_row = {.name = "a/b/c/d", .verdict = VERDICT_FAILED, .reason = "it failed"};
    struct comparison harmless_one = {&harmless_row, 1, true, "a", "b", "Example GPU"};
    struct comparison nasty = {(struct compared_row *)sample_row(ROW_NASTY), 1, true, "", "", ""};
    struct gate_report report = sample_report(SAMPLE_ROWS);
    report.comparison = &harmless_one;
    write_text(gate_write_console, &report, harmless);
    report.comparison = &nasty;
    nasty.base_revision = nasty.new_revision = nasty.device = report.base_name = report.new_name =
        "\033[31mred\r\ngate passed";
    write_text(gate_write_console, &report, text);
    assert_int_equal(lines_without_controls(text), lines_without_controls(harmless));
    assert_null(strstr(text, "\ngate passed"));
}

static void without_open_rows_all_of_the_markdown_is_folded(void **state)
{
    (void)state;
    static char text[TEXT_MAX];
    struct gate_report report = sample_report(SAMPLE_ROWS);
    struct comparison cleared = {(struct compared_row *)sample_row(ROW_CLEARED), 1, true, "a", "b", ""};
    report.comparison = &cleared;
    report.advice[0] = '\0';
    write_text(gate_write_markdown, &report, text);
    const char *fold = strstr(text, "<details>\n<summary>1 row cleared</summary>\n\n|");
    assert_non_null(fold);
    assert_ptr_equal(strchr(text, '|'), strchr(fold, '|'));
    assert_string_equal(fold + strlen(fold) - strlen("|\n\n</details>\n\n"), "|\n\n</details>\n\n");
    assert_null(strstr(text, "skipped</summary>"));
}

static void the_xml_is_golden(void **state)
{
    (void)state;
    static char text[TEXT_MAX];
    struct gate_report report = sample_report(SAMPLE_ROWS);
    write_text(gate_write_junit, &report, text);
    assert_is_golden("gate.xml", text);
    write_file(gate_write_junit, &report, "junit.xml");
}

/* NAN: the cell is empty. */
static void assert_cell(const struct csv_table *table, size_t row, const char *column, double expected)
{
    const char *cell = csv_cell(table, row, csv_column(table, column));
    assert_int_not_equal(csv_column(table, column), CSV_NO_COLUMN);
    if (isnan(expected))
        assert_string_equal(cell, "");
    else if (!(fabs(strtod(cell, NULL) - expected) <= 1e-8 * fabs(expected)) || cell[0] == '\0')
        fail_msg("row %zu: %s is '%s', expected %.9g", row, column, cell, expected);
}

static void assert_text_cell(const struct csv_table *table, size_t row, const char *column, const char *expected)
{
    assert_string_equal(csv_cell(table, row, csv_column(table, column)), expected);
}

static void the_csv_reads_back(void **state)
{
    (void)state;
    struct csv_table table;
    struct error error = {""};
    struct gate_report report = sample_report(SAMPLE_ROWS);
    write_file(gate_write_csv, &report, "gate.csv");
    if (!csv_read("gate.csv", &table, &error))
        fail_msg("%s", error.text);
    assert_int_equal(table.rows, SAMPLE_ROWS);
    assert_int_equal(table.columns, 21);
    for (size_t i = 0; i < SAMPLE_ROWS; i++) {
        const struct compared_row *row = sample_row(i);
        const struct evidence *e = &row->evidence;
        const bool timed = row->has_evidence, bounded = timed && i != ROW_INCONCLUSIVE;
        const double unknown = (double)NAN;
        assert_text_cell(&table, i, "name", row->name);
        assert_text_cell(&table, i, "verdict", verdict_name(row->verdict));
        assert_text_cell(&table, i, "reason", row->reason);
        assert_text_cell(&table, i, "remark", row->remark);
        assert_text_cell(&table, i, "confirmed", i == ROW_SLOWER ? "yes" : "no");
        assert_text_cell(&table, i, "slowed", i == ROW_SLOWER ? "yes" : "no");
        assert_text_cell(&table, i, "same_code", i == ROW_LAYOUT ? "yes" : i == ROW_ALSO_CLEARED ? "no" : "");
        assert_text_cell(&table, i, "device", report.comparison->device);
        assert_text_cell(&table, i, "base_revision", report.comparison->base_revision);
        assert_text_cell(&table, i, "new_revision", report.comparison->new_revision);
        assert_cell(&table, i, "ratio", timed ? e->ratio : unknown);
        assert_cell(&table, i, "ratio_low", bounded ? e->interval.low : unknown);
        assert_cell(&table, i, "ratio_high", bounded ? e->interval.high : unknown);
        assert_cell(&table, i, "base_s", timed ? e->base_s : unknown);
        assert_cell(&table, i, "new_s", timed ? e->new_s : unknown);
        assert_cell(&table, i, "base_rounds", timed ? 8 : unknown);
        assert_cell(&table, i, "new_rounds", timed ? 8 : unknown);
        assert_cell(&table, i, "threshold", timed ? 0.01 : unknown);
        assert_cell(&table, i, "clear", timed ? 0.02 : unknown);
        assert_cell(&table, i, "p_slower", timed ? e->p_slower : unknown);
        assert_cell(&table, i, "p_clear", timed ? e->p_clear : unknown);
    }
    csv_free(&table);
}

static void assert_number(const json_t *object, const char *key, double expected)
{
    const json_t *value = json_object_get(object, key);
    assert_non_null(value);
    if (isnan(expected) ? !json_is_null(value) : !(fabs(json_number_value(value) - expected) <= 1e-8 * fabs(expected)))
        fail_msg("%s is %.9g, expected %.9g", key, json_number_value(value), expected);
}

static void assert_text(const json_t *object, const char *key, const char *expected)
{
    const json_t *value = json_object_get(object, key);
    assert_non_null(value);
    if (expected[0] == '\0')
        assert_true(json_is_null(value));
    else
        assert_string_equal(json_string_value(value), expected);
}

static json_t *json_of(const struct gate_report *report)
{
    json_error_t error;
    write_file(gate_write_json, report, "gate.json");
    json_t *document = json_load_file("gate.json", JSON_REJECT_DUPLICATES, &error);
    if (!document)
        fail_msg("line %d: %s", error.line, error.text);
    return document;
}

static void the_json_says_what_was_compared(void **state)
{
    (void)state;
    struct gate_report report = sample_report(SAMPLE_ROWS);
    json_t *document = json_of(&report);
    assert_int_equal(json_integer_value(json_object_get(document, "schema")), 1);
    assert_text(document, "status", "failed");
    assert_int_equal(json_integer_value(json_object_get(document, "exit_status")), 1);
    assert_text(document, "headline", report.headline);
    assert_text(document, "method", report.method);
    assert_text(document, "advice", report.advice);
    assert_true(json_is_true(json_object_get(document, "paired")));
    assert_text(document, "device", "Example GPU, <12> GB");
    assert_text(json_object_get(document, "base"), "name", "base_of_all.csv");
    assert_text(json_object_get(document, "base"), "revision", "0123456789ab");
    assert_text(json_object_get(document, "new"), "name", "new|.csv");
    assert_text(json_object_get(document, "new"), "revision", "");
    json_decref(document);
}

static void the_json_has_all_of_each_row(void **state)
{
    (void)state;
    struct gate_report report = sample_report(SAMPLE_ROWS);
    json_t *document = json_of(&report), *rows = json_object_get(document, "rows");
    assert_int_equal(json_array_size(rows), SAMPLE_ROWS);
    for (size_t i = ROW_NASTY + 1; i < SAMPLE_ROWS; i++) {
        const struct compared_row *row = sample_row(i);
        const struct evidence *e = &row->evidence;
        const json_t *object = json_array_get(rows, i);
        const bool bounded = i != ROW_INCONCLUSIVE;
        const struct {
            const char *key;
            double value;
        } numbers[] = {{"ratio", e->ratio},
                       {"ratio_low", bounded ? e->interval.low : (double)NAN},
                       {"ratio_high", bounded ? e->interval.high : (double)NAN},
                       {"base_s", e->base_s},
                       {"new_s", e->new_s},
                       {"tick_s", 5e-10},
                       {"threshold", 0.01},
                       {"clear", 0.02},
                       {"p_slower", 0.00390625},
                       {"p_faster", 0.99609375},
                       {"p_clear", 0.0078125},
                       {"p_error", 0.00025},
                       {"base_rounds", 8},
                       {"new_rounds", 8},
                       {"arrangements", 256}};
        for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++)
            assert_number(object, numbers[n].key, row->has_evidence ? numbers[n].value : (double)NAN);
        assert_text(object, "name", row->name);
        assert_text(object, "verdict", verdict_name(row->verdict));
        assert_text(object, "reason", row->reason);
        assert_int_equal(json_is_true(json_object_get(object, "confirmed")), i == ROW_SLOWER);
        assert_int_equal(json_is_true(json_object_get(object, "slowed")), i == ROW_SLOWER);
        const json_t *same_code = json_object_get(object, "same_code");
        assert_int_equal(json_is_true(same_code), i == ROW_LAYOUT);
        assert_int_equal(json_is_false(same_code), i == ROW_ALSO_CLEARED);
        assert_int_equal(json_is_null(same_code), i != ROW_LAYOUT && i != ROW_ALSO_CLEARED);
    }
    const char *nasty = json_string_value(json_object_get(json_array_get(rows, ROW_NASTY), "reason"));
    assert_int_equal(strlen(nasty), strlen(nasty_text));
    assert_memory_equal(nasty, nasty_text, strcspn(nasty_text, "\xff"));
    json_decref(document);
}

static long allocations_left;

static void *scarce_malloc(size_t bytes)
{
    return allocations_left-- > 0 ? malloc(bytes) : NULL;
}

static void json_for_which_there_is_no_memory_is_no_success(void **state)
{
    (void)state;
    static char whole[TEXT_MAX], text[TEXT_MAX];
    struct gate_report report = sample_report(4);
    long failures = 0;
    bool ok = false;
    write_text(gate_write_json, &report, whole);
    json_set_alloc_funcs(scarce_malloc, free);
    for (long room = 0; room < 2000 && !ok; room++) {
        FILE *file = fopen("scarce.json", "wb");
        allocations_left = room;
        ok = gate_write_json(&report, file);
        fclose(file);
        failures += !ok;
    }
    json_set_alloc_funcs(malloc, free);
    read_file("scarce.json", text);
    assert_true(ok && failures > 50);
    assert_string_equal(text, whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_markdown_is_golden),
        cmocka_unit_test(a_row_of_the_markdown_is_one_whatever_its_texts_hold),
        cmocka_unit_test(the_table_has_the_same_lines_whatever_its_texts_hold),
        cmocka_unit_test(without_open_rows_all_of_the_markdown_is_folded),
        cmocka_unit_test(the_xml_is_golden),
        cmocka_unit_test(the_csv_reads_back),
        cmocka_unit_test(the_json_says_what_was_compared),
        cmocka_unit_test(the_json_has_all_of_each_row),
        cmocka_unit_test(json_for_which_there_is_no_memory_is_no_success),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

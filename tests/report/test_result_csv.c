/* Results read back from CSV: what is written of them again is what was read, column by column. */
#include "bench/report/column.h"
#include "bench/report/reporter.h"
#include "bench/report/column.h"
#include "sample_results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char csv_file[] = "results.csv";

static const struct backend_entry backends[] = {
    {.name = "cpu"}, {.name = "sim", .simulates = true}, {.name = "cuda", .separate_memory = true}};
static const struct registry registry = {.backends = backends, .backend_count = 3};

static int remove_files(void **state)
{
    (void)state;
    remove(csv_file);
    return 0;
}

static void write_csv(const struct result *results, size_t count, char text[TEXT_MAX])
{
    struct output output;
    struct error error = {""};
    bool ok = output_open(&output, csv_file, &error) && report_csv_begin(&output, &error);
    for (size_t i = 0; i < count && ok; i++)
        ok = report_csv_result(&output, &results[i], &error);
    if (!ok || !output_commit(&output, &error))
        fail_msg("%s", error.text);
    read_file(csv_file, text);
}

static struct csv_table parsed(const char *text)
{
    struct csv_table table;
    struct error error = {""};
    if (!csv_parse(strdup(text), strlen(text), "t.csv", &table, &error))
        fail_msg("%s", error.text);
    return table;
}

/* What was read last. */
static struct run_facts facts;
static struct device_info device;
static struct result result;

static void read_row(const struct csv_table *table, size_t row)
{
    struct error error = {""};
    if (!result_read(table, row, &registry, &facts, &device, &result, &error))
        fail_msg("%s", error.text);
    assert_ptr_equal(result.run, &facts);
}

/* Of the columns that the table has. */
static void assert_same_cells(const struct csv_table *table, size_t row)
{
    char buffer[COLUMN_BUFFER];
    read_row(table, row);
    for (size_t i = 0; i < RESULT_COLUMNS; i++) {
        int at = csv_column(table, result_columns[i].name);
        const char *text = column_text(&result_columns[i], &result, buffer);
        if (at != CSV_NO_COLUMN && strcmp(text, csv_cell(table, row, at)) != 0)
            fail_msg("line %zu: %s is '%s', expected '%s'", table->lines[row + 1], result_columns[i].name, text,
                     csv_cell(table, row, at));
    }
}

static void what_was_written_is_read_and_written_again(void **state)
{
    (void)state;
    static char text[TEXT_MAX], again[TEXT_MAX];
    static struct run_facts own_facts[SAMPLE_RESULTS];
    static struct device_info own_devices[SAMPLE_RESULTS];
    struct result results[SAMPLE_RESULTS];
    size_t count = make_results(results);
    write_csv(results, count, text);
    struct csv_table table = parsed(text);
    assert_int_equal(table.rows, count);
    for (size_t i = 0; i < count; i++) {
        read_row(&table, i);
        own_facts[i] = facts;
        own_devices[i] = device;
        results[i] = result;
        results[i].run = &own_facts[i];
        results[i].device = result.device ? &own_devices[i] : NULL;
    }
    csv_free(&table); /* texts are copies */
    write_csv(results, count, again);
    assert_string_equal(again, text);
}

/* A value that no other column has. */
static const char *value_of(size_t column, char text[64])
{
    static const struct {
        enum column_id id;
        const char *value;
    } fixed[] = {{COLUMN_schema, "1"},
                 {COLUMN_backend, "cuda"},
                 {COLUMN_mode, "e2e"},
                 {COLUMN_status, "failed"},
                 {COLUMN_samples, "7"},
                 {COLUMN_launch_bound, "yes"},
                 {COLUMN_reason, "\"a, \"\"b\"\"\n\""},
                 {COLUMN_seed, "18446744073709551615"}};
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        if (fixed[i].id == column)
            return fixed[i].value;
    bool is_whole = result_columns[column].type == TYPE_WHOLE || result_columns[column].type == TYPE_COUNT;
    snprintf(text, 64, result_columns[column].type < TYPE_NUMBER ? "%zu" : is_whole ? "1%zu" : "1.%zu7e-06", column);
    return text;
}

/* A header and a row with a value in each column but `empty`. */
static void fill_row(size_t empty, char text[TEXT_MAX])
{
    char value[64];
    FILE *to = fmemopen(text, TEXT_MAX, "w");
    assert_non_null(to);
    for (size_t i = 0; i < RESULT_COLUMNS; i++)
        fprintf(to, "%s%s", i ? "," : "", result_columns[i].name);
    for (size_t i = 0; i < RESULT_COLUMNS; i++)
        fprintf(to, "%s%s", i ? "," : "\n", i == empty ? "" : value_of(i, value));
    fputs("\n", to);
    assert_int_equal(fclose(to), 0);
}

static bool is_always_known(size_t column)
{
    enum column_type type = result_columns[column].type;
    return type == TYPE_KNOWN || type == TYPE_WHOLE || type == TYPE_STATUS;
}

/* Launch-bound is of what was measured, and was not: the cell of a row with samples is never empty. */
static bool may_be_empty(size_t column)
{
    return !is_always_known(column) && result_columns[column].type != TYPE_FLAG && column != COLUMN_samples;
}

static void every_column_holds_a_value_or_nothing(void **state)
{
    (void)state;
    static char text[TEXT_MAX], again[TEXT_MAX];
    for (size_t empty = 0; empty <= RESULT_COLUMNS; empty++) {
        if (empty < RESULT_COLUMNS && !may_be_empty(empty))
            continue;
        fill_row(empty, text);
        struct csv_table table = parsed(text);
        assert_same_cells(&table, 0);
        csv_free(&table);
        write_csv(&result, 1, again);
        assert_string_equal(again, text);
    }
}

/* Those of versions that had only the reason. */
static void a_file_without_the_column_failure_says_by_its_reason_what_was_wrong(void **state)
{
    (void)state;
    static char text[TEXT_MAX];
    for (int i = 0; i < 2; i++) {
        struct result r = failed(row("matmul", "mnist", "cuda_tiled", "hot"), i ? "wrong answer" : "not run");
        write_csv(&r, 1, text);
        memcpy(strstr(text, ",failure\n"), ",another\n", strlen(",another\n"));
        struct csv_table table = parsed(text);
        struct error error;
        assert_true(result_read(&table, 0, &registry, &facts, &device, &result, &error));
        assert_int_equal(result_is_wrong(&result), i);
        csv_free(&table);
    }
}

static void what_stands_between_quotes_is_whole(void **state)
{
    (void)state;
    static const char *const texts[] = {"a,b", "say \"no\"", "two\nlines", "two\r\nlines", "\"", " spaced "};
    static char text[TEXT_MAX];
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct result r = failed(row("matmul", "mnist", "cuda_tiled", "hot"), texts[i]);
        struct device_info own = sample_gpu;
        snprintf(own.name, sizeof own.name, "%s", texts[i]);
        snprintf(r.input, sizeof r.input, "%s", texts[i]);
        r.device = &own;
        write_csv(&r, 1, text);
        struct csv_table table = parsed(text);
        read_row(&table, 0);
        csv_free(&table);
        assert_string_equal(result.reason, texts[i]);
        assert_string_equal(result.input, texts[i]);
        assert_string_equal(device.name, texts[i]);
    }
}

static void numbers_are_those_of_the_result(void **state)
{
    (void)state;
    static char text[TEXT_MAX];
    struct result r = in_round(timed(row("matmul", "mnist", "cuda_tiled", "cold"), 41.5e-6), 3);
    write_csv(&r, 1, text);
    struct csv_table table = parsed(text);
    read_row(&table, 0);
    csv_free(&table);
    assert_int_equal(result.statistics.count, 9);
    assert_true(result.statistics.median == 41.5e-6);
    assert_int_equal(result.iterations, 9);
    assert_int_equal(result.round, 3);
    assert_int_equal(result.round_count, 0);
    assert_true(result.conditions.power_w == 310.5);
    assert_true(isnan(result.upload_s) && isnan(result.slowdown_pct));
    assert_ptr_equal(result.device, &device);
    assert_true(device.power_limit_w == 700);
    assert_int_equal(device.threads, 0);
    assert_int_equal(facts.seed, 42);
    assert_string_equal(facts.session, sample_facts.session);
    assert_null(result.sample_s);
}

static void a_row_that_names_no_device_has_none(void **state)
{
    (void)state;
    static char text[TEXT_MAX];
    struct result r = skipped(row("matmul", "mnist", "cuda_tiled", "hot"), "no GPU");
    write_csv(&r, 1, text);
    struct csv_table table = parsed(text);
    read_row(&table, 0);
    csv_free(&table);
    assert_null(result.device);
}

/* One row of these columns, and the rest as fill_row() has it. */
static bool read_with(const char *backend, const char *precision, const char *mode, struct error *error)
{
    static char text[TEXT_MAX];
    snprintf(text, sizeof text,
             "schema,name,op,workload,variant,timestamp,sitting,backend,precision,mode,status,round,seed\n"
             "1,o/w/v/m,o,w,v,t,s,%s,%s,%s,ok,0,0\n",
             backend, precision, mode);
    struct csv_table table = parsed(text);
    bool ok = result_read(&table, 0, &registry, &facts, &device, &result, error);
    csv_free(&table);
    return ok;
}

static void what_is_no_column_follows_from_backend_precision_and_mode(void **state)
{
    (void)state;
    static const struct {
        const char *backend, *precision, *mode, *baseline_mode, *unfair;
        bool is_host;
    } table[] = {
        {"cpu", "fp32", "cold", "cold", "", true},        {"sim", "fp32", "hot", "hot", "simulated", true},
        {"cuda", "fp32", "graph", "hot", "", false},      {"cuda", "tf32", "e2e", "hot", "tf32", false},
        {"cuda", "u8", "e2e_pageable", "hot", "", false}, {"cpu", "u8", "verify", "", "", true},
    };
    struct error error = {""};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (!read_with(table[i].backend, table[i].precision, table[i].mode, &error))
            fail_msg("%s", error.text);
        assert_string_equal(result.baseline_mode, table[i].baseline_mode);
        assert_string_equal(result.unfair, table[i].unfair);
        assert_int_equal(result.is_host, table[i].is_host);
    }
    assert_false(read_with("tpu", "fp32", "hot", &error));
    assert_string_equal(error.text, "line 2: backend is 'tpu', which it cannot be");
    assert_false(read_with("cpu", "fp32", "warm", &error));
    assert_string_equal(error.text, "line 2: mode is 'warm', which it cannot be");
}

static void cells_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const struct {
        enum column_id id;
        const char *value;
    } wrong[] = {
        {COLUMN_schema, "2"},
        {COLUMN_status, "fine"},
        {COLUMN_round, "-1"},
        {COLUMN_round, "x"},
        {COLUMN_round, "1.5"},
        {COLUMN_samples, "-1"},
        {COLUMN_samples, "many"},
        {COLUMN_time_min_s, "1 s"},
        {COLUMN_launch_bound, "maybe"},
        {COLUMN_power_limit_w, "w"},
        {COLUMN_op, "a text of 64 bytes, of which the word of a column has room for 63"},
    };
    static char text[TEXT_MAX];
    char expected[200];
    struct error error;
    fill_row(RESULT_COLUMNS, text);
    for (size_t i = 0; i < RESULT_COLUMNS; i++) {
        struct csv_table table = parsed(text);
        table.cells[RESULT_COLUMNS + i] = "";
        assert_int_equal(result_read(&table, 0, &registry, &facts, &device, &result, &error), !is_always_known(i));
        csv_free(&table);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct csv_table table = parsed(text);
        table.cells[RESULT_COLUMNS + wrong[i].id] = (char *)wrong[i].value;
        assert_false(result_read(&table, 0, &registry, &facts, &device, &result, &error));
        snprintf(expected, sizeof expected, "line 2: %s is '%.40s', which it cannot be",
                 result_columns[wrong[i].id].name, wrong[i].value);
        assert_string_equal(error.text, expected);
        csv_free(&table);
    }
}

/* Recordings of earlier versions too, which lack columns. */
static void committed_results_are_read(void **state)
{
    (void)state;
    static const char *const patterns[] = {"/../../results/*/*.csv", "/../../results/*/*/*.csv",
                                           "/../../results/*/*/*/*.csv"};
    size_t rows = 0;
    for (size_t p = 0; p < sizeof patterns / sizeof patterns[0]; p++) {
        char pattern[1024];
        glob_t found;
        snprintf(pattern, sizeof pattern, "%s%s", TEST_GOLDEN_DIR, patterns[p]);
        if (glob(pattern, 0, NULL, &found) != 0)
            continue;
        for (size_t i = 0; i < found.gl_pathc; i++) {
            struct csv_table table;
            struct error error;
            if (!csv_read(found.gl_pathv[i], &table, &error))
                fail_msg("%s", error.text);
            for (size_t r = 0; r < table.rows && csv_column(&table, "schema") == 0; r++, rows++)
                assert_same_cells(&table, r);
            csv_free(&table);
        }
        globfree(&found);
    }
    assert_true(rows > 0);
}

#define test(function) cmocka_unit_test_setup_teardown(function, remove_files, remove_files)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(what_was_written_is_read_and_written_again),
        test(every_column_holds_a_value_or_nothing),
        test(a_file_without_the_column_failure_says_by_its_reason_what_was_wrong),
        test(what_stands_between_quotes_is_whole),
        test(numbers_are_those_of_the_result),
        test(a_row_that_names_no_device_has_none),
        test(what_is_no_column_follows_from_backend_precision_and_mode),
        test(cells_that_cannot_be_are_refused),
        test(committed_results_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

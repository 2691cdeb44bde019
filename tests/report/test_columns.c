/* The tables of columns and marks: docs/columns.md, which is made from them (RUNGBENCH_UPDATE_GOLDEN=1 writes it
 * again), and the CSV, of which what is read is what was written. */
#include "bench/report/reporter.h"
#include "sample_results.h"
#include "tests/unit.h"

#include <glob.h>

static const char *key_of(const struct column *column)
{
    return column->key ? column->key : column->name;
}

static void put_json_key(FILE *to, const struct column *column)
{
    if (column->json == JSON_IN_CONTEXT)
        fprintf(to, " (JSON: context: %s)", key_of(column));
    else if (strcmp(key_of(column), column->name) != 0)
        fprintf(to, " (JSON: %s)", key_of(column));
}

TEST(the_documentation_is_the_table)
{
    static char text[TEXT_MAX], page[TEXT_MAX];
    file_get(TEST_GOLDEN_DIR "/../../docs/columns.md", page, sizeof page);
    FILE *to = fmemopen(text, sizeof text, "w");
    const char *list = strstr(page, "- `");
    assert_true(to && list);
    fprintf(to, "%.*s", (int)(list - page), page); /* its heading */
    for (size_t i = 0; i < RESULT_COLUMNS; i++) {
        const struct column *column = &result_columns[i];
        fprintf(to, "- `%s`%s%s: %s", column->name, column->unit[0] ? ", " : "", column->unit, column->meaning);
        put_json_key(to, column);
        fputs("\n", to);
    }
    fputs("\n## Marks\n\n", to);
    for (const struct mark *mark = conditions_marks; mark->name; mark++)
        fprintf(to, "- `%s`: %s\n", mark->name, mark->meaning);
    assert_int_equal(fclose(to), 0);
    assert_is_golden("../../docs/columns.md", text);
}

TEST(the_documentation_says_what_to_do_about_each_mark)
{
    static char page[TEXT_MAX];
    char quoted[64];
    file_get(TEST_GOLDEN_DIR "/../../docs/read-a-result.md", page, sizeof page);
    for (const struct mark *mark = conditions_marks; mark->name; mark++) {
        snprintf(quoted, sizeof quoted, "`%s`", mark->name);
        if (!strstr(page, quoted))
            fail_msg("%s is not there", mark->name);
    }
}

/* A key that is there twice would silently be the last one. */
TEST(each_column_has_a_meaning_and_a_key_of_its_own)
{
    static const char *const google_benchmarks[] = {"name",           "family_index",     "per_family_instance_index",
                                                    "run_name",       "run_type",         "threads",
                                                    "repetitions",    "repetition_index", "cpu_time",
                                                    "real_time",      "iterations",       "time_unit",
                                                    "aggregate_name", "aggregate_unit"};
    for (size_t i = 0; i < RESULT_COLUMNS; i++) {
        const char *key = key_of(&result_columns[i]);
        assert_true(strlen(result_columns[i].meaning) > 1 && !strpbrk(result_columns[i].meaning, "|\n"));
        if (result_columns[i].json == JSON_BY_HAND)
            continue;
        for (size_t other = 0; other < i; other++)
            if (result_columns[other].json == result_columns[i].json)
                assert_string_not_equal(key, key_of(&result_columns[other]));
        for (size_t g = 0; g < sizeof google_benchmarks / sizeof google_benchmarks[0]; g++)
            assert_string_not_equal(key, google_benchmarks[g]);
    }
}

static const struct backend_entry backends[] = {{.name = "cpu"},
                                                {.name = "sim", .simulates = true},
                                                {.name = "cuda", .separate_memory = true},
                                                {.name = "gpus", .separate_memory = true}};
static const struct registry registry = {.backends = backends, .backend_count = 4};

static void write_csv(const struct result *results, size_t count, char text[TEXT_MAX])
{
    FILE *to = fmemopen(text, TEXT_MAX, "w");
    assert_non_null(to);
    fputs(report_csv_header, to);
    for (size_t i = 0; i < count; i++)
        report_csv_print(to, &results[i]);
    assert_int_equal(fclose(to), 0);
}

static struct csv_table parsed(const char *text)
{
    struct csv_table table;
    MUST(csv_parse(strdup(text), strlen(text), "t.csv", &table, &error));
    return table;
}

/* What was read last. */
static struct run_facts facts;
static struct device_info device;
static struct result result;
static struct error error;

static bool read_row(const struct csv_table *table, size_t row)
{
    return result_read(table, row, &registry, &facts, &device, &result, &error);
}

/* Of the columns that the table has. */
static void assert_same_cells(const struct csv_table *table, size_t row)
{
    char buffer[COLUMN_BUFFER];
    if (!read_row(table, row))
        fail_msg("%s", error.text);
    for (size_t i = 0; i < RESULT_COLUMNS; i++) {
        int at = csv_column(table, result_columns[i].name);
        const char *text = column_text(&result_columns[i], &result, buffer);
        if (at != CSV_NO_COLUMN && strcmp(text, csv_cell(table, row, at)) != 0)
            fail_msg("line %zu: %s is '%s', expected '%s'", table->lines[row + 1], result_columns[i].name, text,
                     csv_cell(table, row, at));
    }
}

TEST(the_csv_is_golden_and_read_back)
{
    static char text[TEXT_MAX], line[TEXT_MAX];
    struct result results[SAMPLE_RESULTS];
    size_t count = make_results(results);
    write_csv(results, count, text);
    assert_is_golden("results.csv", text);
    struct csv_table table = parsed(text);
    assert_int_equal(table.rows, count);
    for (size_t i = 0; i < count; i++) {
        assert_same_cells(&table, i);
        assert_ptr_equal(result.device, results[i].device ? &device : NULL);
        write_csv(&result, 1, line);
        assert_non_null(strstr(text, strchr(line, '\n') + 1));
    }
    csv_free(&table);
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

/* A header and a row with a value in each column, and this one in `other`. */
static void fill_row(size_t other, const char *cell, char text[TEXT_MAX])
{
    char value[64];
    FILE *to = fmemopen(text, TEXT_MAX, "w");
    assert_non_null(to);
    fputs(report_csv_header, to);
    for (size_t i = 0; i < RESULT_COLUMNS; i++)
        fprintf(to, "%s%s", i ? "," : "", i == other ? cell : value_of(i, value));
    fputs("\n", to);
    assert_int_equal(fclose(to), 0);
}

static bool is_always_known(size_t column)
{
    enum column_type type = result_columns[column].type;
    return type == TYPE_KNOWN || type == TYPE_WHOLE || type == TYPE_STATUS;
}

static void assert_comes_back(size_t column, const char *cell)
{
    static char text[TEXT_MAX], again[TEXT_MAX];
    fill_row(column, cell, text);
    struct csv_table table = parsed(text);
    assert_same_cells(&table, 0);
    write_csv(&result, 1, again);
    assert_string_equal(again, text);
    csv_free(&table);
}

/* Launch-bound is of what was measured, and was not: the cell of a row with samples is never empty. */
TEST(every_column_holds_a_value_or_nothing_and_numbers_zero)
{
    assert_comes_back(RESULT_COLUMNS, "");
    for (size_t i = 0; i < RESULT_COLUMNS; i++) {
        enum column_type type = result_columns[i].type;
        if (!is_always_known(i) && type != TYPE_FLAG && i != COLUMN_samples)
            assert_comes_back(i, "");
        if (type == TYPE_NUMBER || (type == TYPE_WHOLE && i != COLUMN_schema))
            assert_comes_back(i, "0");
    }
}

/* One row of these columns alone. */
static bool read_with(const char *backend, const char *precision, const char *mode)
{
    static char text[TEXT_MAX];
    snprintf(text, sizeof text,
             "schema,name,op,workload,variant,timestamp,sitting,backend,precision,mode,status,round,seed\n"
             "1,o/w/v/m,o,w,v,t,s,%s,%s,%s,ok,0,0\n",
             backend, precision, mode);
    struct csv_table table = parsed(text);
    bool ok = read_row(&table, 0);
    csv_free(&table);
    return ok;
}

TEST(what_is_no_column_follows_from_backend_precision_and_mode)
{
    static const struct {
        const char *backend, *precision, *mode, *baseline_mode, *unfair;
        bool is_host;
    } table[] = {
        {"cpu", "fp32", "cold", "cold", "", true},        {"sim", "fp32", "hot", "hot", "simulated", true},
        {"cuda", "fp32", "graph", "hot", "", false},      {"cuda", "tf32", "e2e", "hot", "tf32", false},
        {"cuda", "u8", "e2e_pageable", "hot", "", false}, {"cpu", "u8", "verify", "", "", true},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (!read_with(table[i].backend, table[i].precision, table[i].mode))
            fail_msg("%s", error.text);
        assert_string_equal(result.baseline_mode, table[i].baseline_mode);
        assert_string_equal(result.unfair, table[i].unfair);
        assert_int_equal(result.is_host, table[i].is_host);
        assert_true(result.run == &facts && !result.sample_s && result.round_count == 0);
    }
    assert_false(read_with("tpu", "fp32", "hot"));
    assert_string_equal(error.text, "line 2: backend is 'tpu', which it cannot be");
    assert_false(read_with("cpu", "fp32", "warm"));
    assert_string_equal(error.text, "line 2: mode is 'warm', which it cannot be");
}

static bool read_cell(enum column_id id, const char *value)
{
    static char text[TEXT_MAX];
    fill_row(id, value, text);
    struct csv_table table = parsed(text);
    bool ok = read_row(&table, 0);
    csv_free(&table);
    return ok;
}

TEST(cells_that_cannot_be_are_refused)
{
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
        {COLUMN_op, "a text of 64 bytes, of which a word of a column has room for 63."},
    };
    for (size_t i = 0; i < RESULT_COLUMNS; i++)
        assert_int_equal(read_cell((enum column_id)i, ""), !is_always_known(i));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char expected[200], cell[80];
        snprintf(cell, sizeof cell, "\"%s\"", wrong[i].value);
        assert_false(read_cell(wrong[i].id, cell));
        snprintf(expected, sizeof expected, "%s is '%.40s', which it cannot be", result_columns[wrong[i].id].name,
                 wrong[i].value);
        assert_non_null(strstr(error.text, expected));
    }
}

/* Recordings of earlier versions too, which lack columns. */
TEST(committed_results_are_read)
{
    size_t rows = 0;
    for (int depth = 1; depth <= 3; depth++) {
        char pattern[1024];
        glob_t found;
        snprintf(pattern, sizeof pattern, "%s/../../results/%s*.csv", TEST_GOLDEN_DIR, &"*/*/*/"[2 * (3 - depth)]);
        if (glob(pattern, 0, NULL, &found) != 0)
            continue;
        for (size_t i = 0; i < found.gl_pathc; i++) {
            struct csv_table table;
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

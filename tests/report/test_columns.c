/* The table of columns, and docs/columns.md, which is made from it: RUNGBENCH_UPDATE_GOLDEN=1 writes the page anew. */
#include "bench/report/column.h"
#include "sample_results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static const char heading[] = "# Columns\n"
                              "\n"
                              "`--out` writes one line of CSV per row and round. An empty cell means unknown. Readers "
                              "find columns by name: more may\n"
                              "follow. `--json` has the same columns under the same names, unless the last column of "
                              "this table says otherwise, and\n"
                              "leaves out what is unknown.\n"
                              "\n"
                              "This page is made from `bench/report/columns.def`. To write it anew:\n"
                              "`RUNGBENCH_UPDATE_GOLDEN=1 ctest --test-dir build -R '^test_columns$'`\n"
                              "\n"
                              "| column | unit | meaning | in JSON |\n"
                              "|---|---|---|---|\n";

static const char *key_of(const struct column *column)
{
    return column->key ? column->key : column->name;
}

static void put_json_key(FILE *to, const struct column *column)
{
    if (column->json == JSON_IN_CONTEXT)
        fprintf(to, "context: %s", key_of(column));
    else if (strcmp(key_of(column), column->name) != 0)
        fputs(key_of(column), to);
}

static void the_documentation_is_the_table(void **state)
{
    (void)state;
    static char text[TEXT_MAX];
    FILE *to = fmemopen(text, sizeof text, "w");
    assert_non_null(to);
    fputs(heading, to);
    for (size_t i = 0; i < RESULT_COLUMNS; i++) {
        const struct column *column = &result_columns[i];
        fprintf(to, "| `%s` | %s | %s | ", column->name, column->unit, column->meaning);
        put_json_key(to, column);
        fputs(" |\n", to);
    }
    assert_int_equal(fclose(to), 0);
    assert_is_golden("../../docs/columns.md", text);
}

static void every_column_has_a_meaning_that_fits_the_documentation(void **state)
{
    (void)state;
    for (size_t i = 0; i < RESULT_COLUMNS; i++) {
        assert_true(strlen(result_columns[i].meaning) > 1);
        assert_null(strpbrk(result_columns[i].meaning, "|\n"));
    }
}

/* A key that is there twice would silently be the last one. */
static void no_two_columns_have_one_key_in_json(void **state)
{
    (void)state;
    static const char *const google_benchmarks[] = {"name",           "family_index",     "per_family_instance_index",
                                                    "run_name",       "run_type",         "threads",
                                                    "repetitions",    "repetition_index", "cpu_time",
                                                    "real_time",      "iterations",       "time_unit",
                                                    "aggregate_name", "aggregate_unit"};
    for (size_t i = 0; i < RESULT_COLUMNS; i++) {
        const char *key = key_of(&result_columns[i]);
        if (result_columns[i].json == JSON_BY_HAND)
            continue;
        for (size_t other = 0; other < i; other++)
            if (result_columns[other].json == result_columns[i].json)
                assert_string_not_equal(key, key_of(&result_columns[other]));
        for (size_t g = 0; g < sizeof google_benchmarks / sizeof google_benchmarks[0]; g++)
            assert_string_not_equal(key, google_benchmarks[g]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_documentation_is_the_table),
        cmocka_unit_test(every_column_has_a_meaning_that_fits_the_documentation),
        cmocka_unit_test(no_two_columns_have_one_key_in_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

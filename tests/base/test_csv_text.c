/* CSV as RFC 4180 has it, and what is none. */
#include "bench/base/csv_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char file_name[] = "table.csv", folder_name[] = "folder";

static int clean(void **state)
{
    (void)state;
    remove(file_name);
    rmdir(folder_name);
    return 0;
}

static bool parse_bytes(const char *text, size_t bytes, struct csv_table *table, struct error *error)
{
    char *copy = malloc(bytes + 1);
    assert_non_null(copy);
    memcpy(copy, text, bytes);
    copy[bytes] = '\0';
    return csv_parse(copy, bytes, "t.csv", table, error);
}

static struct csv_table parsed(const char *text)
{
    struct csv_table table;
    struct error error = {""};
    if (!parse_bytes(text, strlen(text), &table, &error))
        fail_msg("%s", error.text);
    return table;
}

/* All cells, each in brackets, and a bar after each row; the header is the first. */
static void assert_cells(const char *text, const char *expected)
{
    struct csv_table table = parsed(text);
    char cells[2000] = "";
    for (size_t i = 0; i < (table.rows + 1) * table.columns; i++) {
        size_t length = strlen(cells);
        snprintf(cells + length, sizeof cells - length, "[%s]%s", table.cells[i],
                 (i + 1) % table.columns == 0 ? "|" : "");
    }
    assert_string_equal(cells, expected);
    csv_free(&table);
}

static void assert_refused(const char *text, size_t bytes, const char *expected)
{
    struct csv_table table;
    struct error error = {""};
    assert_false(parse_bytes(text, bytes, &table, &error));
    assert_string_equal(error.text, expected);
    assert_null(table.text);
    assert_null(table.cells);
    assert_null(table.lines);
}

#define assert_text_refused(text, expected) assert_refused(text, strlen(text), expected)

static void cells_are_between_commas(void **state)
{
    (void)state;
    assert_cells("a,b\n1,2\n3,4\n", "[a][b]|[1][2]|[3][4]|");
    assert_cells("a\n1\n", "[a]|[1]|");
    assert_cells("a,b\n,\n", "[a][b]|[][]|");
    assert_cells("a\n\n", "[a]|[]|");
    assert_cells("a,b\n 1 ,\t\n", "[a][b]|[ 1 ][\t]|");
    assert_cells("a,b\n", "[a][b]|");
}

static void lines_may_end_in_both_characters(void **state)
{
    (void)state;
    assert_cells("a,b\r\n1,2\r\n", "[a][b]|[1][2]|");
    assert_cells("a,b\r\n1,2\n\"3\",\"4\"\r\n", "[a][b]|[1][2]|[3][4]|");
    assert_cells("a,b\r\n1,\r\n", "[a][b]|[1][]|");
}

static void what_spreadsheets_write_is_read_or_named(void **state)
{
    (void)state;
    static const char bytes_of_two[] = "\xff\xfe"
                                       "a\0,\0b\0\n",
                      mark[] = "\xef\xbb\xbf";
    assert_cells("\xef\xbb\xbf"
                 "a,b\r\n1,2\r\n",
                 "[a][b]|[1][2]|");
    assert_cells("\xef\xbb\xbf\"a\"\n1\n", "[a]|[1]|");
    assert_text_refused(mark, "t.csv: is empty, expected CSV with a header");
    assert_refused(bytes_of_two, sizeof bytes_of_two, "t.csv: is UTF-16, expected CSV in UTF-8");
    assert_text_refused("\xfe\xff", "t.csv: is UTF-16, expected CSV in UTF-8");
    assert_text_refused("a;b\n1;2,5\n", "t.csv: its columns are separated by semicolons, expected commas");
    assert_text_refused("a\tb\n1\t2\n", "t.csv: its columns are separated by tabs, expected commas");
}

static void a_header_has_an_end(void **state)
{
    (void)state;
    static char text[1 << 17];
    for (size_t i = 0, length = 0; i <= 1000; i++)
        length += (size_t)sprintf(text + length, "%zu%s", i, i < 1000 ? "," : "\n");
    assert_text_refused(text, "t.csv: has 1001 columns, expected at most 1000");
}

static void quotes_hold_what_would_end_a_cell(void **state)
{
    (void)state;
    assert_cells("a,b\n\"1,2\",3\n", "[a][b]|[1,2][3]|");
    assert_cells("a,b\n\"say \"\"no\"\"\",\"\"\n", "[a][b]|[say \"no\"][]|");
    assert_cells("a,b\n\"\"\"\",\"\"\"\"\"\"\n", "[a][b]|[\"][\"\"]|");
    assert_cells("a,b\n\"two\nlines\",\"\r\n\"\n", "[a][b]|[two\nlines][\r\n]|");
    assert_cells("\"a\",\"b\"\n\"1\",2\n", "[a][b]|[1][2]|");
}

static void rows_know_their_lines(void **state)
{
    (void)state;
    struct csv_table table = parsed("a\n1\n\"2\n\n2\"\n3\n4\n5\n");
    static const size_t lines[] = {1, 2, 3, 6, 7, 8};
    assert_int_equal(table.rows, 5);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(table.lines[i], lines[i]);
    csv_free(&table);
    assert_null(table.text);
    assert_int_equal(table.rows, 0);
}

static void cells_are_found_by_column(void **state)
{
    (void)state;
    struct csv_table table = parsed("name,round\nx,1\ny,2\n");
    int name = csv_column(&table, "name"), round = csv_column(&table, "round"), none = csv_column(&table, "roun");
    assert_int_equal(name, 0);
    assert_int_equal(round, 1);
    assert_int_equal(none, CSV_NO_COLUMN);
    assert_int_equal(csv_column(&table, "x"), CSV_NO_COLUMN);
    assert_string_equal(csv_cell(&table, 0, name), "x");
    assert_string_equal(csv_cell(&table, 1, name), "y");
    assert_string_equal(csv_cell(&table, 1, round), "2");
    assert_string_equal(csv_cell(&table, 1, none), "");
    csv_free(&table);
}

static void many_cells_are_no_trouble(void **state)
{
    (void)state;
    enum { ROWS = 20000 };
    char *text = malloc(32 * ROWS);
    assert_non_null(text);
    size_t length = (size_t)sprintf(text, "a,b,c\n");
    for (int i = 0; i < ROWS; i++)
        length += (size_t)sprintf(text + length, "%d,\"%d\",x\n", i, 2 * i);
    FILE *file = fopen(file_name, "w");
    assert_non_null(file);
    fwrite(text, 1, length, file);
    fclose(file);
    struct csv_table table;
    struct error error;
    assert_true(csv_read(file_name, &table, &error));
    assert_int_equal(table.columns, 3);
    assert_int_equal(table.rows, ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        assert_int_equal(strtoul(csv_cell(&table, i, 0), NULL, 10), i);
        assert_int_equal(strtoul(csv_cell(&table, i, 1), NULL, 10), 2 * i);
        assert_string_equal(csv_cell(&table, i, 2), "x");
        assert_int_equal(table.lines[i + 1], i + 2);
    }
    csv_free(&table);
    free(text);
}

/* Sizes about those at which the room for a file grows. */
static void files_of_any_size_are_read_whole(void **state)
{
    (void)state;
    for (size_t bytes = (1 << 16) - 3; bytes <= (1 << 16) + 2; bytes++) {
        FILE *file = fopen(file_name, "w");
        assert_non_null(file);
        fputs("a\n", file);
        for (size_t i = 3; i < bytes; i++)
            fputc('x', file);
        fputc('\n', file);
        fclose(file);
        struct csv_table table;
        struct error error;
        assert_true(csv_read(file_name, &table, &error));
        assert_int_equal(strlen(csv_cell(&table, 0, 0)), bytes - 3);
        csv_free(&table);
    }
}

static void what_is_no_table_is_refused(void **state)
{
    (void)state;
    assert_text_refused("", "t.csv: is empty, expected CSV with a header");
    assert_refused("a\n\0\n", 4, "t.csv: holds a zero byte, expected CSV");
    assert_text_refused("a,b\n1\n", "t.csv: line 2 has 1 cells, expected 2 as in the header");
    assert_text_refused("a,b\n1,2\n1,2,3\n", "t.csv: line 3 has 3 cells, expected 2 as in the header");
    assert_text_refused("a,b\n\"1\n\",2\n\n", "t.csv: line 4 has 1 cells, expected 2 as in the header");
    assert_text_refused("a,b,c,b\n1,2,3,4\n", "t.csv: has two columns 'b'");
    assert_text_refused("a,a\n", "t.csv: has two columns 'a'");
}

static void what_is_cut_off_is_refused(void **state)
{
    (void)state;
    assert_text_refused("a,b", "t.csv: line 1 does not end; is the file cut off?");
    assert_text_refused("a,b\n1,2", "t.csv: line 2 does not end; is the file cut off?");
    assert_text_refused("a,b\n1,", "t.csv: line 2 does not end; is the file cut off?");
    assert_text_refused("a,b\n1,\"2\"", "t.csv: line 2 does not end; is the file cut off?");
    assert_text_refused("a,b\n1,\"2\n", "t.csv: line 2: a quoted cell has no end; is the file cut off?");
    assert_text_refused("a\n\"\"\"", "t.csv: line 2: a quoted cell has no end; is the file cut off?");
}

static void stray_characters_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"a,b\n1\"2,3\n", "a,b\n\"1\"2,3\n", "a,b\n1\r2,3\n", "a,b\n1,2\r",
                                        "a,b\n\"1\" ,2\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_text_refused(texts[i], "t.csv: line 2: a stray quote or carriage return in a cell, expected a comma");
}

/* Cut off anywhere, a file is refused, or is one of fewer whole lines. */
static void no_half_cell_is_taken_for_a_whole_one(void **state)
{
    (void)state;
    static const char text[] = "name,note\r\nx,\"a \"\"b\"\"\nc\"\r\ny,\"\"\n\"z\",12\n";
    static const char *const whole[] = {"x", "a \"b\"\nc", "y", "", "z", "12"};
    size_t kept = 0;
    for (size_t bytes = 0; bytes < sizeof text; bytes++) {
        struct csv_table table;
        struct error error = {""};
        bool ok = parse_bytes(text, bytes, &table, &error);
        assert_int_equal(ok, bytes > 0 && text[bytes - 1] == '\n' && bytes != 22); /* in quotes */
        assert_int_equal(ok, error.text[0] == '\0');
        assert_null(strchr(error.text, '\n'));
        if (!ok)
            continue;
        assert_int_equal(table.rows, kept++);
        for (size_t i = 0; i < 2 * table.rows; i++)
            assert_string_equal(csv_cell(&table, i / 2, (int)(i % 2)), whole[i]);
        csv_free(&table);
    }
    assert_int_equal(kept, 4);
}

static void files_that_cannot_be_read_are_refused(void **state)
{
    (void)state;
    struct csv_table table;
    struct error error;
    assert_false(csv_read("none.csv", &table, &error));
    assert_string_equal(error.text, "none.csv: cannot be read (No such file or directory)");
    assert_int_equal(mkdir(folder_name, 0700), 0);
    assert_false(csv_read(folder_name, &table, &error));
    assert_string_equal(error.text, "folder: is a folder, expected a regular file");
    FILE *file = fopen(file_name, "w");
    assert_non_null(file);
    fclose(file);
    assert_false(csv_read(file_name, &table, &error));
    assert_string_equal(error.text, "table.csv: is empty, expected CSV with a header");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_between_commas),
        cmocka_unit_test(lines_may_end_in_both_characters),
        cmocka_unit_test(what_spreadsheets_write_is_read_or_named),
        cmocka_unit_test(a_header_has_an_end),
        cmocka_unit_test(quotes_hold_what_would_end_a_cell),
        cmocka_unit_test(rows_know_their_lines),
        cmocka_unit_test(cells_are_found_by_column),
        cmocka_unit_test_setup_teardown(many_cells_are_no_trouble, clean, clean),
        cmocka_unit_test_setup_teardown(files_of_any_size_are_read_whole, clean, clean),
        cmocka_unit_test(what_is_no_table_is_refused),
        cmocka_unit_test(what_is_cut_off_is_refused),
        cmocka_unit_test(stray_characters_are_refused),
        cmocka_unit_test(no_half_cell_is_taken_for_a_whole_one),
        cmocka_unit_test_setup_teardown(files_that_cannot_be_read_are_refused, clean, clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

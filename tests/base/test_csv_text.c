/* CSV as RFC 4180 has it, and what is none. */
#include "bench/base/csv_text.h"
#include "tests/unit.h"

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
    MUST(parse_bytes(text, strlen(text), &table, &error));
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
    assert_true(!table.text && !table.cells && !table.lines);
}

TEST(cells_are_as_they_were_written)
{
    assert_cells("a,b\n1,2\n3,4\n", "[a][b]|[1][2]|[3][4]|");
    assert_cells("a\n\n", "[a]|[]|");
    assert_cells("a,b\n 1 ,\t\n", "[a][b]|[ 1 ][\t]|");
    assert_cells("a,b\n", "[a][b]|");
    assert_cells("a,b\r\n1,\r\n\"3\",\"4\"\r\n", "[a][b]|[1][]|[3][4]|");
    assert_cells("a,b\n\"1,2\",3\n", "[a][b]|[1,2][3]|");
    assert_cells("a,b\n\"say \"\"no\"\"\",\"\"\n", "[a][b]|[say \"no\"][]|");
    assert_cells("a,b\n\"\"\"\",\"\"\"\"\"\"\n", "[a][b]|[\"][\"\"]|");
    assert_cells("\"a\",b\n\"two\nlines\",\"\r\n\"\n", "[a][b]|[two\nlines][\r\n]|");
    assert_cells("\xef\xbb\xbf\"a\"\n1\n", "[a]|[1]|"); /* as spreadsheets write it */
}

TEST(rows_know_their_lines_and_columns_their_names)
{
    struct csv_table table = parsed("name,round\nx,1\n\"2\n\n2\",3\ny,2\n");
    static const size_t lines[] = {1, 2, 3, 6};
    assert_int_equal(table.rows, 3);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(table.lines[i], lines[i]);
    assert_int_equal(csv_column(&table, "name"), 0);
    assert_int_equal(csv_column(&table, "round"), 1);
    assert_int_equal(csv_column(&table, "roun"), CSV_NO_COLUMN);
    assert_int_equal(csv_column(&table, "x"), CSV_NO_COLUMN);
    assert_string_equal(csv_cell(&table, 2, 0), "y");
    assert_string_equal(csv_cell(&table, 1, 1), "3");
    assert_string_equal(csv_cell(&table, 1, CSV_NO_COLUMN), "");
    csv_free(&table);
    assert_true(!table.text && table.rows == 0);
}

/* What is written is quoted only where it must be, and can be read: also a file of many cells. */
TEST(a_file_has_the_cells_that_were_written)
{
    enum { ROWS = 20000 };
    static const char *const texts[] = {NULL, "", "x", "1,2", "say \"no\"", "two\r\nlines", "\xc3\xa9; 'b'"};
    static const char begins[] = "number,text\n0,\n1,\n2,x\n3,\"1,2\"\n4,\"say \"\"no\"\"\"\n5,\"two\r\nlines\"\n"
                                 "6,\xc3\xa9; 'b'\n7,";
    char written[sizeof begins];
    enum { TEXTS = sizeof texts / sizeof texts[0] };
    struct csv_table table;
    struct error error;
    FILE *file = fopen("table.csv", "w");
    assert_non_null(file);
    fputs("number,text\n", file);
    for (int i = 0; i < ROWS; i++) {
        fprintf(file, "%d,", i);
        csv_put_text(file, texts[i % TEXTS]);
        fputc('\n', file);
    }
    fclose(file);
    file_get("table.csv", written, sizeof written);
    assert_string_equal(written, begins);
    assert_true(csv_read("table.csv", &table, &error));
    remove("table.csv");
    assert_true(table.columns == 2 && table.rows == ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        assert_int_equal(strtoul(csv_cell(&table, i, 0), NULL, 10), i);
        assert_string_equal(csv_cell(&table, i, 1), texts[i % TEXTS] ? texts[i % TEXTS] : "");
    }
    csv_free(&table);
    assert_false(csv_read("none.csv", &table, &error));
    assert_string_equal(error.text, "none.csv: cannot be read (No such file or directory)");
}

TEST(what_is_no_table_is_refused_with_the_reason)
{
    static char wide[1 << 17];
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "is empty, expected CSV with a header"},
        {"\xef\xbb\xbf", "is empty, expected CSV with a header"},
        {"a;b\n1;2,5\n", "its columns are separated by semicolons, expected commas"},
        {"a\tb\n1\t2\n", "its columns are separated by tabs, expected commas"},
        {"a,b\n1\n", "line 2 has 1 cells, expected 2 as in the header"},
        {"a,b\n1,2\n1,2,3\n", "line 3 has 3 cells, expected 2 as in the header"},
        {"a,b\n\"1\n\",2\n\n", "line 4 has 1 cells, expected 2 as in the header"},
        {"a,b,c,b\n1,2,3,4\n", "has two columns 'b'"},
        {"a,b", "line 1 does not end; is the file truncated?"},
        {"a,b\n1,2", "line 2 does not end; is the file truncated?"},
        {"a,b\n1,", "line 2 does not end; is the file truncated?"},
        {"a,b\n1,\"2\"", "line 2 does not end; is the file truncated?"},
        {"a,b\n1,\"2\n", "line 2: a quoted cell has no end; is the file truncated?"},
        {"a\n\"\"\"", "line 2: a quoted cell has no end; is the file truncated?"},
        {"a,b\n1\"2,3\n", "line 2: a stray quote or carriage return in a cell, expected a comma"},
        {"a,b\n\"1\"2,3\n", "line 2: a stray quote or carriage return in a cell, expected a comma"},
        {"a,b\n1\r2,3\n", "line 2: a stray quote or carriage return in a cell, expected a comma"},
        {"a,b\n1,2\r", "line 2: a stray quote or carriage return in a cell, expected a comma"},
        {"a,b\n\"1\" ,2\n", "line 2: a stray quote or carriage return in a cell, expected a comma"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char expected[160];
        snprintf(expected, sizeof expected, "t.csv: %s", cases[i].error);
        assert_refused(cases[i].text, strlen(cases[i].text), expected);
    }
    assert_refused("a\n\0\n", 4, "t.csv: holds a zero byte, expected CSV in UTF-8");
    for (size_t i = 0, length = 0; i <= 1000; i++)
        length += (size_t)sprintf(wide + length, "%zu%s", i, i < 1000 ? "," : "\n");
    assert_refused(wide, strlen(wide), "t.csv: has 1001 columns, expected at most 1000");
}

#include "csv_text.h"

#include "files.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>

struct reader {
    const char *name;
    char *at, *end;
    size_t line; /* of `at`, from 1 */
    struct csv_table *table;
    size_t cells;
    struct error *error;
};

/* Takes the quotes off, in place. `after` is where the cell ends. */
static bool unquote(struct reader *reader, char **after)
{
    size_t first_line = reader->line;
    char *to = reader->at, *from = reader->at + 1;
    for (;; from++) {
        if (from == reader->end)
            return error_set(reader->error, "%s: line %zu: a quoted cell has no end; is the file truncated?",
                             reader->name, first_line);
        if (*from == '"' && from[1] != '"')
            break;
        if (*from == '"')
            from++;
        reader->line += *from == '\n';
        *to++ = *from;
    }
    *to = '\0';
    *after = from + 1;
    return true;
}

static bool read_cell(struct reader *reader, char *ended_by)
{
    char *cell = reader->at, *after = cell + strcspn(cell, ",\n\r\"");
    if (*cell == '"' && !unquote(reader, &after))
        return false;
    char *terminator = after;
    if (after[0] == '\r' && after[1] == '\n')
        after++;
    if (after == reader->end)
        return error_set(reader->error, "%s: line %zu does not end; is the file truncated?", reader->name,
                         reader->line);
    if (*after != ',' && *after != '\n')
        return error_set(reader->error, "%s: line %zu: a stray quote or carriage return in a cell, expected a comma",
                         reader->name, reader->line);
    *ended_by = *after;
    *terminator = '\0';
    reader->at = after + 1;
    struct csv_table *table = reader->table;
    table->cells = memory_grow(table->cells, reader->cells, sizeof cell);
    table->cells[reader->cells++] = cell;
    return true;
}

static bool read_row(struct reader *reader)
{
    struct csv_table *table = reader->table;
    size_t before = reader->cells, line = reader->line;
    for (char ended_by = ','; ended_by == ',';)
        if (!read_cell(reader, &ended_by))
            return false;
    reader->line++;
    size_t cells = reader->cells - before;
    if (before == 0)
        table->columns = cells;
    if (cells != table->columns)
        return error_set(reader->error, "%s: line %zu has %zu cells, expected %zu as in the header", reader->name, line,
                         cells, table->columns);
    table->rows = before / table->columns;
    table->lines = memory_grow(table->lines, table->rows, sizeof line);
    table->lines[table->rows] = line;
    return true;
}

/* Spreadsheets write UTF-16, and say CSV. */
static bool is_text(const struct reader *reader)
{
    size_t bytes = (size_t)(reader->end - reader->at);
    if (bytes == 0)
        return error_set(reader->error, "%s: is empty, expected CSV with a header", reader->name);
    return !memchr(reader->at, '\0', bytes) ||
           error_set(reader->error, "%s: holds a zero byte, expected CSV in UTF-8", reader->name);
}

static bool is_header(const struct reader *reader)
{
    enum { COLUMNS_MAX = 1000 };
    const struct csv_table *table = reader->table;
    const char *separator = table->columns == 1 ? strpbrk(table->cells[0], ";\t") : NULL;
    if (separator)
        return error_set(reader->error, "%s: its columns are separated by %s, expected commas", reader->name,
                         *separator == ';' ? "semicolons" : "tabs");
    if (table->columns > COLUMNS_MAX)
        return error_set(reader->error, "%s: has %zu columns, expected at most %d", reader->name, table->columns,
                         COLUMNS_MAX);
    return true;
}

bool csv_parse_columns(char *text, size_t bytes, const char *name, struct csv_table *table, struct error *error)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    *table = (struct csv_table){.text = text};
    struct reader reader = {.name = name, .at = text, .end = text + bytes, .line = 1, .table = table, .error = error};
    if (strncmp(text, byte_order_mark, strlen(byte_order_mark)) == 0)
        reader.at += strlen(byte_order_mark);
    bool ok = is_text(&reader) && read_row(&reader) && is_header(&reader);
    while (ok && reader.at < reader.end)
        ok = read_row(&reader);
    if (!ok)
        csv_free(table);
    return ok;
}

bool csv_parse(char *text, size_t bytes, const char *name, struct csv_table *table, struct error *error)
{
    if (!csv_parse_columns(text, bytes, name, table, error))
        return false;
    for (size_t i = 0; i < table->columns; i++)
        if (csv_column(table, table->cells[i]) != (int)i) {
            error_set(error, "%s: has two columns '%s'", name, table->cells[i]);
            csv_free(table);
            return false;
        }
    return true;
}

bool csv_read(const char *path, struct csv_table *table, struct error *error)
{
    enum { BYTES_MAX = 1 << 30 };
    size_t bytes;
    char *text = regular_file_unpack(path, path, BYTES_MAX, &bytes, error);
    return text && csv_parse(text, bytes, path, table, error);
}

void csv_free(struct csv_table *table)
{
    free(table->text);
    free(table->cells);
    free(table->lines);
    *table = (struct csv_table){0};
}

int csv_column(const struct csv_table *table, const char *name)
{
    for (size_t i = 0; i < table->columns; i++)
        if (strcmp(table->cells[i], name) == 0)
            return (int)i;
    return CSV_NO_COLUMN;
}

const char *csv_cell(const struct csv_table *table, size_t row, int column)
{
    return column == CSV_NO_COLUMN ? "" : table->cells[(row + 1) * table->columns + (size_t)column];
}

void csv_put_text(FILE *line, const char *text)
{
    if (!text || !strpbrk(text, ",\"\r\n")) {
        fputs(text ? text : "", line);
        return;
    }
    fputc('"', line);
    for (; *text; text++)
        fputs(*text == '"' ? "\"\"" : (const char[]){*text, '\0'}, line);
    fputc('"', line);
}

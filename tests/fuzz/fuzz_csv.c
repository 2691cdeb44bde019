/* Results in CSV: the table, the reader of results, and the gate's reader. */
#include "bench/base/csv_text.h"
#include "bench/gate/read/read.h"
#include "bench/report/result.h"
#include "fuzz_target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct backend_entry backends[] = {
    {.name = "cpu"}, {.name = "sim", .simulates = true}, {.name = "cuda", .separate_memory = true}};
static const struct registry registry = {.backends = backends, .backend_count = 3};

static bool parse(const char *text, size_t bytes, struct csv_table *table)
{
    struct error error = {""};
    char *copy = malloc(bytes + 1);
    if (!copy)
        return false;
    memcpy(copy, text, bytes);
    copy[bytes] = '\0';
    bool ok = csv_parse(copy, bytes, "input", table, &error);
    if (!ok)
        fuzz_check_error(&error);
    return ok;
}

/* The table written anew has the same cells. */
static void write_and_read(const struct csv_table *table)
{
    char *text = NULL;
    size_t bytes = 0, cells = (table->rows + 1) * table->columns;
    FILE *to = open_memstream(&text, &bytes);
    if (!to)
        return;
    for (size_t i = 0; i < cells; i++) {
        csv_put_text(to, table->cells[i]);
        fputc((i + 1) % table->columns == 0 ? '\n' : ',', to);
    }
    struct csv_table again;
    if (fclose(to) != 0 || !parse(text, bytes, &again) || again.rows != table->rows || again.columns != table->columns)
        abort();
    for (size_t i = 0; i < cells; i++)
        if (strcmp(again.cells[i], table->cells[i]) != 0)
            abort();
    csv_free(&again);
    free(text);
}

/* What is written of a result can be read. */
static void read_result(const struct csv_table *table, size_t row)
{
    static struct run_facts facts;
    static struct device_info device;
    static struct result result;
    struct error error = {""};
    char buffer[COLUMN_BUFFER];
    if (!result_read(table, row, &registry, &facts, &device, &result, &error)) {
        fuzz_check_error(&error);
        return;
    }
    static union {
        struct run_facts facts;
        struct device_info device;
        struct result result;
    } again;
    for (size_t i = 0; i < RESULT_COLUMNS; i++)
        if (!column_parse(&result_columns[i], column_text(&result_columns[i], &result, buffer), &again))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct csv_table table;
    struct error error = {""};
    struct recording recording = {.name = "input"};
    if (!parse((const char *)data, size, &table))
        return 0;
    write_and_read(&table);
    for (size_t i = 0; i < table.rows; i++)
        read_result(&table, i);
    if (!recording_add(&recording, &table, &error))
        fuzz_check_error(&error);
    recording_free(&recording);
    return 0;
}

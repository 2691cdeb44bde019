#include "gate_files.h"
#include "tests/unit.h"

#include <assert.h>

/* Columns, each with its value in a GPU row. */
/* clang-format off */
static const char *const columns[] = {
    "schema=1", "name=", "shape=50000x784x10", "precision=fp32", "status=ok", "reason=", "host=alpha", "device=H200",
    "device_uuid=GPU-1", "driver_version=570.1", "cuda_version=12.8", "blas_version=12.8.4", "threads=",
    "git_rev=abc1234", "sitting=monday", "round=", "samples=100", "iterations=1000", "time_min_s=", "time_median_s=",
    "tick_s=5e-7", "transfer=", "flush=", "ceiling_pct=", "seed=42", "input=seeded", "launch_bound=no",
    "power_limit_w=700", "sm_clock_set_mhz=1980", "affinity=", "governor=", "slowdown_pct=", "code=",
    "cpu_clock_mhz=", "compiler=", "answer=", "kernel=", "kernels=", "blocks=", "block_threads=", "registers=",
    "shared_bytes=", "local_bytes=", "occupancy_pct=", "occupancy_limit=", "sm_clock_mhz=", "power_w=", "throttled="
};
/* clang-format on */

enum { COLUMNS = sizeof columns / sizeof columns[0] };

static bool is_column(size_t place, const char *column)
{
    const size_t length = strlen(column);
    return strncmp(columns[place], column, length) == 0 && columns[place][length] == '=';
}

static size_t place_of(const char *column)
{
    size_t place = 0;
    while (place < COLUMNS && !is_column(place, column))
        place++;
    return place;
}

const char *gate_cell(const struct gate_rows *rows, const char *column)
{
    size_t place = place_of(column);
    return place < COLUMNS ? rows->cells[rows->count - 1][place] : "";
}

static void set(struct gate_rows *rows, size_t row, size_t place, const char *value)
{
    assert(place < COLUMNS);
    int length = snprintf(rows->cells[row][place], GATE_CELL_SIZE, "%s", value);
    assert(length < GATE_CELL_SIZE);
}

void gate_set(struct gate_rows *rows, const char *column, const char *value)
{
    set(rows, rows->count - 1, place_of(column), value);
}

void gate_set_all(struct gate_rows *rows, const char *column, const char *value)
{
    for (size_t i = 0; i < rows->count; i++)
        set(rows, i, place_of(column), value);
}

static void add(struct gate_rows *rows, const char *name, int round, double time_s, va_list pairs)
{
    char text[32];
    assert(rows->count < GATE_ROWS_MAX);
    rows->count++;
    for (size_t i = 0; i < COLUMNS; i++)
        set(rows, rows->count - 1, i, strchr(columns[i], '=') + 1);
    if (strcmp(name, GATE_CPU_ROW) == 0) {
        gate_set(rows, "threads", "8");
        gate_set(rows, "device", "EPYC");
        gate_set(rows, "device_uuid", "");
    }
    gate_set(rows, "name", name);
    snprintf(text, sizeof text, "%d", round);
    gate_set(rows, "round", text);
    snprintf(text, sizeof text, "%.17g", time_s);
    gate_set(rows, "time_median_s", text);
    gate_set(rows, "time_min_s", text);
    for (const char *column; (column = va_arg(pairs, const char *));)
        gate_set(rows, column, va_arg(pairs, const char *));
    if (strcmp(gate_cell(rows, "status"), "ok") != 0)
        gate_set(rows, "time_median_s", "");
}

void gate_row_with(struct gate_rows *rows, const char *name, int round, double time_s, ...)
{
    va_list pairs;
    va_start(pairs, time_s);
    add(rows, name, round, time_s, pairs);
    va_end(pairs);
}

void gate_rounds_with(struct gate_rows *rows, const char *name, double time_s, double step, ...)
{
    for (int round = 0; round < 10; round++) {
        va_list pairs;
        va_start(pairs, step);
        add(rows, name, round, time_s * (1 + step * round), pairs);
        va_end(pairs);
    }
}

static void put_line(FILE *to, const struct gate_rows *rows, size_t row, bool is_header)
{
    const char *separator = "";
    for (size_t i = 0; i < COLUMNS; i++) {
        if (rows->without && is_column(i, rows->without))
            continue;
        fprintf(to, "%s%.*s", separator, is_header ? (int)strcspn(columns[i], "=") : GATE_CELL_SIZE,
                is_header ? columns[i] : rows->cells[row][i]);
        separator = ",";
    }
    fputc('\n', to);
}

char *gate_text(const struct gate_rows *rows)
{
    char *text = calloc(GATE_TEXT_MAX, 1);
    FILE *to = text ? fmemopen(text, GATE_TEXT_MAX, "w") : NULL;
    assert(to);
    put_line(to, rows, 0, true);
    for (size_t row = 0; row < rows->count; row++)
        put_line(to, rows, row, false);
    int status = fclose(to);
    assert(status == 0 && strlen(text) < GATE_TEXT_MAX - 1);
    return text;
}

bool gate_record(const struct gate_rows *rows, const char *name, struct recording *recording, struct error *error)
{
    struct csv_table table;
    char *text = gate_text(rows);
    *recording = (struct recording){.name = name};
    bool ok = csv_parse(text, strlen(text), name, &table, error) && recording_add(recording, &table, error);
    if (!ok)
        recording_free(recording);
    return ok;
}

struct gate_rows base_rows, new_rows;
struct gate_options compare_options;
const struct exceptions *compare_exceptions;
struct comparison compared;
static struct recording base, other;

int gate_files_end(void **state)
{
    comparison_free(&compared);
    recording_free(&base);
    recording_free(&other);
    return 0;
}

int gate_files_start(void **state)
{
    base_rows = new_rows = (struct gate_rows){0};
    static const struct exceptions none;
    compare_options = (struct gate_options){.threshold = NAN};
    compare_exceptions = &none;
    return gate_files_end(state);
}

void gate_add_to_both(const char *name, double ratio)
{
    gate_rounds(&base_rows, name, 1e-5, 0.02);
    gate_rounds(&new_rows, name, 1e-5 * ratio, 0.02);
}

void gate_unpair(void)
{
    gate_set_all(&new_rows, "sitting", "tuesday");
}

static bool compare(struct error *error)
{
    gate_files_end(NULL);
    if (!gate_record(&base_rows, "base.csv", &base, error) || !gate_record(&new_rows, "new.csv", &other, error))
        fail_msg("%s", error->text);
    memset(&compared, 1, sizeof compared); /* after an error there must be nothing to free */
    return comparison_make(&base, &other, &compare_options, compare_exceptions, &compared, error);
}

void gate_compare(void)
{
    MUST(compare(&error));
}

void gate_decide(double level, bool other_device)
{
    compare_options.other_device = other_device;
    compared.level = level;
    comparison_decide(&compared);
}

void gate_assert_refused(const char *expected)
{
    struct error error = {""};
    assert_false(compare(&error));
    assert_string_equal(error.text, expected);
    assert_null(compared.rows);
}

const struct compared_row *gate_compared(const char *name)
{
    for (size_t i = 0; i < compared.count; i++)
        if (strcmp(compared.rows[i].name, name) == 0)
            return &compared.rows[i];
    fail_msg("no row %s", name);
    return NULL;
}

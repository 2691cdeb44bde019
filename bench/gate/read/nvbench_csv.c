/* NVBench's CSV: a line per state, with the mean of its GPU times, or of its CPU times where it ran no kernel. A row is
 * called as in the JSON: "copy Device=0 Elements=2^20". */
#include "read.h"

#include "bench/base/memory.h"
#include "bench/base/plain_text.h"

#include <stdlib.h>
#include <string.h>

/* The columns that are always there, in this order; the axes of the first benchmark stand between the last of them and
 * "Skipped". */
enum { BENCHMARK, DEVICE, DEVICE_NAME, AXES };

/* Columns are in the order of their first use: behind "Skipped" stand what was measured, which has a unit, a name of
 * NVBench's or a value in the first benchmark, and the axes of later benchmarks. */
static bool is_axis(const struct csv_table *table, int column, int skipped)
{
    static const char *const own[] = {"Skipped", "Samples", "Noise", "BWUtil"};
    static const char *const units[] = {" (sec)", "/sec)", " (bytes)"};
    const char *name = table->cells[column];
    if (column < skipped)
        return column >= AXES;
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (strcmp(name, own[i]) == 0)
            return false;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strstr(name, units[i]))
            return false;
    for (size_t row = 0; row < table->rows; row++) {
        if (strcmp(csv_cell(table, row, BENCHMARK), csv_cell(table, 0, BENCHMARK)) != 0)
            return true;
        if (csv_cell(table, row, column)[0] != '\0')
            return false;
    }
    return false;
}

/* Of an axis of powers of two only the exponent. free() it; NULL, with the reason: a fraction behind "Skipped" may be a
 * result that a benchmark adds, which differs each time. */
static char *name_of(const struct reading *reading, const struct csv_table *table, size_t row, int skipped)
{
    static const char power[] = " (pow2)";
    char *text;
    size_t bytes;
    FILE *to = memory_stream(&text, &bytes);
    bool ok = true;
    fputs(csv_cell(table, row, BENCHMARK), to);
    if (csv_cell(table, row, DEVICE)[0] != '\0')
        fprintf(to, " Device=%s", csv_cell(table, row, DEVICE));
    for (int axis = AXES; axis < (int)table->columns; axis++) {
        const char *name = table->cells[axis], *end = strstr(name, power), *value = csv_cell(table, row, axis);
        if (value[0] == '\0' || !is_axis(table, axis, skipped))
            continue;
        if (axis > skipped && strchr(value, '.'))
            ok = reading_refuse(reading, "line %zu: %.40s=%.40s may be an axis or a result: use --json",
                                table->lines[row + 1], name, value);
        fprintf(to, " %.*s=%s", (int)(end ? end - name : (long)strlen(name)), name, value);
        axis += end != NULL;
    }
    memory_stream_end(to);
    if (!ok)
        free(text);
    return ok ? text : NULL;
}

static bool read_line(const struct reading *reading, const struct csv_table *table, size_t row, int skipped)
{
    static const char *const columns[] = {"GPU Time (sec)", "CPU Time (sec)"};
    enum { ON_DEVICE = 1 };
    const char *cell = "";
    size_t column = 0;
    double seconds;
    for (; column < sizeof columns / sizeof columns[0]; column++)
        if ((cell = csv_cell(table, row, csv_column(table, columns[column])))[0] != '\0')
            break;
    const bool is_ok = cell[0] != '\0', is_skipped = strcmp(csv_cell(table, row, skipped), "Yes") == 0;
    if (is_ok && !number_read_positive(cell, NULL, 1e6, &seconds))
        return reading_refuse(reading, "line %zu: %s is '%.40s', expected seconds", table->lines[row + 1],
                              columns[column], cell);
    char *name = name_of(reading, table, row, skipped);
    bool ok =
        name && reading_take(reading, &(struct measured){.name = name,
                                                         .reason = is_ok        ? ""
                                                                   : is_skipped ? "NVBench skipped it, or it failed"
                                                                                : "it has no time",
                                                         .device = csv_cell(table, row, DEVICE_NAME),
                                                         .status = is_ok ? STATUS_OK : STATUS_SKIPPED,
                                                         .on_device = column < ON_DEVICE,
                                                         .times_s = &seconds,
                                                         .count = is_ok});
    free(name);
    return ok;
}

static bool read_nvbench_csv(struct reading *reading)
{
    struct csv_table table;
    if (!reading_table(reading, &table)) {
        char *why = memory_print("%s (NVBench's CSV quotes nothing: use --json)", reading->error->text);
        error_set(reading->error, "%s", why);
        free(why);
        return false;
    }
    const int skipped = csv_column(&table, "Skipped");
    bool ok = (csv_column(&table, "Device Name") == DEVICE_NAME && skipped >= AXES) ||
              reading_refuse(reading, "has other columns, expected Benchmark,Device,Device Name,...,Skipped,...");
    for (size_t row = 0; ok && row < table.rows; row++)
        ok = read_line(reading, &table, row, skipped);
    csv_free(&table);
    return ok;
}

const struct reader nvbench_csv_reader = {
    .about = "NVBench's CSV", .marks = {"Benchmark", "Device Name"}, .read = read_nvbench_csv};

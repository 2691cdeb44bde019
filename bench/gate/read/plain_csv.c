/* Plain CSV: name,round,seconds, and, if it has these columns, what else can be said of a round: its sitting (files
 * that share one are compared in pairs), status, reason, device, and the clock that timed it, device or host. The gate
 * keeps the rounds of others' programs so. */
#include "read.h"

#include "bench/base/plain_text.h"

#include <string.h>

static bool refuse(const struct reading *reading, const struct csv_table *table, size_t row, const char *column,
                   const char *expected)
{
    return reading_refuse(reading, "line %zu: %s is '%.40s', expected %s", table->lines[row + 1], column,
                          csv_cell(table, row, csv_column(table, column)), expected);
}

static bool read_line(struct reading *reading, const struct csv_table *table, size_t row)
{
    const char *cells[] = {"name", "round", "seconds", "sitting", "status", "reason", "device", "clock"};
    enum { NAME, ROUND, SECONDS, SITTING, STATUS, REASON, DEVICE, CLOCK };
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++)
        cells[i] = csv_cell(table, row, csv_column(table, cells[i]));
    uint64_t round;
    double seconds;
    const size_t before = reading->to->count;
    struct measured measured = {.name = cells[NAME], .reason = cells[REASON], .device = cells[DEVICE]};
    if (!number_read_integer(cells[ROUND], 0, 1000000000, &round))
        return refuse(reading, table, row, "round", "an integer from 0");
    measured.round = (long)round;
    measured.on_device = strcmp(cells[CLOCK], "device") == 0;
    if (!measured.on_device && cells[CLOCK][0] != '\0' && strcmp(cells[CLOCK], "host") != 0)
        return refuse(reading, table, row, "clock", "device or host");
    if (cells[STATUS][0] != '\0' && !status_parse(cells[STATUS], &measured.status))
        return refuse(reading, table, row, "status", "ok, skipped or failed");
    if (measured.status == STATUS_OK && !number_read_positive(cells[SECONDS], NULL, 1e6, &seconds))
        return refuse(reading, table, row, "seconds", "a decimal number above 0");
    measured.count = measured.status == STATUS_OK;
    measured.times_s = &seconds;
    if (!reading_take(reading, &measured))
        return false;
    if (cells[SITTING][0] != '\0' && reading->to->count > before)
        reading->to->items[before].sitting = reading_keep(reading, cells[SITTING]);
    return true;
}

static bool read_plain_csv(struct reading *reading)
{
    struct csv_table table;
    if (!reading_table(reading, &table))
        return false;
    bool ok = csv_column(&table, "name") != CSV_NO_COLUMN && csv_column(&table, "round") != CSV_NO_COLUMN &&
              csv_column(&table, "seconds") != CSV_NO_COLUMN;
    if (!ok)
        reading_refuse(reading, "has no column name, round or seconds, expected all three");
    for (size_t row = 0; ok && row < table.rows; row++)
        ok = read_line(reading, &table, row);
    csv_free(&table);
    return ok;
}

const char plain_csv_header[] = "name,sitting,round,seconds,status,reason,device,clock\n";

void plain_csv_put(FILE *to, const void *recording)
{
    const struct recording *rounds = recording;
    for (const struct observation *o = rounds->items; o < rounds->items + rounds->count; o++) {
        csv_put_text(to, o->name);
        fputc(',', to);
        csv_put_text(to, o->sitting);
        fprintf(to, ",%ld,", o->round);
        if (o->status == STATUS_OK)
            fprintf(to, "%.17g", o->time_s);
        fprintf(to, ",%s,", status_name(o->status));
        csv_put_text(to, o->reason);
        fputc(',', to);
        csv_put_text(to, o->text[COLUMN_device]);
        fprintf(to, ",%s\n", o->on_host ? "host" : "device");
    }
}

const struct reader plain_csv_reader = {
    .about = "a line name,round,seconds for each round", .marks = {"name", "seconds"}, .read = read_plain_csv};

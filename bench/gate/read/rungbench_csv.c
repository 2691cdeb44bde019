/* What rungbench --out wrote. It says all that there is to know of a row. */
#include "read.h"

#include "bench/base/memory.h"
#include "bench/gate/recording.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* No kernel is shorter than a cycle, and nobody waits for a longer one. */
static const double shortest_s = 1e-10, longest_s = 1e6;

/* Where a value stands, for errors. */
struct place {
    const char *file;
    const struct csv_table *table;
    const int *at; /* where each column stands */
    size_t row;
    struct error *error;
};

static const char *cell(const struct place *place, enum column_id which)
{
    return csv_cell(place->table, place->row, place->at[which]);
}

static bool complain(const struct place *place, enum column_id which, const char *expected)
{
    return error_set(place->error, "%s: line %zu: %s is '%.40s', expected %s", place->file,
                     place->table->lines[place->row + 1], result_columns[which].name, cell(place, which), expected);
}

/* A number in [low, high], in decimal, all of the cell. */
static bool number(const struct place *place, enum column_id which, double low, double high, const char *expected,
                   double *value)
{
    const char *text = cell(place, which);
    char *end;
    *value = strtod(text, &end);
    return (text[strspn(text, "0123456789+-.eE")] == '\0' && end != text && *end == '\0' && *value >= low &&
            *value <= high) ||
           complain(place, which, expected);
}

static bool read_times(const struct place *place, struct observation *o)
{
    double samples, iterations, tick_s;
    o->time_s = NAN;
    if (o->status != STATUS_OK)
        return cell(place, COLUMN_time_median_s)[0] == '\0' ||
               complain(place, COLUMN_time_median_s, "nothing, for the row is not ok");
    if (!number(place, COLUMN_time_median_s, shortest_s, longest_s, "seconds from 1e-10 to 1e6", &o->time_s) ||
        (o->on_host &&
         !number(place, COLUMN_time_min_s, shortest_s, o->time_s, "seconds from 1e-10 to the median", &o->time_s)) ||
        !number(place, COLUMN_samples, 1, 1e12, "a count of 1 or more", &samples) ||
        !number(place, COLUMN_iterations, samples, 1e15, "a count, no less than the samples", &iterations))
        return false;
    o->launch_bound = strcmp(cell(place, COLUMN_launch_bound), "yes") == 0;
    if (!o->launch_bound && strcmp(cell(place, COLUMN_launch_bound), "no") != 0)
        return complain(place, COLUMN_launch_bound, "yes or no");
    if (cell(place, COLUMN_tick_s)[0] != '\0') {
        if (!number(place, COLUMN_tick_s, 0, 1, "seconds from 0 to 1, or nothing", &tick_s))
            return false;
        o->tick_s = tick_s * samples / iterations;
        if (o->tick_s > o->time_s)
            return complain(place, COLUMN_tick_s, "no more than the time that it is to tell apart");
    }
    return true;
}

static bool read_observation(const struct place *place, struct observation *o)
{
    double round, schema;
    if (!number(place, COLUMN_schema, RESULT_SCHEMA, RESULT_SCHEMA, "1: no other way of writing results is known",
                &schema) ||
        !number(place, COLUMN_round, 0, 1e9, "an integer from 0", &round))
        return false;
    if (round != floor(round))
        return complain(place, COLUMN_round, "an integer from 0");
    *o = (struct observation){
        .name = cell(place, COLUMN_name),
        .sitting = cell(place, COLUMN_sitting),
        .reason = cell(place, COLUMN_reason),
        .round = (long)round,
        .slowed = cell(place, COLUMN_slowdown_pct)[0] != '\0',
        .file = place->file,
        .line = place->table->lines[place->row + 1],
    };
    if (strpbrk(o->name, "\r\n"))
        return complain(place, COLUMN_name, "op/workload/variant/mode");
    for (enum column_id i = 0; i < RESULT_COLUMNS; i++) {
        o->text[i] = cell(place, i);
        if (result_columns[i].type == TYPE_KNOWN && place->at[i] != CSV_NO_COLUMN && o->text[i][0] == '\0')
            return complain(place, i, "a text");
    }
    o->on_host = o->text[COLUMN_threads][0] != '\0' || o->text[COLUMN_transfer][0] != '\0';
    if (!status_parse(cell(place, COLUMN_status), &o->status))
        return complain(place, COLUMN_status, "ok, skipped or failed");
    return read_times(place, o);
}

static bool is_same_machine(const struct observation *a, const struct observation *b)
{
    return strcmp(a->text[COLUMN_host], b->text[COLUMN_host]) == 0 &&
           strcmp(a->text[COLUMN_device_uuid], b->text[COLUMN_device_uuid]) == 0;
}

static int by_name(const void *left, const void *right)
{
    return strcmp((*(const struct observation *const *)left)->name, (*(const struct observation *const *)right)->name);
}

/* Whether the observations of a name are of several machines, each of which has sittings of its own. */
static bool are_of_several(struct observation *const *items, size_t count)
{
    bool are_several = false;
    for (size_t i = 1; i < count; i++)
        for (size_t k = 0; k < i; k++) {
            if (is_same_machine(items[i], items[k]))
                continue;
            if (strcmp(items[i]->sitting, items[k]->sitting) == 0)
                return false;
            are_several = true;
        }
    return are_several;
}

/* Rows that come from several machines are as many rows, each with its machine behind its name: what --merge has
 * written is compared machine by machine. */
static void name_machines(struct recording *recording, size_t first)
{
    const size_t count = recording->count - first;
    struct observation **items = memory_get(count, sizeof *items);
    for (size_t i = 0; i < count; i++)
        items[i] = &recording->items[first + i];
    qsort(items, count, sizeof *items, by_name);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && strcmp(items[end]->name, items[i]->name) == 0;)
            end++;
        const bool are_several = are_of_several(items + i, end - i);
        const char *name = items[i]->name;
        for (size_t k = i; k < end && are_several; k++) {
            const char *uuid = items[k]->text[COLUMN_device_uuid];
            items[k]->name = recording_keep(
                recording, memory_print("%s@%s%s%s", name, items[k]->text[COLUMN_host], uuid[0] ? ":" : "", uuid));
        }
    }
    free(items);
}

bool recording_add(struct recording *recording, struct csv_table *table, struct error *error)
{
    const size_t first = recording->count;
    int at[RESULT_COLUMNS];
    struct place place = {recording->name, table, at, 0, error};
    struct observation next;
    recording_keep(recording, table->text);
    bool ok = columns_find(table, recording->name, at, error);
    for (; ok && place.row < table->rows; place.row++) {
        if (!recording_wants(recording, cell(&place, COLUMN_name)))
            continue;
        ok = read_observation(&place, &next);
        if (ok)
            *recording_next(recording) = next;
    }
    table->text = NULL; /* the recording's now */
    csv_free(table);
    if (ok)
        name_machines(recording, first);
    return ok && recording_finish(recording, error);
}

static bool read_rungbench_csv(struct reading *reading)
{
    struct csv_table table;
    char *text = reading->text;
    reading->text = NULL;
    if (!csv_parse(text, reading->bytes, reading->name, &table, reading->error))
        return false;
    const size_t rows = table.rows;
    return recording_add(reading->to, &table, reading->error) &&
           (rows > 0 || reading_refuse(reading, "has a header and no row"));
}

const struct reader rungbench_csv_reader = {
    .about = "a CSV file of rungbench", .marks = {"schema", "time_median_s"}, .read = read_rungbench_csv};

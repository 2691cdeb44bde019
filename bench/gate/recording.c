#include "recording.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const recorded_column[RECORDED_TEXTS] = {
    [RECORDED_SHAPE] = "shape",
    [RECORDED_PRECISION] = "precision",
    [RECORDED_TRANSFER] = "transfer",
    [RECORDED_FLUSH] = "flush",
    [RECORDED_SEED] = "seed",
    [RECORDED_INPUT] = "input",
    [RECORDED_DEVICE] = "device",
    [RECORDED_UUID] = "device_uuid",
    [RECORDED_DRIVER] = "driver_version",
    [RECORDED_CUDA] = "cuda_version",
    [RECORDED_BLAS] = "blas_version",
    [RECORDED_SM_CLOCK] = "sm_clock_set_mhz",
    [RECORDED_POWER_LIMIT] = "power_limit_w",
    [RECORDED_HOST] = "host",
    [RECORDED_THREADS] = "threads",
    [RECORDED_AFFINITY] = "affinity",
    [RECORDED_GOVERNOR] = "governor",
};

/* No kernel is shorter than a cycle, and nobody waits for a longer one. */
static const double shortest_s = 1e-10, longest_s = 1e6;

/* The other columns that are read. */
enum cell {
    SCHEMA,
    NAME,
    STATUS,
    REASON,
    SESSION,
    ROUND,
    TIME,
    LEAST,
    TICK,
    SAMPLES,
    ITERATIONS,
    LAUNCH_BOUND,
    SLOWDOWN,
    REVISION,
    CELLS
};

static const struct {
    const char *name;
    bool required;
} cells[CELLS] = {
    [SCHEMA] = {"schema", true},
    [NAME] = {"name", true},
    [STATUS] = {"status", true},
    [REASON] = {"reason", true},
    [SESSION] = {"sitting", true},
    [ROUND] = {"round", true},
    [TIME] = {"time_median_s", true},
    [LEAST] = {"time_min_s", true},
    [TICK] = {"tick_s", true},
    [SAMPLES] = {"samples", true},
    [ITERATIONS] = {"iterations", true},
    [LAUNCH_BOUND] = {"launch_bound", true},
    [SLOWDOWN] = {"slowdown_pct", false}, /* younger than the rest */
    [REVISION] = {"git_rev", true},
};

/* Where a value stands, for errors. */
struct place {
    const char *file;
    const struct csv_table *table;
    const int *columns; /* by enum cell */
    size_t row;
    struct error *error;
};

static const char *cell(const struct place *place, enum cell which)
{
    return csv_cell(place->table, place->row, place->columns[which]);
}

static bool complain(const struct place *place, enum cell which, const char *expected)
{
    char seen[41]; /* on one line */
    snprintf(seen, sizeof seen, "%.40s", cell(place, which));
    for (char *c = seen; *c; c++)
        if (iscntrl((unsigned char)*c))
            *c = '?';
    return error_set(place->error, "%s: line %zu: %s is '%s', expected %s", place->file,
                     place->table->lines[place->row + 1], cells[which].name, seen, expected);
}

/* A number in [low, high], in decimal, all of the cell. */
static bool number(const struct place *place, enum cell which, double low, double high, double *value)
{
    const char *text = cell(place, which);
    char *end;
    *value = strtod(text, &end);
    return text[strspn(text, "0123456789+-.eE")] == '\0' && end != text && *end == '\0' && *value >= low &&
           *value <= high;
}

static bool read_status(const struct place *place, enum status *status)
{
    for (*status = STATUS_OK; *status <= STATUS_FAILED; ++*status)
        if (strcmp(cell(place, STATUS), status_name(*status)) == 0)
            return true;
    return complain(place, STATUS, "ok, skipped or failed");
}

static bool read_times(const struct place *place, struct observation *o)
{
    double samples, iterations, tick_s;
    o->time_s = NAN;
    if (o->status != STATUS_OK)
        return cell(place, TIME)[0] == '\0' || complain(place, TIME, "nothing, for the row is not ok");
    if (!number(place, TIME, shortest_s, longest_s, &o->time_s))
        return complain(place, TIME, "seconds from 1e-10 to 1e6");
    if (o->on_host && !number(place, LEAST, shortest_s, o->time_s, &o->time_s))
        return complain(place, LEAST, "seconds from 1e-10 to the median");
    if (!number(place, SAMPLES, 1, 1e12, &samples))
        return complain(place, SAMPLES, "a count of 1 or more");
    if (!number(place, ITERATIONS, samples, 1e15, &iterations))
        return complain(place, ITERATIONS, "a count, no less than the samples");
    o->launch_bound = strcmp(cell(place, LAUNCH_BOUND), "yes") == 0;
    if (!o->launch_bound && strcmp(cell(place, LAUNCH_BOUND), "no") != 0)
        return complain(place, LAUNCH_BOUND, "yes or no");
    if (cell(place, TICK)[0] != '\0') {
        if (!number(place, TICK, 0, 1, &tick_s))
            return complain(place, TICK, "seconds from 0 to 1, or nothing");
        o->tick_s = tick_s * samples / iterations;
        if (o->tick_s > o->time_s)
            return complain(place, TICK, "no more than the time that it is to tell apart");
    }
    return true;
}

static bool read_observation(const struct place *place, const int *text_columns, struct observation *o)
{
    double round, schema;
    if (!number(place, SCHEMA, RESULT_SCHEMA, RESULT_SCHEMA, &schema))
        return complain(place, SCHEMA, "1: no other way of writing results is known");
    if (!number(place, ROUND, 0, 1e9, &round) || round != floor(round))
        return complain(place, ROUND, "an integer from 0");
    *o = (struct observation){
        .name = cell(place, NAME),
        .session = cell(place, SESSION),
        .reason = cell(place, REASON),
        .round = (long)round,
        .slowed = cell(place, SLOWDOWN)[0] != '\0',
        .revision = cell(place, REVISION),
        .line = place->table->lines[place->row + 1],
    };
    if (o->name[0] == '\0' || strpbrk(o->name, "\r\n"))
        return complain(place, NAME, "op/workload/variant/mode");
    if (o->session[0] == '\0')
        return complain(place, SESSION, "the name of a run");
    for (int i = 0; i < RECORDED_TEXTS; i++)
        o->text[i] = csv_cell(place->table, place->row, text_columns[i]);
    o->on_host = o->text[RECORDED_THREADS][0] != '\0' || o->text[RECORDED_TRANSFER][0] != '\0';
    return read_status(place, &o->status) && read_times(place, o);
}

static bool find_columns(const struct csv_table *table, const char *file, int columns[CELLS],
                         int text_columns[RECORDED_TEXTS], struct error *error)
{
    const char *missing = NULL;
    for (int i = 0; i < CELLS; i++) {
        columns[i] = csv_column(table, cells[i].name);
        if (columns[i] == CSV_NO_COLUMN && cells[i].required && !missing)
            missing = cells[i].name;
    }
    for (int i = 0; i < RECORDED_TEXTS; i++) {
        text_columns[i] = csv_column(table, recorded_column[i]);
        if (text_columns[i] == CSV_NO_COLUMN && !missing)
            missing = recorded_column[i];
    }
    return !missing ||
           error_set(error, "%s: no column '%s', expected a CSV file that rungbench --out wrote", file, missing);
}

bool observation_is_usable(const struct observation *observation)
{
    return observation->status == STATUS_OK && !observation->launch_bound && !observation->partial;
}

int observation_compare_rounds(const struct observation *a, const struct observation *b)
{
    int sessions = strcmp(a->session, b->session);
    return sessions ? sessions : (a->round > b->round) - (a->round < b->round);
}

static int by_name_and_round(const void *left, const void *right)
{
    const struct observation *a = left, *b = right;
    int names = strcmp(a->name, b->name);
    return names ? names : observation_compare_rounds(a, b);
}

static bool refuse_duplicates(const struct recording *recording, struct error *error)
{
    for (size_t i = 1; i < recording->count; i++) {
        const struct observation *a = &recording->items[i - 1], *b = &recording->items[i];
        if (by_name_and_round(a, b) == 0)
            return error_set(error, "%s: lines %zu and %zu are both %s in round %ld of session %s", recording->name,
                             a->line < b->line ? a->line : b->line, a->line < b->line ? b->line : a->line, a->name,
                             a->round, a->session);
    }
    return true;
}

static bool keep_table(struct recording *recording, struct csv_table *table)
{
    struct csv_table *tables = realloc(recording->tables, (recording->table_count + 1) * sizeof *tables);
    if (!tables) {
        csv_free(table);
        return false;
    }
    recording->tables = tables;
    recording->tables[recording->table_count++] = *table;
    return true;
}

bool recording_add(struct recording *recording, struct csv_table *table, struct error *error)
{
    int columns[CELLS], text_columns[RECORDED_TEXTS];
    size_t count = recording->count + table->rows;
    struct place place = {recording->name, table, columns, 0, error};
    if (!keep_table(recording, table))
        return error_set(error, "%s: no memory", recording->name);
    if (!find_columns(table, recording->name, columns, text_columns, error))
        return false;
    struct observation *items = realloc(recording->items, (count + 1) * sizeof *items);
    if (!items)
        return error_set(error, "%s: no memory", recording->name);
    recording->items = items;
    for (; place.row < table->rows; place.row++)
        if (!read_observation(&place, text_columns, &recording->items[recording->count++]))
            return false;
    qsort(recording->items, recording->count, sizeof *recording->items, by_name_and_round);
    return refuse_duplicates(recording, error);
}

bool recording_read_more(const char *path, struct recording *recording, struct error *error)
{
    struct csv_table table;
    recording->name = path;
    if (!csv_read(path, &table, error))
        return false;
    size_t rows = table.rows;
    return recording_add(recording, &table, error) &&
           (rows > 0 || error_set(error, "%s: has a header and no row", path));
}

bool recording_read(const char *path, struct recording *recording, struct error *error)
{
    *recording = (struct recording){0};
    bool ok = recording_read_more(path, recording, error);
    if (!ok)
        recording_free(recording);
    return ok;
}

static bool has(const struct recording *recording, size_t count, const struct observation *like)
{
    for (size_t i = 0; i < count; i++)
        if (by_name_and_round(&recording->items[i], like) == 0)
            return true;
    return false;
}

bool recording_add_owed(struct recording *recording, const struct recording *model, const char *session, long round,
                        enum status status, const char *reason, struct error *error)
{
    size_t before = recording->count;
    struct observation *items = realloc(recording->items, (before + model->count + 1) * sizeof *items);
    if (!items)
        return error_set(error, "%s: no memory", recording->name);
    recording->items = items;
    for (size_t i = 0; i < model->count; i++) {
        struct observation owed = model->items[i];
        if (owed.round != round || strcmp(owed.session, session) != 0 || has(recording, before, &owed))
            continue;
        owed.status = status;
        owed.reason = reason;
        owed.time_s = NAN;
        items[recording->count++] = owed;
    }
    qsort(items, recording->count, sizeof *items, by_name_and_round);
    return true;
}

void recording_free(struct recording *recording)
{
    for (size_t i = 0; i < recording->table_count; i++)
        csv_free(&recording->tables[i]);
    free(recording->tables);
    free(recording->items);
    *recording = (struct recording){.name = recording->name};
}

struct row_rounds recording_row_at(const struct recording *recording, size_t start)
{
    size_t end = start;
    while (end < recording->count && strcmp(recording->items[end].name, recording->items[start].name) == 0)
        end++;
    return (struct row_rounds){&recording->items[start], end - start};
}

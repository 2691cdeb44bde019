#include "results_file.h"

#include "bench/base/memory.h"
#include "bench/measure/mode.h"
#include "merge_rounds.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whether charts can show the value: a time that can be, or work that an axis has room for. */
static bool is_possible(enum column_id id, const struct result *result)
{
    const struct column *column = &result_columns[id];
    const bool is_work = id == COLUMN_bytes || id == COLUMN_flops;
    const bool must_be_known = id == COLUMN_time_median_s && result->statistics.count > 0;
    const bool is_floor = id == COLUMN_floor_s || id == COLUMN_floor_bytes_s || id == COLUMN_floor_flops_s;
    const bool is_of_a_call = (column->merge == MERGE_DERIVED && id != COLUMN_time_stdev_s) || id == COLUMN_floor_s;
    if (!is_work && strcmp(column->unit, "s") != 0)
        return true;
    const double value = column_number(column, result);
    return (isnan(value) && !must_be_known) || (value == 0 && !is_of_a_call) ||
           (is_work    ? value >= 1 && value <= 1e24
            : is_floor ? value > 0 && value <= 1e6 /* of few operations, by a device that does 10^15 in a second */
                       : result_time_is_possible(value));
}

static bool read_row(struct results_file *file, size_t i, const struct registry *registry, struct error *error)
{
    struct result result;
    struct error reason;
    if (!result_read(&file->table, i, registry, &file->facts[i], &file->devices[i], &result, &reason))
        return error_set(error, "%s: %s", file->path, reason.text);
    for (enum column_id id = 0; id < RESULT_COLUMNS; id++)
        if (!is_possible(id, &result))
            return error_set(error, "%s: line %zu: %s is '%.40s', which it cannot be", file->path,
                             file->table.lines[i + 1], result_columns[id].name,
                             csv_cell(&file->table, i, csv_column(&file->table, result_columns[id].name)));
    if (!isnan(result.slowdown_pct)) {
        file->slowed_rows++;
        return true;
    }
    result_list_add(&file->results, &result);
    return true;
}

bool results_file_read(struct results_file *file, const struct registry *registry, struct error *error)
{
    int at[RESULT_COLUMNS];
    if (!csv_read(file->path, &file->table, error))
        return false;
    file->facts = memory_get(file->table.rows, sizeof *file->facts);
    file->devices = memory_get(file->table.rows, sizeof *file->devices);
    bool ok = columns_find(&file->table, file->path, at, error);
    for (size_t i = 0; i < file->table.rows && ok; i++)
        ok = read_row(file, i, registry, error);
    return ok;
}

static int by_round(const void *left, const void *right)
{
    return rounds_compare(*(const struct result *const *)left, *(const struct result *const *)right);
}

/* A row that was skipped need not know its device. */
static bool is_same_device(const struct result *a, const struct result *b)
{
    return strcmp(a->run->host, b->run->host) == 0 &&
           (!a->device || !b->device ||
            (strcmp(a->device->name, b->device->name) == 0 && strcmp(a->device->uuid, b->device->uuid) == 0));
}

/* Rounds are merged: of a row there is one per round, all from the same device. `sorted` is by name. */
static bool can_be_merged(const struct result *const *sorted, size_t count, const char *path, struct error *error)
{
    const struct result *known = NULL; /* of this name, with a device if one of them has it */
    for (size_t i = 0; i < count; i++) {
        bool is_first = i == 0 || strcmp(sorted[i - 1]->name, sorted[i]->name) != 0;
        if (!is_first && by_round(&sorted[i - 1], &sorted[i]) == 0)
            return error_set(error, "%s: round %" PRId64 " of %s is there twice, expected each round once", path,
                             sorted[i]->round, sorted[i]->name);
        if (!is_first && !is_same_device(known, sorted[i]))
            return error_set(error, "%s: %s is there from two machines or devices, expected a file of one", path,
                             sorted[i]->name);
        known = is_first || !known->device ? sorted[i] : known;
    }
    return true;
}

/* Every row says of how many rounds it is one. Sorts them by round. */
static void count_rounds(const struct result **sorted, struct result_list *results)
{
    int rounds = 0;
    qsort(sorted, results->count, sizeof *sorted, by_round);
    for (size_t i = 0; i < results->count; i++)
        rounds += i == 0 || by_round(&sorted[i - 1], &sorted[i]) != 0;
    for (size_t i = 0; i < results->count; i++)
        results->items[i].round_count = rounds;
}

/* Where the first row of its workload is. */
static size_t workload_of(const struct result_list *results, const struct result *row)
{
    size_t i = 0;
    while (!result_same_workload(&results->items[i], row))
        i++;
    return i;
}

/* By workload, mode and rung. Workloads stand as they came. `sorted` is by name. */
static void set_places(const struct result *const *sorted, struct result_list *results, const struct registry *registry)
{
    size_t workload = 0;
    for (size_t i = 0; i < results->count; i++) {
        struct result *row = &results->items[sorted[i] - results->items];
        if (i == 0 || !result_same_workload(sorted[i - 1], row))
            workload = workload_of(results, row);
        const struct mode *mode = mode_find(row->mode); /* NULL: it was verified alone */
        row->place = (workload * (MODE_COUNT + 1) + (mode ? (size_t)mode_index(mode) : MODE_COUNT)) *
                         (registry->rung_count + 1) +
                     registry_order(registry, row->op, row->variant);
    }
}

bool results_merge(struct result_list *results, const char *path, const struct registry *registry,
                   struct result_list *merged, struct error *error)
{
    const struct result **sorted = rounds_sorted(results); /* by name: no row has a place yet */
    const bool ok = can_be_merged(sorted, results->count, path, error);
    if (ok) {
        set_places(sorted, results, registry);
        count_rounds(sorted, results);
        merge_rounds(results, merged);
    }
    free(sorted);
    return ok;
}

void results_file_free(struct results_file *file)
{
    csv_free(&file->table);
    free(file->facts);
    free(file->devices);
    result_list_free(&file->results);
}

#include "summary.h"

#include "bench/base/csv_text.h"
#include "bench/base/exit_status.h"
#include "bench/measure/mode.h"
#include "column.h"
#include "crossover_csv.h"
#include "merge_rounds.h"
#include "result_csv.h"
#include "row_index.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The rows of a file, and what they point to. */
struct results_file {
    const char *path;
    struct csv_table table;
    struct run_facts *facts;
    struct device_info *devices;
    struct result_list results;
    size_t slowed_rows;
};

/* A row of the file, and where it stands. */
struct place {
    const struct result *row;
    const struct result *workload; /* its first row */
    size_t mode, order;
    const struct result *variant; /* rungs in one place of the table stand as they came */
};

/* NULL: the row may have that value; else what it may have. */
static const char *expected_instead(const struct result *result, enum column_id id)
{
    const struct column *column = &result_columns[id];
    bool is_work = id == COLUMN_bytes || id == COLUMN_flops;
    double value = is_work || strcmp(column->unit, "s") == 0 ? column_number(column, result) : (double)NAN;
    bool must_be_known = id == COLUMN_time_median_s && result->statistics.count > 0;
    bool is_of_a_call = column->merge == MERGE_DERIVED && id != COLUMN_time_stdev_s;
    if ((isnan(value) && !must_be_known) || (value == 0 && !is_of_a_call && id != COLUMN_floor_s))
        return NULL;
    if (is_work) /* no axis could show more */
        return value >= 1 && value <= 1e24 ? NULL : "0, or a number from 1 to 1e24";
    return result_time_is_possible(value) ? NULL : "seconds from 1e-12 to 1e6";
}

static bool is_possible(const struct results_file *file, size_t i, const struct result *result, struct error *error)
{
    for (enum column_id id = 0; id < RESULT_COLUMNS; id++) {
        const char *name = result_columns[id].name, *expected = expected_instead(result, id);
        if (expected)
            return error_set(error, "%s: line %zu: %s is '%.40s', expected %s", file->path, file->table.lines[i + 1],
                             name, csv_cell(&file->table, i, csv_column(&file->table, name)), expected);
    }
    return true;
}

static bool read_row(struct results_file *file, size_t i, const struct registry *registry, struct error *error)
{
    struct result result;
    struct error reason;
    if (!result_read(&file->table, i, registry, &file->facts[i], &file->devices[i], &result, &reason))
        return error_set(error, "%s: %s", file->path, reason.text);
    if (!is_possible(file, i, &result, error))
        return false;
    if (!isnan(result.slowdown_pct)) {
        file->slowed_rows++;
        return true;
    }
    return result_list_add(&file->results, &result, error);
}

static bool read_file(struct results_file *file, const struct registry *registry, struct error *error)
{
    int at[RESULT_COLUMNS];
    if (!csv_read(file->path, &file->table, error))
        return false;
    file->facts = calloc(file->table.rows + 1, sizeof *file->facts);
    file->devices = calloc(file->table.rows + 1, sizeof *file->devices);
    bool ok = (file->facts && file->devices) || error_set(error, "%s: no memory", file->path);
    ok = ok && columns_find(&file->table, file->path, at, error);
    for (size_t i = 0; i < file->table.rows && ok; i++)
        ok = read_row(file, i, registry, error);
    return ok;
}

static void free_file(struct results_file *file)
{
    csv_free(&file->table);
    free(file->facts);
    free(file->devices);
    result_list_free(&file->results);
}

static int by_round(const void *left, const void *right)
{
    const struct result *a = *(const struct result *const *)left, *b = *(const struct result *const *)right;
    int sessions = strcmp(a->run->session, b->run->session);
    return sessions ? sessions : (a->round > b->round) - (a->round < b->round);
}

static int by_name(const void *left, const void *right)
{
    int names = strcmp((*(const struct result *const *)left)->name, (*(const struct result *const *)right)->name);
    return names ? names : by_round(left, right);
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

/* Every row says of how many rounds it is one. */
static bool count_rounds(const char *path, struct result_list *results, struct error *error)
{
    const struct result **sorted = calloc(results->count + 1, sizeof *sorted);
    int rounds = 0;
    if (!sorted)
        return error_set(error, "no memory for the rounds");
    for (size_t i = 0; i < results->count; i++)
        sorted[i] = &results->items[i];
    qsort(sorted, results->count, sizeof *sorted, by_name);
    bool ok = can_be_merged(sorted, results->count, path, error);
    qsort(sorted, results->count, sizeof *sorted, by_round);
    for (size_t i = 0; i < results->count; i++)
        rounds += i == 0 || by_round(&sorted[i - 1], &sorted[i]) != 0;
    for (size_t i = 0; i < results->count; i++)
        results->items[i].round_count = rounds;
    free(sorted);
    return ok;
}

static size_t mode_of(const struct result *row)
{
    size_t i = 0;
    while (i < MODE_COUNT && strcmp(modes[i]->name, row->mode) != 0)
        i++;
    return i;
}

static int by_place(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    if (a->workload != b->workload)
        return a->workload < b->workload ? -1 : 1;
    if (a->mode != b->mode)
        return a->mode < b->mode ? -1 : 1;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    return (a->variant > b->variant) - (a->variant < b->variant);
}

static void name_of(const void *places, size_t i, char *text, size_t size)
{
    snprintf(text, size, "%s", ((const struct place *)places)[i].row->name);
}

static bool find_place(const struct result *row, const struct registry *registry, struct row_index *firsts,
                       struct place *place)
{
    struct row_key workload = {{row->op, row->workload}}, variant = {{"", row->variant}};
    bool ok = row_index_keep(firsts, workload, row, NULL) && row_index_keep(firsts, variant, row, NULL);
    *place = (struct place){row, row_index_find(firsts, workload), mode_of(row),
                            registry_order(registry, row->op, row->variant), row_index_find(firsts, variant)};
    return ok;
}

/* One row of each name, in the order in which they are shown. False: no memory. */
static bool find_places(const struct result_list *results, const struct registry *registry, struct place *places,
                        size_t *count)
{
    struct row_index firsts = {NULL};
    bool ok = true;
    for (size_t i = 0; i < results->count && ok; i++)
        ok = find_place(&results->items[i], registry, &firsts, &places[i]);
    row_index_free(&firsts);
    if (ok)
        qsort(places, results->count, sizeof *places, by_place);
    for (size_t i = 0; i < results->count && ok; i++)
        if (i == 0 || by_place(&places[i - 1], &places[i]) != 0)
            places[(*count)++] = places[i];
    return ok;
}

static bool merge_file(struct results_file *file, const struct registry *registry, struct result_list *merged,
                       struct error *error)
{
    struct place *places = calloc(file->results.count + 1, sizeof *places);
    size_t count = 0;
    bool ok = count_rounds(file->path, &file->results, error) &&
              ((places && find_places(&file->results, registry, places, &count)) ||
               error_set(error, "no memory for the summary")) &&
              merge_rounds(&file->results, name_of, places, count, merged, error);
    free(places);
    return ok;
}

static bool has_times(const struct result_list *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        if (rows->items[i].statistics.count > 0)
            return true;
    return false;
}

static bool print(const struct result_list *rows, size_t slowed_rows, const struct summary_table *table, FILE *to,
                  struct error *error)
{
    json_t *document = summary_json(rows, slowed_rows, table);
    bool ok = document || error_set(error, "no memory for the summary");
    if (ok && (json_dumpf(document, to, JSON_COMPACT | JSON_REAL_PRECISION(12)) != 0 || fputc('\n', to) == EOF))
        ok = error_set(error, "stdout: the summary cannot be written");
    json_decref(document);
    return ok;
}

/* Reads the file and merges its rounds. free_file() and result_list_free() follow in any case. */
static bool load(struct results_file *file, const struct registry *registry, struct result_list *merged,
                 struct error *error)
{
    return read_file(file, registry, error) && merge_file(file, registry, merged, error);
}

int summary_print(const char *path, const struct summary_table *table, FILE *to, struct error *error)
{
    struct results_file file = {.path = path};
    struct result_list merged = {0};
    bool ok = load(&file, table->registry, &merged, error) && print(&merged, file.slowed_rows, table, to, error);
    int status = !ok ? EXIT_USAGE : has_times(&merged) ? EXIT_RIGHT : EXIT_ALL_SKIPPED;
    result_list_free(&merged);
    free_file(&file);
    return status;
}

int summary_print_crossovers(const char *path, const struct summary_table *table, FILE *to, struct error *error)
{
    struct results_file file = {.path = path};
    struct result_list merged = {0};
    size_t lines = 0;
    bool ok = load(&file, table->registry, &merged, error) && crossover_csv_print(&merged, to, &lines, error);
    int status = !ok ? EXIT_USAGE : lines > 0 ? EXIT_RIGHT : EXIT_ALL_SKIPPED;
    result_list_free(&merged);
    free_file(&file);
    return status;
}

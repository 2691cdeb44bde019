#include "summary.h"

#include "bench/base/csv_text.h"
#include "bench/base/json_text.h"
#include "bench/base/memory.h"
#include "bench/measure/ceilings.h"
#include "bench/measure/mode.h"
#include "crossover.h"
#include "merge_rounds.h"
#include "standing.h"

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
    struct result_list results, merged;
    size_t slowed_rows;
};

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

static bool read_file(struct results_file *file, const struct registry *registry, struct error *error)
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

static size_t mode_of(const struct result *row)
{
    size_t i = 0;
    while (i < MODE_COUNT && strcmp(modes[i]->name, row->mode) != 0)
        i++;
    return i;
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
        row->place = (workload * (MODE_COUNT + 1) + mode_of(row)) * (registry->rung_count + 1) +
                     registry_order(registry, row->op, row->variant);
    }
}

/* Reads the file and merges its rounds. close_file() follows in any case. */
static bool open_file(struct results_file *file, const struct registry *registry, struct error *error)
{
    if (!read_file(file, registry, error))
        return false;
    struct result_list *results = &file->results;
    const struct result **sorted = rounds_sorted(results); /* by name: no row has a place yet */
    bool ok = can_be_merged(sorted, results->count, file->path, error);
    if (ok) {
        set_places(sorted, results, registry);
        count_rounds(sorted, results);
        merge_rounds(results, &file->merged);
    }
    free(sorted);
    return ok;
}

static void put_ratio(json_t *to, const char *key, struct ratio ratio)
{
    char low[48], high[48], approximate[48];
    snprintf(approximate, sizeof approximate, "%s_approximate", key);
    snprintf(low, sizeof low, "%s_low", key);
    snprintf(high, sizeof high, "%s_high", key);
    bool has_interval = isfinite(ratio.low) && isfinite(ratio.high);
    JSON_PUT(to, {approximate, ratio.is_approximate ? json_true() : NULL}, {key, json_number(ratio.value)},
             {low, has_interval ? json_number(ratio.low) : NULL},
             {high, has_interval ? json_number(ratio.high) : NULL});
}

static void put_standing(json_t *to, const struct standing *standing)
{
    json_put(to, "library_rung", standing->library ? json_known(standing->library->variant) : NULL);
    put_ratio(to, "over_library", standing->over_library);
    json_put(to, "best_cpu_rung", standing->best_cpu ? json_known(standing->best_cpu->variant) : NULL);
    put_ratio(to, "over_best_cpu", standing->over_best_cpu);
}

/* NULL: unknown. */
static json_t *source_json(const struct rung_source *source, const struct result *row)
{
    char rung[160];
    snprintf(rung, sizeof rung, "%s/%s", row->op, row->variant);
    while (source->rung && strcmp(source->rung, rung) != 0)
        source++;
    return source->rung ? json_known(source->file) : NULL;
}

/* Those that are wanted; NULL: all. */
static void put_columns(json_t *to, const struct result *row, bool (*is_wanted)(const struct column *column))
{
    for (const struct column *column = result_columns; column < result_columns + RESULT_COLUMNS; column++)
        if (!is_wanted || is_wanted(column))
            json_put(to, column->name, column_json(column, row));
}

static const char *unfair(const struct result *row)
{
    return result_unfair(row)[0] ? result_unfair(row) : row->runs_as[0] ? "another rung's kernel" : "";
}

static void put_rung(json_t *to, const struct summary_table *table, const struct result *row)
{
    const struct registry *registry = table->registry;
    const struct rung *rung = registry_find(registry, row->op, row->variant);
    JSON_PUT(to, {"order", json_integer((json_int_t)registry_order(registry, row->op, row->variant))},
             {"summary", rung ? json_known(rung->summary) : NULL}, {"library", json_boolean(row->is_library)},
             {"source", source_json(table->sources, row)}, {"unfair", json_known(unfair(row))});
}

static json_t *row_json(const struct result_list *rows, const struct summary_table *table, const struct result *row)
{
    json_t *to = json_object();
    struct standing standing = standing_of(rows, row);
    struct range range = standing_range(row);
    bool is_approximate = result_is_measured(row) && !result_has_interval(row);
    put_columns(to, row, NULL);
    put_rung(to, table, row);
    JSON_PUT(to, {"low_s", json_number(range.low)}, {"high_s", json_number(range.high)},
             {"fair", json_boolean(result_is_fair(row))}, {"approximate", is_approximate ? json_true() : NULL},
             {"best", json_boolean(standing.is_best)}, {"best_of_backend", json_boolean(standing.is_best_of_backend)},
             {"tied", json_boolean(standing.is_tied)});
    put_ratio(to, "speedup", standing.speedup);
    put_standing(to, &standing);
    JSON_PUT(to, {"best_cpu_mode", json_known(row->baseline_mode)},
             {"wrong", result_is_wrong(row) ? json_true() : NULL});
    return to;
}

/* Those that cannot be told from the best row of their mode. */
static json_t *ties_of(const struct result_list *block, const struct result *best)
{
    json_t *list = json_array();
    for (const struct result *row = block->items; row < block->items + block->count; row++)
        if (strcmp(row->mode, best->mode) == 0 && standing_of(block, row).is_tied)
            json_array_append_new(list, json_text(row->variant));
    return list;
}

static json_t *headline_json(const struct result_list *block, const struct result *best,
                             const struct standing *standing)
{
    json_t *to = JSON_OBJECT({"mode", json_known(best->mode)}, {"best", json_known(best->variant)},
                             {"time_s", json_number(best->statistics.median)}, {"ceiling", json_known(best->ceiling)},
                             {"ceiling_pct", json_number(best->ceiling_pct)});
    put_standing(to, standing);
    json_put(to, "tied", ties_of(block, best));
    return to;
}

static bool is_of_workload(const struct column *column)
{
    static const char columns[] = " op workload shape precision input bytes flops baseline axes ";
    char word[64];
    snprintf(word, sizeof word, " %s ", column->name);
    return strstr(columns, word);
}

/* With a headline per mode. */
static json_t *workload_json(const struct result_list *block)
{
    json_t *to = json_object(), *headlines = json_array();
    const struct result *known = block->items; /* one with a baseline, if there is any */
    for (const struct result *row = block->items; row < block->items + block->count; row++) {
        const struct standing standing = standing_of(block, row);
        known = known->baseline[0] ? known : row->baseline[0] ? row : known;
        if (standing.is_best)
            json_array_append_new(headlines, headline_json(block, row, &standing));
    }
    put_columns(to, known, is_of_workload);
    json_put(to, "headlines", headlines);
    return to;
}

static bool is_of_device(const struct column *column)
{
    return column->part == PART_device_info;
}

static json_t *device_json(const struct result *row)
{
    json_t *to = JSON_OBJECT({"backend", json_known(row->backend)});
    put_columns(to, row, is_of_device);
    return to;
}

static bool is_first_of_backend(const struct result_list *rows, const struct result *row)
{
    const struct result *first = rows->items;
    while (first < row && !(first->device && strcmp(first->backend, row->backend) == 0))
        first++;
    return row->device && first == row;
}

static json_t *modes_of(const struct result_list *rows)
{
    json_t *list = json_array();
    for (size_t i = 0; i < MODE_COUNT; i++) {
        bool is_there = false;
        for (size_t k = 0; k < rows->count && !is_there; k++)
            is_there = mode_of(&rows->items[k]) == i;
        if (is_there)
            json_array_append_new(list, json_pack("{s:s, s:s}", "mode", modes[i]->name, "about", modes[i]->about));
    }
    return list;
}

static json_t *totals_of(const struct result_list *rows)
{
    struct result_counts counts = result_list_counts(rows);
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "rows", (json_int_t)rows->count, "measured",
                     (json_int_t)counts.measured, "correct", (json_int_t)(counts.measured + counts.verified), "wrong",
                     (json_int_t)counts.wrong, "failed", (json_int_t)counts.failed, "skipped",
                     (json_int_t)counts.skipped);
}

static void put_origin(json_t *to, const struct result_list *rows)
{
    if (rows->count == 0)
        return;
    const struct run_facts *first = rows->items[0].run;
    for (size_t i = 1; i < rows->count; i++)
        if (strcmp(rows->items[i].run->timestamp, first->timestamp) < 0)
            first = rows->items[i].run;
    JSON_PUT(to, {"host", json_known(first->host)}, {"timestamp", json_known(first->timestamp)},
             {"git_rev", json_known(first->git_revision)}, {"compiler", json_known(first->compiler)},
             {"rounds", json_integer(rows->items[0].round_count)});
}

/* What a device can do at best: operations or bytes per second, by the floor of a row. */
static double rate_of(const struct result *row)
{
    return (arithmetic_find(row->ceiling) ? row->flops : row->bytes) / row->floor_s;
}

/* A device's for arithmetic, that of their bytes for the rest, which are on one workload. */
static bool has_same_ceiling(const struct result *a, const struct result *b)
{
    return strcmp(a->ceiling, b->ceiling) == 0 && strcmp(a->backend, b->backend) == 0 &&
           (arithmetic_find(a->ceiling) || strcmp(a->mode, b->mode) == 0);
}

/* Whether the row tells of the best rate of its ceiling, as the first one. */
static bool has_best_rate(const struct result_list *rows, const struct result *row)
{
    const double rate = rate_of(row);
    const struct result_list rivals = arithmetic_find(row->ceiling) ? *rows : result_list_around(rows, row);
    bool is_best = row->ceiling[0] != '\0' && !isnan(rate);
    for (const struct result *other = rivals.items; other < rivals.items + rivals.count && is_best; other++)
        if (has_same_ceiling(other, row))
            is_best = !(rate_of(other) > rate || (rate_of(other) == rate && other < row));
    return is_best;
}

static json_t *ceiling_json(const struct result *row)
{
    bool is_of_device = arithmetic_find(row->ceiling) != NULL; /* whatever the row */
    return JSON_OBJECT(
        {"backend", json_known(row->backend)}, {"kind", json_known(row->ceiling)},
        {"mode", is_of_device ? NULL : json_known(row->mode)}, {"op", is_of_device ? NULL : json_known(row->op)},
        {"workload", is_of_device ? NULL : json_known(row->workload)}, {"per_s", json_number(rate_of(row))});
}

/* The document of rows that were merged, in order. */
static json_t *document_of(const struct result_list *rows, size_t slowed_rows, const struct summary_table *table)
{
    json_t *document = json_object(), *devices = json_array(), *workloads = json_array(), *list = json_array(),
           *ceilings = json_array();
    for (const struct result *row = rows->items; row < rows->items + rows->count; row++) {
        const struct result_list block = result_list_around(rows, row);
        json_array_append_new(list, row_json(&block, table, row));
        if (row == block.items)
            json_array_append_new(workloads, workload_json(&block));
        if (is_first_of_backend(rows, row))
            json_array_append_new(devices, device_json(row));
        if (has_best_rate(rows, row))
            json_array_append_new(ceilings, ceiling_json(row));
    }
    json_put(document, "schema", json_integer(RESULT_SCHEMA));
    put_origin(document, rows);
    JSON_PUT(document, {"slowed_rows", json_integer((json_int_t)slowed_rows)}, {"devices", devices},
             {"modes", modes_of(rows)}, {"totals", totals_of(rows)}, {"workloads", workloads}, {"rows", list},
             {"ceilings", ceilings}, {"crossovers", crossovers_json(rows)});
    return document;
}

static bool print_document(json_t *document, FILE *to)
{
    bool ok = json_dumpf(document, to, JSON_COMPACT | JSON_REAL_PRECISION(12)) == 0 && fputc('\n', to) != EOF;
    json_decref(document);
    return ok;
}

/* Ends with the status of what was printed, if all was `ok`: whether it holds `any`thing. */
static int close_file(struct results_file *file, bool ok, bool any)
{
    csv_free(&file->table);
    free(file->facts);
    free(file->devices);
    result_list_free(&file->results);
    result_list_free(&file->merged);
    return !ok ? EXIT_USAGE : any ? EXIT_RIGHT : EXIT_ALL_SKIPPED;
}

int summary_print(const char *path, const struct summary_table *table, FILE *to, struct error *error)
{
    struct results_file file = {.path = path};
    bool ok = open_file(&file, table->registry, error) &&
              (print_document(document_of(&file.merged, file.slowed_rows, table), to) ||
               error_set(error, "stdout: the summary cannot be written"));
    return close_file(&file, ok, result_list_counts(&file.merged).measured > 0);
}

int summary_print_crossovers(const char *path, const struct summary_table *table, FILE *to, struct error *error)
{
    struct results_file file = {.path = path};
    bool ok = open_file(&file, table->registry, error);
    return close_file(&file, ok, ok && crossovers_print_csv(&file.merged, to) > 0);
}

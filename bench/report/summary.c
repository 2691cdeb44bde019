#include "summary.h"

#include "bench/base/csv_text.h"
#include "bench/base/json_text.h"
#include "bench/base/memory.h"
#include "bench/measure/ceilings.h"
#include "bench/measure/mode.h"
#include "crossover.h"
#include "results_file.h"
#include "scaling.h"
#include "side_by_side.h"
#include "standing.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_standing(json_t *to, const struct standing *standing)
{
    json_put(to, "library_rung", standing->library ? json_known(standing->library->variant) : NULL);
    standing_put_ratio(to, "over_library", standing->over_library);
    json_put(to, "best_cpu_rung", standing->best_cpu ? json_known(standing->best_cpu->variant) : NULL);
    standing_put_ratio(to, "over_best_cpu", standing->over_best_cpu);
}

/* NULL: unknown. */
static json_t *source_json(const struct rung_source *source, const struct result *row)
{
    char rung[160];
    snprintf(rung, sizeof rung, "%s/%s", row->op, row->variant);
    while (source && source->rung && strcmp(source->rung, rung) != 0)
        source++;
    return source && source->rung ? json_known(source->file) : NULL;
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
    put_columns(to, row, NULL);
    put_rung(to, table, row);
    JSON_PUT(to, {"low_s", json_number(range.low)}, {"high_s", json_number(range.high)},
             {"fair", json_boolean(result_is_fair(row))},
             {"approximate", result_is_approximate(row) ? json_true() : NULL}, {"best", json_boolean(standing.is_best)},
             {"best_of_backend", json_boolean(standing.is_best_of_backend)},
             {"fastest_own", json_boolean(standing.is_fastest_own)}, {"tied", json_boolean(standing.is_tied)},
             {"ceiling_pct_low", json_number(100 * row->floor_s / range.high)},
             {"ceiling_pct_high", json_number(100 * row->floor_s / range.low)});
    standing_put_ratio(to, "speedup", standing.speedup);
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

/* With how many of its rows have a time, and how many of these other work or a quota disturbed. */
static json_t *device_json(const struct result_list *rows, const struct result *of)
{
    json_int_t measured = 0, disturbed = 0;
    for (const struct result *row = rows->items; row < rows->items + rows->count; row++) {
        const bool counts = result_is_measured(row) && strcmp(row->backend, of->backend) == 0;
        measured += counts;
        disturbed += counts && conditions_are_disturbed(&row->conditions);
    }
    json_t *to = JSON_OBJECT({"backend", json_known(of->backend)}, {"measured", json_integer(measured)},
                             {"disturbed", json_integer(disturbed)});
    put_columns(to, of, is_of_device);
    return to;
}

static bool has_device_of(const struct result *other, const struct result *row)
{
    return other->device && strcmp(other->backend, row->backend) == 0;
}

static json_t *modes_of(const struct result_list *rows)
{
    json_t *list = json_array();
    for (size_t i = 0; i < MODE_COUNT; i++) {
        bool is_there = false;
        for (size_t k = 0; k < rows->count && !is_there; k++)
            is_there = strcmp(rows->items[k].mode, modes[i]->name) == 0;
        if (is_there)
            json_array_append_new(list, json_pack("{s:s, s:s}", "mode", modes[i]->name, "about", modes[i]->about));
    }
    return list;
}

static json_t *marks_json(void)
{
    json_t *list = json_array();
    for (const struct mark *mark = conditions_marks; mark->name; mark++)
        json_array_append_new(list, json_pack("{s:s, s:s}", "mark", mark->name, "about", mark->meaning));
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

static json_t *document_of(const struct result_list *rows, size_t slowed_rows, const struct summary_table *table)
{
    json_t *document = json_object(), *devices = json_array(), *workloads = json_array(), *list = json_array(),
           *ceilings = json_array();
    for (const struct result *row = rows->items; row < rows->items + rows->count; row++) {
        const struct result_list block = result_list_around(rows, row);
        json_array_append_new(list, row_json(&block, table, row));
        if (row == block.items)
            json_array_append_new(workloads, workload_json(&block));
        if (row->device && result_is_first(rows, row, has_device_of))
            json_array_append_new(devices, device_json(rows, row));
        if (has_best_rate(rows, row))
            json_array_append_new(ceilings, ceiling_json(row));
    }
    json_put(document, "schema", json_integer(RESULT_SCHEMA));
    put_origin(document, rows);
    JSON_PUT(document, {"slowed_rows", json_integer((json_int_t)slowed_rows)}, {"devices", devices},
             {"modes", modes_of(rows)}, {"marks", marks_json()}, {"totals", totals_of(rows)}, {"workloads", workloads},
             {"rows", list}, {"ceilings", ceilings}, {"crossovers", crossovers_json(rows)},
             {"scaling", scaling_json(rows)});
    return document;
}

static bool print_document(json_t *document, FILE *to)
{
    bool ok = json_dumpf(document, to, JSON_COMPACT | JSON_REAL_PRECISION(12)) == 0 && fputc('\n', to) != EOF;
    json_decref(document);
    return ok;
}

/* Whether rows are of several runs, which are not one thing to summarise. */
static bool has_runs(const struct result_list *rows)
{
    for (size_t i = 1; i < rows->count; i++)
        if (strcmp(rows->items[i].run->host, rows->items[0].run->host) != 0 ||
            strcmp(rows->items[i].run->sitting, rows->items[0].run->sitting) != 0)
            return true;
    return false;
}

int summary_print(const char *path, const struct summary_table *table, enum summary what, FILE *to, struct error *error)
{
    const struct registry *registry = table->registry;
    struct results_file file = {.path = path};
    struct result_list merged = {0};
    size_t count = 0;
    bool ok = results_file_read(&file, registry, error);
    const bool are_several = ok && what == SUMMARY_ALL && has_runs(&file.results);
    ok = ok && (are_several || results_merge(&file.results, path, registry, &merged, error));
    if (ok && what == SUMMARY_CROSSOVERS) {
        count = crossovers_print_csv(&merged, to);
    } else if (ok) {
        json_t *document = are_several ? side_by_side_json(path, registry, &count, error)
                                       : document_of(&merged, file.slowed_rows, table);
        count += result_list_counts(&merged).measured;
        ok = document && (print_document(document, to) || error_set(error, "stdout: the summary cannot be written"));
    }
    results_file_free(&file);
    result_list_free(&merged);
    return !ok ? EXIT_USAGE : count > 0 ? EXIT_RIGHT : EXIT_ALL_SKIPPED;
}

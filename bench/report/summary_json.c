#include "bench/base/json_text.h"
#include "bench/measure/mode.h"
#include "json_column.h"
#include "standing.h"
#include "summary.h"
#include "summary_parts.h"

#include <math.h>
#include <string.h>

/* What is being made, and of what. */
struct maker {
    const struct result_list *rows;
    const struct standings *standings;
    const struct summary_table *table;
};

static bool is_measured(const struct result *row)
{
    return row->status == STATUS_OK && row->statistics.count > 0;
}

static bool put_ratio(json_t *to, const char *key, struct ratio ratio)
{
    char low[48], high[48], approximate[48];
    snprintf(approximate, sizeof approximate, "%s_approximate", key);
    snprintf(low, sizeof low, "%s_low", key);
    snprintf(high, sizeof high, "%s_high", key);
    bool has_interval = isfinite(ratio.low) && isfinite(ratio.high);
    return (!ratio.is_approximate || json_put(to, approximate, json_true())) && json_put_number(to, key, ratio.value) &&
           json_put_number(to, low, has_interval ? ratio.low : (double)NAN) &&
           json_put_number(to, high, has_interval ? ratio.high : (double)NAN);
}

static bool put_standing(json_t *to, const struct standing *standing)
{
    const char *library = standing->library ? standing->library->variant : "";
    const char *best_cpu = standing->best_cpu ? standing->best_cpu->variant : "";
    return json_put_text(to, "library_rung", library) && put_ratio(to, "over_library", standing->over_library) &&
           json_put_text(to, "best_cpu_rung", best_cpu) && put_ratio(to, "over_best_cpu", standing->over_best_cpu);
}

static bool put_source(json_t *to, const struct maker *maker, const struct result *row)
{
    char rung[160];
    snprintf(rung, sizeof rung, "%s/%s", row->op, row->variant);
    for (const struct rung_source *source = maker->table->sources; source->rung; source++)
        if (strcmp(source->rung, rung) == 0)
            return json_put_text(to, "source", source->file);
    return true;
}

static bool put_columns(json_t *to, const struct result *row)
{
    bool ok = true;
    for (size_t i = 0; i < RESULT_COLUMNS && ok; i++)
        ok = json_put_column(to, result_columns[i].name, &result_columns[i], row);
    return ok;
}

static const char *unfair(const struct result *row)
{
    return result_unfair(row)[0] ? result_unfair(row) : row->runs_as[0] ? "another rung's kernel" : "";
}

static bool put_rung(json_t *to, const struct maker *maker, const struct result *row)
{
    const struct registry *registry = maker->table->registry;
    const struct rung *rung = registry_find(registry, row->op, row->variant);
    size_t order = registry_order(registry, row->op, row->variant);
    return json_put(to, "order", json_integer((json_int_t)order)) &&
           json_put_text(to, "summary", rung ? rung->summary : "") &&
           json_put(to, "library", json_boolean(row->is_library)) && put_source(to, maker, row) &&
           json_put_text(to, "unfair", unfair(row));
}

static json_t *row_json(const struct maker *maker, const struct result *row)
{
    json_t *to = json_object();
    struct standing standing = standing_of(maker->standings, row);
    struct range range = standing_range(row);
    bool ok = put_columns(to, row) && put_rung(to, maker, row) && json_put_number(to, "low_s", range.low) &&
              json_put_number(to, "high_s", range.high) && json_put(to, "fair", json_boolean(result_is_fair(row))) &&
              (!is_measured(row) || result_has_interval(row) || json_put(to, "approximate", json_true())) &&
              json_put(to, "best", json_boolean(standing.is_best)) &&
              json_put(to, "best_of_backend", json_boolean(standing.is_best_of_backend)) &&
              json_put(to, "tied", json_boolean(standing.is_tied)) && put_ratio(to, "speedup", standing.speedup) &&
              put_standing(to, &standing) && json_put_text(to, "best_cpu_mode", row->baseline_mode) &&
              (!result_is_wrong(row) || json_put(to, "wrong", json_true()));
    return json_if(ok, to);
}

static bool is_first_of_workload(const struct result_list *rows, size_t i)
{
    return i == 0 || !result_same_workload(&rows->items[i - 1], &rows->items[i]);
}

/* The first row of the next workload. */
static size_t end_of_workload(const struct result_list *rows, size_t first)
{
    size_t end = first + 1;
    while (end < rows->count && !is_first_of_workload(rows, end))
        end++;
    return end;
}

/* The rivals of the best row that cannot be told from it. */
static json_t *ties_of(const struct maker *maker, size_t first, const struct result *best)
{
    json_t *ties = json_array();
    bool ok = true;
    for (size_t i = first, end = end_of_workload(maker->rows, first); i < end && ok; i++) {
        const struct result *row = &maker->rows->items[i];
        if (strcmp(row->mode, best->mode) == 0 && standing_of(maker->standings, row).is_tied)
            ok = json_array_append_new(ties, json_text(row->variant)) == 0;
    }
    return json_if(ok, ties);
}

static json_t *headline_of(const struct maker *maker, size_t first, const struct result *best)
{
    json_t *to = json_object();
    struct standing standing = standing_of(maker->standings, best);
    bool ok = json_put_text(to, "mode", best->mode) && json_put_text(to, "best", best->variant) &&
              json_put_number(to, "time_s", best->statistics.median) && json_put_text(to, "ceiling", best->ceiling) &&
              json_put_number(to, "ceiling_pct", best->ceiling_pct) && put_standing(to, &standing) &&
              json_put(to, "tied", ties_of(maker, first, best));
    return json_if(ok, to);
}

/* One per mode. */
static json_t *headlines_of(const struct maker *maker, size_t first)
{
    json_t *headlines = json_array();
    bool ok = true;
    for (size_t i = first, end = end_of_workload(maker->rows, first); i < end && ok; i++)
        if (standing_of(maker->standings, &maker->rows->items[i]).is_best)
            ok = json_array_append_new(headlines, headline_of(maker, first, &maker->rows->items[i])) == 0;
    return json_if(ok, headlines);
}

static const struct result *first_with_baseline(const struct result_list *rows, size_t first)
{
    for (size_t i = first, end = end_of_workload(rows, first); i < end; i++)
        if (rows->items[i].baseline[0])
            return &rows->items[i];
    return &rows->items[first];
}

static json_t *workload_json(const struct maker *maker, size_t first)
{
    static const enum column_id columns[] = {COLUMN_op,    COLUMN_workload, COLUMN_shape, COLUMN_precision,
                                             COLUMN_input, COLUMN_bytes,    COLUMN_flops, COLUMN_baseline};
    const struct result *row = first_with_baseline(maker->rows, first);
    json_t *to = json_object();
    bool ok = true;
    for (size_t i = 0; i < sizeof columns / sizeof columns[0] && ok; i++)
        ok = json_put_column(to, result_columns[columns[i]].name, &result_columns[columns[i]], row);
    ok = ok && json_put(to, "headlines", headlines_of(maker, first));
    return json_if(ok, to);
}

static json_t *workloads_of(const struct maker *maker)
{
    json_t *list = json_array();
    bool ok = true;
    for (size_t i = 0; i < maker->rows->count && ok; i++)
        if (is_first_of_workload(maker->rows, i))
            ok = json_array_append_new(list, workload_json(maker, i)) == 0;
    return json_if(ok, list);
}

static json_t *rows_of(const struct maker *maker)
{
    json_t *list = json_array();
    bool ok = true;
    for (size_t i = 0; i < maker->rows->count && ok; i++)
        ok = json_array_append_new(list, row_json(maker, &maker->rows->items[i])) == 0;
    return json_if(ok, list);
}

static json_t *device_json(const struct result *row)
{
    json_t *to = json_object();
    bool ok = json_put_text(to, "backend", row->backend);
    for (size_t i = 0; i < RESULT_COLUMNS && ok; i++)
        ok = result_columns[i].part != PART_device_info ||
             json_put_column(to, result_columns[i].name, &result_columns[i], row);
    return json_if(ok, to);
}

static json_t *devices_of(const struct maker *maker)
{
    json_t *list = json_array();
    struct row_index firsts = {NULL};
    bool ok = true;
    for (size_t i = 0; i < maker->rows->count && ok; i++) {
        const struct result *row = &maker->rows->items[i];
        const struct row_key backend = {{row->backend}};
        if (row->device && !row_index_find(&firsts, backend))
            ok = row_index_keep(&firsts, backend, row, NULL) && json_array_append_new(list, device_json(row)) == 0;
    }
    row_index_free(&firsts);
    return json_if(ok, list);
}

static bool has_mode(const struct result_list *rows, const char *mode)
{
    for (size_t i = 0; i < rows->count; i++)
        if (strcmp(rows->items[i].mode, mode) == 0)
            return true;
    return false;
}

static json_t *modes_of(const struct maker *maker)
{
    json_t *list = json_array();
    bool ok = true;
    for (size_t i = 0; i < MODE_COUNT && ok; i++)
        if (has_mode(maker->rows, modes[i]->name))
            ok = json_array_append_new(list,
                                       json_pack("{s:s, s:s}", "mode", modes[i]->name, "about", modes[i]->about)) == 0;
    return json_if(ok, list);
}

static json_t *totals_of(const struct maker *maker)
{
    size_t measured = 0, correct = 0, wrong = 0, failed = 0, skipped = 0;
    for (size_t i = 0; i < maker->rows->count; i++) {
        const struct result *row = &maker->rows->items[i];
        measured += is_measured(row);
        correct += row->status == STATUS_OK;
        wrong += result_is_wrong(row);
        failed += row->status == STATUS_FAILED;
        skipped += row->status == STATUS_SKIPPED;
    }
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "rows", (json_int_t)maker->rows->count, "measured",
                     (json_int_t)measured, "correct", (json_int_t)correct, "wrong", (json_int_t)wrong, "failed",
                     (json_int_t)failed, "skipped", (json_int_t)skipped);
}

static bool put_origin(json_t *to, const struct result_list *rows)
{
    if (rows->count == 0)
        return true;
    const struct run_facts *first = rows->items[0].run;
    for (size_t i = 1; i < rows->count; i++)
        if (strcmp(rows->items[i].run->timestamp, first->timestamp) < 0)
            first = rows->items[i].run;
    return json_put_text(to, "host", first->host) && json_put_text(to, "timestamp", first->timestamp) &&
           json_put_text(to, "git_rev", first->git_revision) && json_put_text(to, "compiler", first->compiler) &&
           json_put(to, "rounds", json_integer(rows->items[0].round_count));
}

json_t *summary_json(const struct result_list *rows, size_t slowed_rows, const struct summary_table *table)
{
    struct standings standings;
    struct error ignored;
    if (!standings_make(rows, &standings, &ignored))
        return NULL;
    struct maker maker = {rows, &standings, table};
    json_t *document = json_object();
    bool ok = json_put(document, "schema", json_integer(RESULT_SCHEMA)) && put_origin(document, rows) &&
              json_put(document, "slowed_rows", json_integer((json_int_t)slowed_rows)) &&
              json_put(document, "devices", devices_of(&maker)) && json_put(document, "modes", modes_of(&maker)) &&
              json_put(document, "totals", totals_of(&maker)) &&
              json_put(document, "workloads", workloads_of(&maker)) && json_put(document, "rows", rows_of(&maker)) &&
              json_put(document, "ceilings", summary_ceilings(rows)) &&
              json_put(document, "crossovers", summary_crossovers(rows));
    standings_free(&standings);
    return json_if(ok, document);
}

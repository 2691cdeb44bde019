#include "bench/base/json_text.h"
#include "bench/measure/arithmetic.h"
#include "bench/measure/mode.h"
#include "column.h"
#include "crossover.h"
#include "row_index.h"
#include "standing.h"
#include "summary.h"

#include <math.h>
#include <string.h>

/* What is being made, and of what. */
struct maker {
    const struct result_list *rows;
    const struct standings *standings;
    const struct summary_table *table;
    const struct result *best; /* whose ties are listed */
};

typedef bool row_test(const struct maker *maker, const struct result *row);
typedef json_t *row_maker(const struct maker *maker, const struct result *row);

/* A list of what is made of each of the rows that are wanted; NULL: no memory. */
static json_t *list_of(const struct maker *maker, const struct result_list *rows, row_test *is_wanted, row_maker *make)
{
    json_t *list = json_array();
    bool ok = true;
    for (const struct result *row = rows->items; row < rows->items + rows->count && ok; row++)
        ok = !is_wanted(maker, row) || json_array_append_new(list, make(maker, row)) == 0;
    return json_if(ok, list);
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

static bool put_columns(json_t *to, const struct result *row, bool (*is_wanted)(const struct column *column))
{
    bool ok = true;
    for (const struct column *column = result_columns; column < result_columns + RESULT_COLUMNS && ok; column++)
        ok = !is_wanted(column) || json_put_column(to, column->name, column, row);
    return ok;
}

static bool is_any(const struct column *column)
{
    (void)column;
    return true;
}

static const char *unfair(const struct result *row)
{
    return row->unfair[0] ? row->unfair : row->runs_as[0] ? "another rung's kernel" : "";
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
    bool ok = put_columns(to, row, is_any) && put_rung(to, maker, row) && json_put_number(to, "low_s", range.low) &&
              json_put_number(to, "high_s", range.high) && json_put(to, "fair", json_boolean(result_is_fair(row))) &&
              (!result_is_measured(row) || result_has_interval(row) || json_put(to, "approximate", json_true())) &&
              json_put(to, "best", json_boolean(standing.is_best)) &&
              json_put(to, "best_of_backend", json_boolean(standing.is_best_of_backend)) &&
              json_put(to, "tied", json_boolean(standing.is_tied)) && put_ratio(to, "speedup", standing.speedup) &&
              put_standing(to, &standing) && json_put_text(to, "best_cpu_mode", row->baseline_mode) &&
              (!result_is_wrong(row) || json_put(to, "wrong", json_true()));
    return json_if(ok, to);
}

static bool is_row(const struct maker *maker, const struct result *row)
{
    (void)maker, (void)row;
    return true;
}

static bool is_best(const struct maker *maker, const struct result *row)
{
    return standing_of(maker->standings, row).is_best;
}

/* Its rivals are those that cannot be told from it. */
static bool is_rival(const struct maker *maker, const struct result *row)
{
    return strcmp(row->mode, maker->best->mode) == 0 && standing_of(maker->standings, row).is_tied;
}

static bool is_first_of_workload(const struct maker *maker, const struct result *row)
{
    return row == maker->rows->items || !result_same_workload(row - 1, row);
}

static json_t *variant_json(const struct maker *maker, const struct result *row)
{
    (void)maker;
    return json_text(row->variant);
}

static json_t *headline_json(const struct maker *maker, const struct result *best)
{
    json_t *to = json_object();
    struct standing standing = standing_of(maker->standings, best);
    struct maker of_ties = *maker;
    of_ties.best = best;
    bool ok = json_put_text(to, "mode", best->mode) && json_put_text(to, "best", best->variant) &&
              json_put_number(to, "time_s", best->statistics.median) && json_put_text(to, "ceiling", best->ceiling) &&
              json_put_number(to, "ceiling_pct", best->ceiling_pct) && put_standing(to, &standing) &&
              json_put(to, "tied", list_of(&of_ties, maker->rows, is_rival, variant_json));
    return json_if(ok, to);
}

static bool is_of_workload(const struct column *column)
{
    static const enum column_id columns[] = {COLUMN_op,    COLUMN_workload, COLUMN_shape, COLUMN_precision,
                                             COLUMN_input, COLUMN_bytes,    COLUMN_flops, COLUMN_baseline};
    bool is = false;
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        is = is || column == &result_columns[columns[i]];
    return is;
}

/* With a headline per mode. */
static json_t *workload_json(const struct maker *maker, const struct result *first)
{
    struct result_list block = result_list_block(maker->rows, (size_t)(first - maker->rows->items));
    struct maker of_block = {&block, maker->standings, maker->table, NULL};
    json_t *to = json_object();
    const struct result *row = first; /* one with a baseline, if there is any */
    for (size_t i = 0; i < block.count && !row->baseline[0]; i++)
        row = block.items[i].baseline[0] ? &block.items[i] : row;
    bool ok = put_columns(to, row, is_of_workload) &&
              json_put(to, "headlines", list_of(&of_block, &block, is_best, headline_json));
    return json_if(ok, to);
}

static bool is_of_device(const struct column *column)
{
    return column->part == PART_device_info;
}

static json_t *device_json(const struct maker *maker, const struct result *row)
{
    (void)maker;
    json_t *to = json_object();
    bool ok = json_put_text(to, "backend", row->backend) && put_columns(to, row, is_of_device);
    return json_if(ok, to);
}

static bool is_first_of_backend(const struct maker *maker, const struct result *row)
{
    const struct result *first = maker->rows->items;
    while (first < row && !(first->device && strcmp(first->backend, row->backend) == 0))
        first++;
    return row->device && first == row;
}

static bool has_mode(const struct result_list *rows, const char *mode)
{
    for (size_t i = 0; i < rows->count; i++)
        if (strcmp(rows->items[i].mode, mode) == 0)
            return true;
    return false;
}

static json_t *modes_of(const struct result_list *rows)
{
    json_t *list = json_array();
    bool ok = true;
    for (size_t i = 0; i < MODE_COUNT && ok; i++)
        if (has_mode(rows, modes[i]->name))
            ok = json_array_append_new(list,
                                       json_pack("{s:s, s:s}", "mode", modes[i]->name, "about", modes[i]->about)) == 0;
    return json_if(ok, list);
}

static json_t *totals_of(const struct result_list *rows)
{
    struct result_counts counts = result_list_counts(rows);
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "rows", (json_int_t)rows->count, "measured",
                     (json_int_t)counts.measured, "correct", (json_int_t)(counts.measured + counts.verified), "wrong",
                     (json_int_t)counts.wrong, "failed", (json_int_t)counts.failed, "skipped",
                     (json_int_t)counts.skipped);
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

/* What a device can do at best: operations or bytes per second, by the floor of a row. */
static double rate_of(const struct result *row)
{
    return (arithmetic_find(row->ceiling) ? row->flops : row->bytes) / row->floor_s;
}

/* Rows that share it have the same ceiling: a device's for arithmetic, that of their bytes for the rest. */
static struct row_key ceiling_key(const struct result *row)
{
    bool is_of_device = arithmetic_find(row->ceiling) != NULL;
    return (struct row_key){{row->backend, row->ceiling, is_of_device ? "" : row->mode, is_of_device ? "" : row->op,
                             is_of_device ? "" : row->workload}};
}

static bool is_higher(const struct result *row, const struct result *kept)
{
    return isnan(rate_of(kept)) || rate_of(row) > rate_of(kept);
}

static json_t *ceiling_json(const struct result *row, double rate)
{
    bool is_of_device = arithmetic_find(row->ceiling) != NULL; /* whatever the row */
    json_t *to = json_object();
    bool ok = json_put_text(to, "backend", row->backend) && json_put_text(to, "kind", row->ceiling) &&
              (is_of_device || (json_put_text(to, "mode", row->mode) && json_put_text(to, "op", row->op) &&
                                json_put_text(to, "workload", row->workload))) &&
              json_put_number(to, "per_s", rate);
    return json_if(ok, to);
}

/* The best rate that any of the rows tells of each ceiling. */
static json_t *ceilings_of(const struct result_list *rows)
{
    json_t *list = json_array();
    struct row_index firsts = {NULL}, best = {NULL};
    const struct result *end = rows->items + rows->count;
    for (const struct result *row = rows->items; row < end; row++)
        if (!isnan(row->floor_s) && row->ceiling[0] != '\0') {
            row_index_keep(&firsts, ceiling_key(row), row, NULL);
            row_index_keep(&best, ceiling_key(row), row, is_higher);
        }
    bool ok = !best.lacks_memory;
    for (const struct result *row = rows->items; row < end && ok; row++) {
        if (row_index_find(&firsts, ceiling_key(row)) != row)
            continue;
        double rate = rate_of(row_index_find(&best, ceiling_key(row)));
        ok = isnan(rate) || json_array_append_new(list, ceiling_json(row, rate)) == 0;
    }
    ok = row_index_free(&firsts) && ok;
    return json_if(row_index_free(&best) && ok, list);
}

json_t *summary_json(const struct result_list *rows, size_t slowed_rows, const struct summary_table *table)
{
    struct standings standings;
    struct error ignored;
    if (!standings_make(rows, &standings, &ignored))
        return NULL;
    const struct maker maker = {rows, &standings, table, NULL};
    json_t *document = json_object();
    bool ok = json_put(document, "schema", json_integer(RESULT_SCHEMA)) && put_origin(document, rows) &&
              json_put(document, "slowed_rows", json_integer((json_int_t)slowed_rows)) &&
              json_put(document, "devices", list_of(&maker, rows, is_first_of_backend, device_json)) &&
              json_put(document, "modes", modes_of(rows)) && json_put(document, "totals", totals_of(rows)) &&
              json_put(document, "workloads", list_of(&maker, rows, is_first_of_workload, workload_json)) &&
              json_put(document, "rows", list_of(&maker, rows, is_row, row_json)) &&
              json_put(document, "ceilings", ceilings_of(rows)) &&
              json_put(document, "crossovers", crossovers_json(rows));
    standings_free(&standings);
    return json_if(ok, document);
}

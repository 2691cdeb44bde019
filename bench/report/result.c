#include "result.h"

#include "bench/base/json_text.h"
#include "bench/base/memory.h"
#include "bench/base/plain_text.h"
#include "bench/measure/mode.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void result_classify(struct result *result, const struct backend_entry *backend, const struct rung *rung,
                     const struct mode *mode)
{
    const char *tf32 = precision_name(PRECISION_TF32);
    result->baseline_mode = mode ? mode->baseline_mode : "";
    result->is_host = !backend->separate_memory;
    result->is_library = rung && (rung->traits & RUNG_LIBRARY) != 0;
    result->unfair = backend->simulates ? "simulated" : strcmp(result->precision, tf32) == 0 ? tf32 : "";
}

void result_derive(struct result *result)
{
    double time_s = result->statistics.median;
    result->gflops = result->flops / time_s * 1e-9;
    result->bandwidth_gbs = result->bytes / time_s * 1e-9;
    result->alg_gbs = result->message_bytes / time_s * 1e-9;
    result->bus_gbs = result->passed_bytes / time_s * 1e-9;
    result->ceiling_pct = 100 * result->floor_s / time_s;
    result->sm_cycles = result->is_host ? (double)NAN : time_s * result->conditions.sm_clock_mhz * 1e6;
}

static const char *const without_rank[] = {"unaudited", "clock-unclear", "over-ceiling"};

const char *result_unfair(const struct result *result)
{
    for (size_t i = 0; i < sizeof without_rank / sizeof without_rank[0]; i++)
        if (conditions_have_mark(&result->conditions, without_rank[i]))
            return without_rank[i];
    return result->unfair;
}

bool result_is_measured(const struct result *result)
{
    return result->status == STATUS_OK && result->statistics.count > 0;
}

bool result_is_comparable(const struct result *result)
{
    return result_is_measured(result) && isnan(result->slowdown_pct);
}

bool result_is_fair(const struct result *result)
{
    return result_is_comparable(result) && result_unfair(result)[0] == '\0' && result->runs_as[0] == '\0';
}

bool result_has_ratio(const struct result *a, const struct result *b)
{
    return result_is_comparable(a) && result_is_comparable(b) && strcmp(a->precision, b->precision) == 0;
}

static const char wrong[] = "wrong";

void result_fail(struct result *result, bool is_wrong, const char *what, const char *why)
{
    result->status = STATUS_FAILED;
    snprintf(result->failure, sizeof result->failure, "%s", is_wrong && !strstr(why, NOT_SIMULATED) ? wrong : "");
    snprintf(result->reason, sizeof result->reason, "%s%s", what, why);
}

bool result_is_wrong(const struct result *result)
{
    return result->status == STATUS_FAILED && strcmp(result->failure, wrong) == 0;
}

struct range result_interval(const struct result *result)
{
    const struct statistics *s = &result->statistics;
    if (!isnan(s->ci_high))
        return (struct range){s->ci_low, s->ci_high};
    return result->round_count > 1 && s->count > 1 ? (struct range){s->min, s->max} : (struct range){NAN, NAN};
}

bool result_has_interval(const struct result *result)
{
    struct range range = result_interval(result);
    return range.low <= range.high && range.high <= 1.5 * range.low; /* NAN: false */
}

bool result_is_approximate(const struct result *result)
{
    return result_is_measured(result) && !result_has_interval(result);
}

bool result_has_rank(const struct result *result)
{
    return result_is_fair(result) && result_has_interval(result);
}

bool result_time_is_possible(double seconds)
{
    return seconds >= 1e-12 && seconds <= 1e6;
}

const char *status_name(enum status status)
{
    static const char *const names[] = {"ok", "skipped", "failed"};
    return names[status];
}

bool status_parse(const char *name, enum status *status)
{
    for (enum status each = STATUS_OK; each <= STATUS_FAILED; each++)
        if (strcmp(name, status_name(each)) == 0) {
            *status = each;
            return true;
        }
    return false;
}

const char *precision_name(enum precision precision)
{
    static const char *const names[] = {"fp32", "tf32", "u8", "fp16", "bf16", "fp64", "int"};
    return names[precision];
}

bool result_same_workload(const struct result *a, const struct result *b)
{
    return strcmp(a->op, b->op) == 0 && strcmp(a->workload, b->workload) == 0;
}

void result_list_add(struct result_list *list, const struct result *result)
{
    list->items = memory_grow(list->items, list->count, sizeof *list->items);
    list->items[list->count++] = *result;
}

void result_list_free(struct result_list *list)
{
    free(list->items);
    *list = (struct result_list){0};
}

bool result_is_first(const struct result_list *list, const struct result *row,
                     bool (*is_like)(const struct result *other, const struct result *row))
{
    const struct result *first = list->items;
    while (first < row && !is_like(first, row))
        first++;
    return first == row;
}

struct result_list result_list_around(const struct result_list *list, const struct result *row)
{
    const struct result *first = row, *end = row + 1;
    while (first > list->items && result_same_workload(first - 1, row))
        first--;
    while (end < list->items + list->count && result_same_workload(end, row))
        end++;
    return (struct result_list){(struct result *)first, (size_t)(end - first)};
}

struct result_counts result_list_counts(const struct result_list *list)
{
    struct result_counts counts = {0};
    for (const struct result *row = list->items; row < list->items + list->count; row++) {
        counts.measured += result_is_measured(row);
        counts.verified += row->status == STATUS_OK && !result_is_measured(row);
        counts.wrong += result_is_wrong(row);
        counts.failed += row->status == STATUS_FAILED;
        counts.skipped += row->status == STATUS_SKIPPED;
    }
    return counts;
}

/* clang-format off */
#define TYPE_WORD TYPE_TEXT
#define TYPE_LINE TYPE_TEXT
#define TYPE_KNOWN_WORD TYPE_KNOWN
#define TYPE_KNOWN_LINE TYPE_KNOWN
#define TYPE_KNOWN_TEXT TYPE_KNOWN
#define JSON_ENTRY JSON_IN_ENTRY, NULL
#define JSON_ENTRY_AS(key) JSON_IN_ENTRY, key
#define JSON_CONTEXT(key) JSON_IN_CONTEXT, key
#define JSON_OWN(key) JSON_BY_HAND, key
#define COLUMN_OF(part, member, name, type, unit, merge, json, gate, meaning)                   \
    {#name, TYPE_##type, unit, MERGE_##merge, JSON_##json, GATE_##gate, meaning,                \
     PART_##part, offsetof(struct part, member), sizeof((struct part *)0)->member},
const struct column result_columns[RESULT_COLUMNS] = {
#include "columns.def"
};
#define COLUMN_OF(part, member, name, type, ...)                                                \
    _Static_assert(TYPE_##type < TYPE_NUMBER || TYPE_##type > TYPE_WHOLE || sizeof((struct part *)0)->member == 8,   \
                   "the numbers of " #name " have not 64 bits");
#include "columns.def"
/* clang-format on */

bool columns_find(const struct csv_table *table, const char *file, int at[RESULT_COLUMNS], struct error *error)
{
    const char *missing = NULL;
    for (int i = 0; i < RESULT_COLUMNS; i++) {
        at[i] = csv_column(table, result_columns[i].name);
        if (at[i] == CSV_NO_COLUMN && result_columns[i].gate != GATE_OPTIONAL && !missing)
            missing = result_columns[i].name;
    }
    return !missing ||
           error_set(error, "%s: no column '%s', expected a CSV file that rungbench --out wrote", file, missing);
}

struct result result_blank(void)
{
    struct result result = {.schema = RESULT_SCHEMA, .baseline_mode = "", .unfair = ""};
    for (size_t i = 0; i < RESULT_COLUMNS; i++)
        if (result_columns[i].part == PART_result)
            column_parse(&result_columns[i], "", &result);
    return result;
}

/* What is the same in all rounds was not timed, nor was the error of the answer. */
void result_forget_times(struct result *result)
{
    for (size_t i = 0; i < RESULT_COLUMNS; i++) {
        const struct column *column = &result_columns[i];
        bool is_timed = column->merge != MERGE_SAME && column->merge != MERGE_WORST && i != COLUMN_round;
        if (column->part == PART_result && is_timed)
            column_parse(column, "", result);
    }
    result->transfer[0] = result->flush[0] = '\0';
    result->sample_s = NULL;
}

/* NULL: the result has no device. */
static const void *member_of(const struct column *column, const struct result *result)
{
    const void *const parts[] = {result, result->run, result->device};
    const char *part = parts[column->part];
    return part ? part + column->offset : NULL;
}

double column_number(const struct column *column, const struct result *result)
{
    const void *member = member_of(column, result);
    if (!member)
        return NAN;
    double value = column->type == TYPE_COUNT ? (double)*(const uint64_t *)member : *(const double *)member;
    return column->type == TYPE_NUMBER || value != 0 ? value : (double)NAN;
}

const char *column_text(const struct column *column, const struct result *result, char buffer[COLUMN_BUFFER])
{
    const void *member = member_of(column, result);
    if (!member)
        return "";
    switch (column->type) {
    case TYPE_TEXT:
    case TYPE_KNOWN: return member;
    case TYPE_STATUS: return status_name(*(const enum status *)member);
    case TYPE_FLAG: return result->statistics.count == 0 ? "" : *(const bool *)member ? "yes" : "no";
    case TYPE_WHOLE: snprintf(buffer, COLUMN_BUFFER, "%" PRIu64, *(const uint64_t *)member); return buffer;
    default: break;
    }
    double value = column_number(column, result);
    if (isnan(value))
        return "";
    snprintf(buffer, COLUMN_BUFFER, "%.9g", value);
    return buffer;
}

static bool parse_text(const struct column *column, const char *text, char *member)
{
    size_t length = strlen(text);
    if (length >= column->size)
        return false;
    memcpy(member, text, length + 1);
    return true;
}

static bool parse_flag(const char *text, bool *member)
{
    bool is_yes = strcmp(text, "yes") == 0;
    if (!is_yes && text[0] != '\0' && strcmp(text, "no") != 0)
        return false;
    *member = is_yes;
    return true;
}

static bool parse_whole(const char *text, uint64_t *member)
{
    uint64_t value;
    if (!number_read_integer(text, 0, UINT64_MAX, &value))
        return false;
    *member = value;
    return true;
}

static bool parse_number(enum column_type type, const char *text, void *member)
{
    char *end;
    double value = strtod(text, &end); /* of no text, 0 */
    if (*end != '\0' || (type == TYPE_COUNT && !(value >= 0 && value <= 1e18)))
        return false;
    if (type == TYPE_COUNT)
        *(uint64_t *)member = (uint64_t)value;
    else
        *(double *)member = type == TYPE_NUMBER && text[0] == '\0' ? (double)NAN : value;
    return true;
}

bool column_parse(const struct column *column, const char *text, void *part)
{
    void *member = (char *)part + column->offset;
    switch (column->type) {
    case TYPE_TEXT: return parse_text(column, text, member);
    case TYPE_KNOWN: return text[0] != '\0' && parse_text(column, text, member);
    case TYPE_STATUS: return status_parse(text, member);
    case TYPE_FLAG: return parse_flag(text, member);
    case TYPE_WHOLE: return parse_whole(text, member);
    default: return parse_number(column->type, text, member);
    }
}

json_t *column_json(const struct column *column, const struct result *result)
{
    char buffer[COLUMN_BUFFER];
    const char *text = column_text(column, result, buffer);
    if (column->type < TYPE_NUMBER || column->type == TYPE_WHOLE || column->type == TYPE_STATUS)
        return json_known(text);
    if (column->type == TYPE_FLAG)
        return strcmp(text, "yes") == 0 ? json_true() : NULL;
    if (column->type == TYPE_COUNT && text[0] != '\0')
        return json_integer((json_int_t)column_number(column, result));
    return json_number(column_number(column, result));
}

static bool refuse(const struct csv_table *table, size_t row, const char *column, const char *text, struct error *error)
{
    return error_set(error, "line %zu: %s is '%.40s', which it cannot be", table->lines[row + 1], column, text);
}

bool result_read(const struct csv_table *table, size_t row, const struct registry *registry, struct run_facts *facts,
                 struct device_info *device, struct result *result, struct error *error)
{
    void *const parts[] = {result, facts, device};
    *result = result_blank();
    *facts = (struct run_facts){.seed = 0};
    *device = (struct device_info){.threads = 0};
    result->run = facts;
    for (size_t i = 0; i < RESULT_COLUMNS; i++) {
        const struct column *column = &result_columns[i];
        const char *text = csv_cell(table, row, csv_column(table, column->name));
        if (!column_parse(column, text, parts[column->part]))
            return refuse(table, row, column->name, text, error);
        if (column->part == PART_device_info && text[0] != '\0')
            result->device = device;
    }
    if (result->schema != RESULT_SCHEMA)
        return refuse(table, row, "schema", csv_cell(table, row, csv_column(table, "schema")), error);
    const struct backend_entry *backend = registry_find_backend(registry, result->backend);
    const struct mode *mode = mode_find(result->mode);
    if (!backend)
        return refuse(table, row, "backend", result->backend, error);
    if (!mode && strcmp(result->mode, "verify") != 0)
        return refuse(table, row, "mode", result->mode, error);
    result_classify(result, backend, registry_find(registry, result->op, result->variant), mode);
    return true;
}

#include "result.h"

#include "bench/measure/mode.h"
#include "bench/table/registry.h"

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
    result->ceiling_pct = 100 * result->floor_s / time_s;
    result->sm_cycles = result->is_host ? (double)NAN : time_s * result->conditions.sm_clock_mhz * 1e6;
}

/* Marks that cost a row its rank. */
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

bool result_is_fair(const struct result *result)
{
    return result_is_measured(result) && result_unfair(result)[0] == '\0' && result->runs_as[0] == '\0' &&
           isnan(result->slowdown_pct);
}

static const char wrong[] = "wrong";

void result_fail(struct result *result, bool is_wrong, const char *what, const char *why)
{
    result->status = STATUS_FAILED;
    snprintf(result->failure, sizeof result->failure, "%s", is_wrong ? wrong : "");
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
    return range.low <= range.high && range.high <= RESULT_INTERVAL_FACTOR * range.low; /* NAN: false */
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
    static const char *const names[] = {"fp32", "tf32", "u8"};
    return names[precision];
}

bool result_same_workload(const struct result *a, const struct result *b)
{
    return strcmp(a->op, b->op) == 0 && strcmp(a->workload, b->workload) == 0;
}

bool result_list_add(struct result_list *list, const struct result *result, struct error *error)
{
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 32;
        struct result *items = realloc(list->items, room * sizeof *items);
        if (!items)
            return error_set(error, "no memory for the results");
        list->items = items;
        list->room = room;
    }
    list->items[list->count] = *result;
    list->items[list->count++].sample_s = NULL;
    return true;
}

void result_list_free(struct result_list *list)
{
    free(list->items);
    *list = (struct result_list){0};
}

struct result_list result_list_block(const struct result_list *list, size_t first)
{
    struct result_list block = {.items = &list->items[first], .count = 1};
    while (first + block.count < list->count && result_same_workload(block.items, &block.items[block.count]))
        block.count++;
    return block;
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

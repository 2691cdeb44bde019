#include "results.h"

#include "bench/base/memory.h"
#include "bench/report/standing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double tolerated_excess = 1.02, host_factor = 2;
/* How often a ceiling is measured again before a row counts as impossible: the first time may have been disturbed. */
enum { SECOND_LOOKS = 6 };

static struct floor_question question_of(const struct result *result)
{
    return (struct floor_question){.backend = result->backend,
                                   .mode = mode_find(result->mode),
                                   .bytes = result->bytes,
                                   .written = result->bytes_written,
                                   .flops = result->flops,
                                   .arithmetic = arithmetic_find(result->arithmetic),
                                   .op = result->op,
                                   .workload = result->workload};
}

/* The timer cannot explain a median this far below the floor. */
static bool is_too_fast(const struct result *result, const struct mode *mode, double floor_s)
{
    double calls_per_sample = (double)result->iterations / (double)result->statistics.count;
    double blur_s = fmax(2 * result->tick_s / calls_per_sample, mode->resolution_s);
    return floor_s > tolerated_excess * result->statistics.median + blur_s;
}

/* On a device's own clock that is an error. On the host, other work may have disturbed the limit and not the row; but
 * not by half. The host has a part in transfers too, and these have no limit. */
static bool is_impossible(const struct result *result, const struct mode *mode, const struct time_floor *bound)
{
    return is_too_fast(result, mode, result->is_host ? bound->limit_s / host_factor : bound->limit_s);
}

/* Measures a second time what limits the row: reads and copies, or arithmetic; or both. */
static void measure_again(struct ceilings *ceilings, struct floor_question question, bool bytes, bool arithmetic)
{
    if (!bytes)
        question.bytes = NAN;
    if (!arithmetic)
        question.arithmetic = NULL;
    ceilings_measure(ceilings, &question, CEILING_AGAIN);
}

void results_prepare_ceilings(struct ceilings *ceilings, struct result *result)
{
    struct floor_question question = question_of(result);
    result->empty_kernel_s = ceilings_empty_kernel(ceilings, result->backend, question.mode); /* bounds look it up */
    ceilings_measure(ceilings, &question, CEILING_ONCE);
}

void results_measure_ceilings(struct ceilings *ceilings, struct result *result)
{
    struct floor_question question = question_of(result);
    results_prepare_ceilings(ceilings, result);
    struct time_floor bound = ceiling_table_floor(&ceilings->table, &question);
    for (int look = 0; look < SECOND_LOOKS && is_too_fast(result, question.mode, bound.seconds); look++) {
        const bool is_arithmetic = arithmetic_find(bound.ceiling),
                   both = is_impossible(result, question.mode, &bound) && !arithmetic_find(bound.limit);
        struct floor_question fewer = question; /* half as many bytes, then a quarter: a cache may hold these */
        fewer.bytes = ldexp(question.bytes, -(look + 1));
        if (both)
            measure_again(ceilings, fewer, true, false);
        measure_again(ceilings, question, both || !is_arithmetic, both || is_arithmetic);
        bound = ceiling_table_floor(&ceilings->table, &question);
    }
    if (is_impossible(result, question.mode, &bound))
        result->sample_s = NULL;
}

static void fail_too_fast(struct result *result, const struct time_floor *bound)
{
    const double median_s = result->statistics.median;
    result_forget_times(result);
    result->status = STATUS_FAILED;
    snprintf(result->reason, sizeof result->reason,
             "an error in the measurement: %.4g us is less than the %.4g us that the device needs at best (%s)",
             median_s * 1e6, bound->limit_s * 1e6, bound->limit);
}

void results_judge(const struct ceiling_table *table, struct result *result)
{
    if (!result_is_measured(result))
        return;
    struct floor_question question = question_of(result);
    struct time_floor bound = ceiling_table_floor(table, &question);
    bool too_fast = is_too_fast(result, question.mode, bound.seconds);
    if (too_fast)
        conditions_mark(&result->conditions, "over-ceiling");
    else if (bound.seconds > tolerated_excess * result->statistics.median)
        bound = (struct time_floor){NAN, "", NAN, NAN, NAN, ""}; /* too short for the timer */
    result->floor_s = bound.seconds;
    result->floor_bytes_s = bound.bytes_s;
    result->floor_flops_s = bound.flops_s;
    snprintf(result->ceiling, sizeof result->ceiling, "%s", bound.ceiling);
    result_derive(result);
    if (is_impossible(result, question.mode, &bound))
        fail_too_fast(result, &bound);
}

/* That of the result at `index`: results of a round lie one behind the other. */
static struct result_list round_of(const struct result_list *results, size_t index)
{
    size_t first = index, end = index + 1;
    int64_t round = results->items[index].round;
    while (first > 0 && results->items[first - 1].round == round)
        first--;
    while (end < results->count && results->items[end].round == round)
        end++;
    return (struct result_list){results->items + first, end - first};
}

/* Whether a row of the rung was not skipped on the workload of row `like`. */
static bool is_reached(const struct result_list *round, const struct result *like, const char *variant)
{
    for (const struct result *row = round->items; row < round->items + round->count; row++)
        if (row->status != STATUS_SKIPPED && strcmp(row->variant, variant) == 0 && result_same_workload(row, like))
            return true;
    return false;
}

/* The first baseline rung of the registry that was reached on its workload; empty: there is none. */
static const char *choose_baseline(const struct registry *registry, const struct result_list *round,
                                   const struct result *like)
{
    for (const struct rung *rung = registry->rungs; rung < registry->rungs + registry->rung_count; rung++)
        if ((rung->traits & RUNG_BASELINE) != 0 && strcmp(rung->op->name, like->op) == 0 &&
            is_reached(round, like, rung->variant))
            return rung->variant;
    return "";
}

/* Sets baseline and speed-up of the result at `index`. If its baseline has failed, or was not measured in the mode,
 * there is none. */
static void set_speedup(const struct registry *registry, struct result_list *results, size_t index)
{
    struct result *result = &results->items[index];
    const struct result_list round = round_of(results, index);
    const bool has_library = !isnan(result->library_s); /* of its own player, by name its baseline */
    if (!has_library)
        snprintf(result->baseline, sizeof result->baseline, "%s", choose_baseline(registry, &round, result));
    result->speedup = standing_speedup(&round, result).value;
    if (!has_library && isnan(result->speedup))
        result->baseline[0] = '\0';
}

struct seen_device {
    struct seen_device *next;
    struct device_info info;
};

const struct device_info *results_keep_device(struct results *results, const struct device_info *info)
{
    for (const struct seen_device *seen = results->devices; seen; seen = seen->next)
        if (memcmp(&seen->info, info, sizeof *info) == 0)
            return &seen->info;
    struct seen_device *more = memory_get(1, sizeof *more);
    *more = (struct seen_device){results->devices, *info};
    results->devices = more;
    return &more->info;
}

/* The rung runs the same code in every round, on the same input. */
static void compare_answers(const struct result_list *list, struct result *result)
{
    for (size_t i = 0; i < list->count && result->answer[0] != '\0'; i++) {
        const struct result *other = &list->items[i];
        if (other->answer[0] == '\0' || strcmp(other->name, result->name) != 0 ||
            strcmp(other->answer, result->answer) == 0)
            continue;
        char why[192];
        snprintf(why, sizeof why, "its verified answer has the digest %s, and in round %d it had %s", result->answer,
                 (int)other->round, other->answer);
        result_forget_times(result);
        result_fail(result, true, "not the same in every round: ", why);
        return;
    }
}

bool results_take(struct results *results, const struct result *result, struct error *error)
{
    struct result_list *list = &results->list;
    struct result kept = *result;
    kept.sample_s = NULL;
    compare_answers(list, &kept);
    result_list_add(list, &kept);
    set_speedup(results->registry, list, list->count - 1);
    struct result judged = list->items[list->count - 1];
    judged.sample_s = result->sample_s;
    results_judge(&results->ceilings.table, &judged);
    results->has_stopped = results->early && !results->early(results->self, &judged, error);
    return !results->has_stopped;
}

/* Verdicts come first: a baseline that has failed is none. */
void results_end(struct results *results)
{
    struct result_list *list = &results->list;
    for (size_t i = 0; i < list->count; i++)
        results_judge(&results->ceilings.table, &list->items[i]);
    for (size_t i = 0; i < list->count; i++)
        set_speedup(results->registry, list, i);
}

int results_status(const struct results *results)
{
    struct result_counts counts = result_list_counts(&results->list);
    size_t unknown = 0;
    for (size_t i = 0; i < results->list.count; i++)
        unknown +=
            results->list.items[i].status == STATUS_FAILED && strstr(results->list.items[i].reason, NOT_SIMULATED);
    if (counts.failed > 0)
        return counts.failed > unknown ? EXIT_WRONG : EXIT_USAGE;
    return counts.measured + counts.verified > 0 ? EXIT_RIGHT : EXIT_ALL_SKIPPED;
}

const struct result *results_find_unseen(const struct results *results, const struct rung *rung)
{
    const struct result *skipped = NULL;
    for (size_t i = 0; i < results->list.count; i++) {
        const struct result *row = &results->list.items[i];
        if (strcmp(row->op, rung->op->name) != 0 || strcmp(row->variant, rung->variant) != 0)
            continue;
        if (row->status != STATUS_SKIPPED)
            return NULL;
        skipped = row;
    }
    return skipped;
}

void results_free(struct results *results)
{
    ceilings_free(&results->ceilings);
    result_list_free(&results->list);
    while (results->devices) {
        struct seen_device *next = results->devices->next;
        free(results->devices);
        results->devices = next;
    }
}

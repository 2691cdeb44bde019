#include "results.h"

#include "bench/base/error.h"
#include "bench/base/interrupt.h"
#include "bench/report/result.h"
#include "speedup.h"
#include "verdict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct seen_device {
    struct seen_device *next;
    struct device_info info;
};

const struct device_info *results_keep_device(struct results *results, const struct device_info *info)
{
    for (const struct seen_device *seen = results->devices; seen; seen = seen->next)
        if (memcmp(&seen->info, info, sizeof *info) == 0)
            return &seen->info;
    struct seen_device *more = malloc(sizeof *more);
    if (!more)
        return NULL;
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
    if (kept.device)
        kept.device = results_keep_device(results, kept.device);
    compare_answers(list, &kept);
    if (!result_list_add(list, &kept, error))
        return false;
    speedup_set(results->registry, list, list->count - 1);
    struct result judged = list->items[list->count - 1];
    judged.sample_s = result->sample_s;
    verdict_judge(&results->ceilings.table, &judged);
    results->has_stopped = !reporters_early(results->reporters, results->reporter_count, &judged, error);
    return !results->has_stopped;
}

/* Verdicts come first: a baseline that has failed is none. */
static void judge_all(struct results *results)
{
    struct result_list *list = &results->list;
    for (size_t i = 0; i < list->count; i++)
        verdict_judge(&results->ceilings.table, &list->items[i]);
    for (size_t i = 0; i < list->count; i++)
        speedup_set(results->registry, list, i);
}

static bool report_all(const struct reporter *reporter, const struct result_list *results, struct error *error)
{
    bool ok = !reporter->begin_again || reporter->begin_again(reporter->self, error);
    for (size_t i = 0; i < results->count && ok; i++)
        ok = !reporter->result || reporter->result(reporter->self, &results->items[i], error);
    return ok;
}

/* A handler that ends the process saves what is in the files: not while they are written anew. */
static bool report_all_at_once(const struct reporter *reporter, const struct result_list *results, struct error *error)
{
    sigset_t before;
    if (!reporter->begin_again)
        return report_all(reporter, results, error);
    interrupt_block(&before);
    bool ok = report_all(reporter, results, error);
    interrupt_unblock(&before);
    return ok;
}

static void count(const struct result *result, struct outcomes *outcomes)
{
    size_t *counter = result->status == STATUS_OK        ? &outcomes->ok
                      : result->status == STATUS_SKIPPED ? &outcomes->skipped
                                                         : &outcomes->failed;
    ++*counter;
}

bool results_end(struct results *results, struct outcomes *outcomes, struct error *error)
{
    bool ok = true;
    struct error more;
    *outcomes = (struct outcomes){0};
    judge_all(results);
    for (size_t i = 0; i < results->list.count; i++)
        count(&results->list.items[i], outcomes);
    for (size_t i = 0; i < results->reporter_count; i++)
        if (!report_all_at_once(&results->reporters[i], &results->list, ok ? error : &more))
            ok = false;
    return ok;
}

int outcomes_status(const struct outcomes *outcomes)
{
    if (outcomes->failed > 0)
        return EXIT_WRONG;
    return outcomes->ok > 0 ? EXIT_RIGHT : EXIT_ALL_SKIPPED;
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

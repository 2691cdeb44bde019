#include "judge.h"

#include "bench/base/interrupt.h"
#include "speedup.h"
#include "verdict.h"

#include <math.h>
#include <string.h>

bool judge_early(void *self, const struct result *result, struct error *error)
{
    struct judge *judge = self;
    struct result_list *results = &judge->results;
    struct result kept = *result;
    if (kept.device)
        kept.device = seen_devices_keep(&judge->devices, kept.device);
    if (!result_list_add(results, &kept, error))
        return false;
    speedup_set(judge->registry, results, results->count - 1);
    struct result judged = results->items[results->count - 1];
    judged.sample_s = result->sample_s;
    verdict_judge(&judge->ceilings, &judged);
    judge->has_stopped = !reporters_early(judge->reporters, judge->reporter_count, &judged, error);
    return !judge->has_stopped;
}

/* Without memory the floor is the worse one, which is no error. */
void judge_ceiling(void *self, const struct ceiling *measured)
{
    struct judge *judge = self;
    (void)ceiling_table_add(&judge->ceilings, measured);
}

/* Verdicts come first: a baseline that has failed is none. */
static void judge_all(struct judge *judge)
{
    for (size_t i = 0; i < judge->results.count; i++)
        verdict_judge(&judge->ceilings, &judge->results.items[i]);
    for (size_t i = 0; i < judge->results.count; i++) {
        judge->results.items[i].baseline[0] = '\0';
        judge->results.items[i].speedup = NAN;
        speedup_set(judge->registry, &judge->results, i);
    }
}

static bool report_all(const struct reporter *reporter, const struct result_list *results, struct error *error)
{
    bool ok = !reporter->begin_again || reporter->begin_again(reporter->self, error);
    for (size_t i = 0; i < results->count && ok; i++)
        ok = reporters_result(reporter, 1, &results->items[i], error);
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

bool judge_end(struct judge *judge, struct run_outcome *outcome, struct error *error)
{
    bool ok = true;
    struct error more;
    *outcome = (struct run_outcome){0};
    judge_all(judge);
    for (size_t i = 0; i < judge->results.count; i++)
        run_outcome_count(outcome, &judge->results.items[i]);
    for (size_t i = 0; i < judge->reporter_count; i++)
        if (!report_all_at_once(&judge->reporters[i], &judge->results, ok ? error : &more))
            ok = false;
    return ok;
}

const struct result *judge_find_unseen(const struct judge *judge, const struct rung *rung)
{
    const struct result *skipped = NULL;
    for (size_t i = 0; i < judge->results.count; i++) {
        const struct result *row = &judge->results.items[i];
        if (strcmp(row->op, rung->op->name) != 0 || strcmp(row->variant, rung->variant) != 0)
            continue;
        if (row->status != STATUS_SKIPPED)
            return NULL;
        skipped = row;
    }
    return skipped;
}

void judge_free(struct judge *judge)
{
    ceiling_table_free(&judge->ceilings);
    result_list_free(&judge->results);
    seen_devices_free(judge->devices);
    judge->devices = NULL;
}

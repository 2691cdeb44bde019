#include "speedup.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Results of one round. */
struct round_results {
    const struct result *first, *end;
};

static struct round_results round_of(const struct result_list *results, size_t index)
{
    size_t first = index, end = index + 1;
    int64_t round = results->items[index].round;
    while (first > 0 && results->items[first - 1].round == round)
        first--;
    while (end < results->count && results->items[end].round == round)
        end++;
    return (struct round_results){results->items + first, results->items + end};
}

static bool was_reached(struct round_results round, const struct result *like, const char *variant)
{
    for (const struct result *row = round.first; row < round.end; row++)
        if (row->status != STATUS_SKIPPED && strcmp(row->variant, variant) == 0 && result_same_workload(row, like))
            return true;
    return false;
}

/* NULL: there is none. */
static const char *find_baseline(const struct registry *registry, struct round_results round, const struct result *like)
{
    for (size_t i = 0; i < registry->rung_count; i++) {
        const struct rung *rung = &registry->rungs[i];
        if ((rung->traits & RUNG_BASELINE) != 0 && strcmp(rung->op->name, like->op) == 0 &&
            was_reached(round, like, rung->variant))
            return rung->variant;
    }
    return NULL;
}

/* A slowed row has no speed-up, and is no baseline. */
static bool is_comparable(const struct result *result)
{
    return result->status == STATUS_OK && result->statistics.count > 0 && isnan(result->slowdown_pct);
}

void speedup_set(const struct registry *registry, struct result_list *results, size_t index)
{
    struct result *result = &results->items[index];
    struct round_results round = round_of(results, index);
    result->speedup = NAN;
    if (!isnan(result->library_s)) { /* that of its own player */
        result->speedup = result->library_s / result->statistics.median;
        return;
    }
    result->baseline[0] = '\0';
    const char *baseline = is_comparable(result) ? find_baseline(registry, round, result) : NULL;
    for (const struct result *row = round.first; baseline && row < round.end; row++)
        if (is_comparable(row) && strcmp(row->variant, baseline) == 0 &&
            strcmp(row->mode, result->baseline_mode) == 0 && result_same_workload(row, result)) {
            snprintf(result->baseline, sizeof result->baseline, "%s", baseline);
            result->speedup = row->statistics.median / result->statistics.median;
        }
}

#include "runs.h"

#include "bench/base/memory.h"
#include "rule.h"

#include <stdlib.h>

enum { COUNT_MAX = 100000 };

struct saved_row {
    struct limits limits;
    double tick_s;
    double *base_s, *new_s; /* one per pair */
};

struct run {
    const struct saved_row *rows;
    size_t pairs[RULE_RUN_PAIRS];
    long scaled; /* row; -1: none */
    double size;
    size_t used; /* pairs that were needed */
    bool is_cut; /* in the middle of it */
};

static struct evidence evidence_for(void *self, size_t row, size_t first, size_t count)
{
    struct run *run = self;
    const struct saved_row *saved = &run->rows[row];
    double base_s[RULE_RUN_PAIRS], new_s[RULE_RUN_PAIRS], factor = (long)row == run->scaled ? 1 + run->size : 1;
    run->used = run->used > first + count ? run->used : first + count;
    for (size_t i = 0; i < count; i++) {
        base_s[i] = saved->base_s[run->pairs[first + i]];
        new_s[i] = saved->new_s[run->pairs[first + i]] * factor;
    }
    return evidence_of_pairs(base_s, new_s, count, saved->tick_s, saved->limits, 0, false);
}

static bool read_row(FILE *from, struct saved_row *row, size_t pairs)
{
    double threshold;
    row->base_s = memory_get(2 * pairs, sizeof(double));
    row->new_s = row->base_s + pairs;
    if (fscanf(from, "%lf %lf", &threshold, &row->tick_s) != 2)
        return false;
    row->limits = limits_from(threshold);
    for (size_t i = 0; i < 2 * pairs; i++)
        if (fscanf(from, "%lf", &row->base_s[i]) != 1)
            return false;
    return true;
}

static bool read_run(FILE *from, struct run *run, size_t pairs)
{
    const int given = fscanf(from, "%ld %lf", &run->scaled, &run->size);
    run->is_cut = given != EOF;
    if (given != 2)
        return false;
    for (size_t i = 0; i < RULE_RUN_PAIRS; i++)
        if (fscanf(from, "%zu", &run->pairs[i]) != 1 || run->pairs[i] >= pairs)
            return false;
    run->used = 0;
    run->is_cut = false;
    return true;
}

/* False: the last one is cut. */
static bool decide_all(FILE *from, FILE *to, const struct saved_row *rows, size_t count, size_t pairs)
{
    struct decision *decisions = memory_get(count, sizeof *decisions);
    struct run run = {.rows = rows};
    while (read_run(from, &run, pairs)) {
        rule_decide_run(evidence_for, &run, decisions, count);
        fprintf(to, "%zu ", run.used);
        for (size_t i = 0; i < count; i++)
            fputc(verdict_name(decisions[i].verdict)[0], to);
        fputc('\n', to);
    }
    free(decisions);
    return !run.is_cut;
}

bool runs_decide(FILE *from, FILE *to, struct error *error)
{
    size_t count, pairs, read = 0;
    if (fscanf(from, "%zu %zu", &count, &pairs) != 2 || count < 1 || count > COUNT_MAX || pairs > COUNT_MAX)
        return error_set(error, "stdin: expected numbers of rows and of pairs of rounds");
    if (evidence_rounds_needed(true, count, RULE_SITTING_LEVEL) > RULE_CONFIRM_PAIRS)
        return error_set(error, "%zu rows, expected few enough for %d pairs to confirm all of them", count,
                         RULE_CONFIRM_PAIRS);
    struct saved_row *rows = memory_get(count, sizeof *rows);
    while (read < count && read_row(from, &rows[read], pairs))
        read++;
    const bool ok = read == count && decide_all(from, to, rows, count, pairs);
    for (size_t i = 0; i < count; i++)
        free(rows[i].base_s);
    free(rows);
    return ok || error_set(error, "stdin: expected times of rows, and pairs of runs");
}

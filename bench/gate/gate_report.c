#include "gate_report.h"

#include "sign_flips.h"
#include "verdicts.h"

#include <stdlib.h>
#include <string.h>

static bool is_any(const struct comparison *comparison, const enum verdict *verdicts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (comparison_count(comparison, verdicts[i]) > 0)
            return true;
    return false;
}

enum gate_status gate_status_of(const struct comparison *comparison, bool other_device)
{
    static const enum verdict bad[] = {VERDICT_SLOWER, VERDICT_FAILED, VERDICT_MISSING, VERDICT_NEWLY_SKIPPED};
    static const enum verdict open[] = {VERDICT_SUSPECTED, VERDICT_INCONCLUSIVE};
    static const enum verdict good[] = {VERDICT_CLEARED, VERDICT_FASTER, VERDICT_ACCEPTED, VERDICT_LAYOUT,
                                        VERDICT_SAME_CODE};
    if (comparison_count(comparison, VERDICT_FAILED) > 0) /* wrong is wrong on any device */
        return GATE_SLOWER;
    if (is_any(comparison, bad, sizeof bad / sizeof bad[0]))
        return other_device ? GATE_INCONCLUSIVE : GATE_SLOWER;
    if (is_any(comparison, open, sizeof open / sizeof open[0]))
        return GATE_INCONCLUSIVE;
    if (is_any(comparison, good, sizeof good / sizeof good[0]))
        return GATE_CLEARED;
    size_t skipped = comparison_count(comparison, VERDICT_SKIPPED);
    return skipped > 0 && skipped == comparison->count ? GATE_ALL_SKIPPED : GATE_BAD_INPUT;
}

const char *gate_status_words(enum gate_status status)
{
    switch (status) {
    case GATE_CLEARED: return "passed";
    case GATE_SLOWER: return "failed";
    case GATE_INCONCLUSIVE: return "inconclusive";
    case GATE_ALL_SKIPPED: return "all skipped";
    default: return "nothing to compare";
    }
}

void gate_report_count(struct gate_report *report)
{
    char *text = report->headline;
    size_t size = sizeof report->headline, length = 0;
    length =
        (size_t)snprintf(text, size, "%zu row%s", report->comparison->count, report->comparison->count == 1 ? "" : "s");
    const char *separator = ": ";
    for (int verdict = 0; verdict < VERDICTS; verdict++) {
        size_t count = comparison_count(report->comparison, (enum verdict)verdict);
        if (count == 0 || length >= size)
            continue;
        length += (size_t)snprintf(text + length, size - length, "%s%zu %s", separator, count,
                                   verdict_name((enum verdict)verdict));
        separator = ", ";
    }
}

void gate_report_refuse(struct gate_report *report, enum gate_status status, const char *error)
{
    static const struct comparison nothing = {.base_revision = "", .new_revision = "", .device = ""};
    report->comparison = &nothing;
    report->status = status;
    report->error = error;
    snprintf(report->headline, sizeof report->headline, "nothing could be compared");
}

/* Rounds per side with which one of `rows` rows can be rejected. Without pairs, r rounds per side have (2r choose r)
 * rearrangements. */
static size_t rounds_needed(bool paired, size_t rows, double level)
{
    size_t rounds = 1;
    if (paired)
        return sign_flips_pairs_needed(level, rows);
    for (double divisions = 2; (double)rows > level * divisions; rounds++)
        divisions *= 2 * (2 * (double)rounds + 1) / ((double)rounds + 1);
    return rounds;
}

void gate_report_advise(struct gate_report *report, double level)
{
    const struct comparison *comparison = report->comparison;
    size_t weighed = 0;
    bool too_few = false;
    if (comparison_count(comparison, VERDICT_INCONCLUSIVE) == 0)
        return;
    for (size_t i = 0; i < comparison->count; i++)
        weighed += comparison->rows[i].has_evidence && !row_is_unchanged(&comparison->rows[i]);
    for (size_t i = 0; i < comparison->count; i++) {
        const struct compared_row *row = &comparison->rows[i];
        too_few = too_few || (row->has_evidence && !row->confirmed && row->verdict == VERDICT_INCONCLUSIVE &&
                              row->evidence.base_rounds < rounds_needed(comparison->paired, weighed, level));
    }
    if (too_few)
        snprintf(report->advice, sizeof report->advice,
                 "inconclusive: too few rounds; %zu rows need at least %zu rounds per side", weighed,
                 rounds_needed(comparison->paired, weighed, level));
    else
        snprintf(report->advice, sizeof report->advice,
                 "inconclusive: the rounds vary too much to decide, or the change is close to the threshold; run again "
                 "on a quieter machine");
}

void gate_row_note(const struct compared_row *row, char *text, size_t size)
{
    const char *const parts[] = {row->slowed ? "slowed on purpose by --slowdown" : "",
                                 row->verdict == VERDICT_LAYOUT ? "the same machine code" : "", row->reason,
                                 row->remark};
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && length < size; i++)
        if (parts[i][0])
            length += (size_t)snprintf(text + length, size - length, "%s%s", length > 0 ? "; " : "", parts[i]);
}

static int by_priority(const void *left, const void *right)
{
    const struct compared_row *a = *(const struct compared_row *const *)left;
    const struct compared_row *b = *(const struct compared_row *const *)right;
    return a->verdict != b->verdict ? (a->verdict > b->verdict) - (a->verdict < b->verdict) : strcmp(a->name, b->name);
}

const struct compared_row **gate_report_order(const struct comparison *comparison)
{
    const struct compared_row **order = malloc((comparison->count + 1) * sizeof(*order));
    for (size_t i = 0; i < comparison->count && order; i++)
        order[i] = &comparison->rows[i];
    if (order)
        qsort(order, comparison->count, sizeof(*order), by_priority);
    return order;
}

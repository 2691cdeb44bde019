#include "verdicts.h"

#include "remarks.h"

#include <stdlib.h>

bool row_is_unchanged(const struct compared_row *row)
{
    return row->code == CODE_SAME && !row->slowed;
}

static enum verdict last_word(const struct comparison *comparison, const struct compared_row *row, enum verdict verdict,
                              bool other_device)
{
    bool is_doubtful = other_device || (row->on_host && !comparison->paired);
    if (row_is_unchanged(row) && !other_device && verdict != VERDICT_CLEARED)
        return verdict == VERDICT_INCONCLUSIVE ? VERDICT_SAME_CODE : VERDICT_LAYOUT;
    return verdict == VERDICT_SLOWER && is_doubtful ? VERDICT_SUSPECTED : verdict;
}

/* Holm's correction counts only the rows of a family. */
static bool decide_family(struct comparison *comparison, bool unchanged, double level, bool other_device)
{
    const struct evidence **evidence = malloc((comparison->count + 1) * sizeof(*evidence));
    enum verdict *verdicts = malloc((comparison->count + 1) * sizeof *verdicts);
    size_t undecided = 0;
    bool ok = evidence && verdicts;
    for (size_t i = 0; i < comparison->count && ok; i++)
        if (!comparison->rows[i].is_decided && row_is_unchanged(&comparison->rows[i]) == unchanged)
            evidence[undecided++] = &comparison->rows[i].evidence;
    ok = ok && rule_decide(evidence, undecided, level, verdicts);
    for (size_t i = 0, next = 0; i < comparison->count && ok; i++) {
        struct compared_row *row = &comparison->rows[i];
        if (row->is_decided || row_is_unchanged(row) != unchanged)
            continue;
        row->verdict = last_word(comparison, row, verdicts[next++], other_device);
        row->is_decided = true;
    }
    free(evidence);
    free(verdicts);
    return ok;
}

bool verdicts_decide(struct comparison *comparison, double level, bool other_device)
{
    return decide_family(comparison, false, level, other_device) &&
           decide_family(comparison, true, level, other_device);
}

void verdicts_except(struct comparison *comparison, const struct exceptions *exceptions)
{
    for (size_t i = 0; i < comparison->count; i++) {
        struct compared_row *row = &comparison->rows[i];
        bool may_be_slower = row->verdict == VERDICT_SLOWER || row->verdict == VERDICT_SUSPECTED ||
                             (row->verdict == VERDICT_INCONCLUSIVE && row->has_evidence);
        const struct exception *accepted = may_be_slower ? exceptions_find(exceptions, ACCEPT_SLOWER, row->name)
                                           : row->verdict == VERDICT_MISSING
                                               ? exceptions_find(exceptions, ACCEPT_MISSING, row->name)
                                               : NULL;
        const struct exception *ignored = exceptions_find(exceptions, IGNORE, row->name);
        if (accepted) {
            remark(row, "%s: %s", verdict_name(row->verdict), accepted->reason);
            row->verdict = VERDICT_ACCEPTED;
        } else if (ignored && row->verdict != VERDICT_FAILED) {
            remark(row, "ignored: %s", ignored->reason);
            row->verdict = VERDICT_NOT_GATED;
        }
    }
}

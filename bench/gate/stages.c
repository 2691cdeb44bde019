#include "stages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* After a wrong row nothing is decided by the few rounds that there are. */
static void leave_undecided(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->count; i++) {
        struct compared_row *row = &comparison->rows[i];
        if (row->is_decided)
            continue;
        row->is_decided = true;
        row->verdict = VERDICT_INCONCLUSIVE;
        row->reason = "another row is wrong, and the run ended there";
    }
}

/* Compares what the last stage has recorded. */
static bool compare(const struct stages *stages, struct comparison *comparison, struct error *error)
{
    const struct arm *arms = stages->session->arms;
    if (!comparison_make(&arms[0].recording, &arms[1].recording, stages->settings, comparison, error))
        return false;
    if (stages->session->has_failure)
        leave_undecided(comparison);
    return true;
}

/* Clears the rows that need no confirmation, or that nobody wants to gate, and returns how many rows are left. */
static size_t clear_screened(struct comparison *comparison, const struct exceptions *exceptions)
{
    size_t left = 0;
    for (size_t i = 0; i < comparison->count; i++) {
        struct compared_row *row = &comparison->rows[i];
        if (row->is_decided)
            continue;
        row->is_decided =
            !rule_needs_confirmation(&row->evidence) || exceptions_find(exceptions, IGNORE, row->name) != NULL;
        row->verdict = row->is_decided ? VERDICT_CLEARED : VERDICT_INCONCLUSIVE;
        left += !row->is_decided;
    }
    return left;
}

/* A --filter flag that selects only the rows that await confirmation; their names are escaped. free() it. NULL: out of
 * memory. */
static char *filter_of(const struct comparison *comparison)
{
    char *text = NULL;
    size_t bytes;
    const char *separator = "--filter=^(";
    FILE *to = open_memstream(&text, &bytes);
    for (size_t i = 0; i < comparison->count && to; i++) {
        if (comparison->rows[i].is_decided)
            continue;
        fputs(separator, to);
        separator = "|";
        for (const char *from = comparison->rows[i].name; *from; from++)
            fprintf(to, strchr("\\^$.|?*+()[]{}", *from) ? "\\%c" : "%c", *from);
    }
    bool ok = to && fputs(")$", to) >= 0 && !ferror(to);
    if (to && fclose(to) != 0)
        ok = false;
    if (ok)
        return text;
    free(text);
    return NULL;
}

static struct compared_row *find(const struct comparison *comparison, const char *name)
{
    for (size_t i = 0; i < comparison->count; i++)
        if (strcmp(comparison->rows[i].name, name) == 0)
            return &comparison->rows[i];
    return NULL;
}

/* Replaces the rows of earlier stages by those of the confirmation; its inconclusive ones stay open. */
static size_t adopt_confirmed(const struct comparison *confirmed, struct comparison *comparison)
{
    size_t left = 0;
    for (size_t i = 0; i < comparison->count; i++) {
        struct compared_row *row = &comparison->rows[i];
        if (row->is_decided)
            continue;
        const struct compared_row *again = find(confirmed, row->name);
        bool no_verdict = !again || again->verdict == VERDICT_NEW || again->verdict == VERDICT_SKIPPED ||
                          again->verdict == VERDICT_NOT_GATED;
        if (no_verdict)
            row->reason = "not cleared by the screen, and not timed in the confirmation";
        else
            *row = *again;
        row->confirmed = true;
        row->is_decided = no_verdict || row->verdict != VERDICT_INCONCLUSIVE;
        left += !row->is_decided;
    }
    return left;
}

/* Runs the next confirmation, of `*open` rows, and leaves how many are open after it. */
static enum session_end confirm(struct stages *stages, struct comparison *comparison, size_t *open, struct error *error)
{
    struct arm *arms = stages->session->arms;
    size_t number = stages->confirmations++, first = RULE_SCREEN_PAIRS;
    size_t needed = evidence_rounds_needed(true, *open, RULE_SESSION_LEVEL);
    size_t pairs = needed > RULE_CONFIRM_PAIRS ? needed + needed % 2 : RULE_CONFIRM_PAIRS; /* orders come in twos */
    for (size_t i = 0; i < number; i++)
        first += stages->confirmation[i].pairs;
    stages->confirmation[number].pairs = pairs;
    stages->confirmation[number].rows = *open;
    for (int i = 0; i < 2; i++) {
        struct recording *earlier = &stages->confirmation[number].earlier[i];
        *earlier = arms[i].recording;
        arms[i].recording = (struct recording){.name = earlier->name, .earlier = earlier};
    }
    char *filter = filter_of(comparison);
    if (!filter) {
        error_set(error, "no memory for the confirmation");
        return SESSION_FAILED;
    }
    enum session_end end = session_run(stages->session, first, first + pairs, filter, error);
    free(filter);
    if (end != SESSION_DONE)
        return end;
    struct comparison *confirmed = &stages->confirmation[number].confirmed;
    if (!compare(stages, confirmed, error))
        return SESSION_FAILED;
    if (!comparison_decide(confirmed, RULE_SESSION_LEVEL, false, error))
        return SESSION_FAILED;
    *open = adopt_confirmed(confirmed, comparison);
    return SESSION_DONE;
}

enum session_end stages_run(struct stages *stages, struct comparison *comparison, struct error *error)
{
    struct arm *arms = stages->session->arms;
    enum session_end end = session_run(stages->session, 0, RULE_SCREEN_PAIRS, NULL, error);
    if (end != SESSION_DONE)
        return end;
    if (!compare(stages, comparison, error))
        return SESSION_FAILED;
    size_t open = clear_screened(comparison, stages->settings->exceptions);
    while (end == SESSION_DONE && open > 0 && stages->confirmations < RULE_CONFIRMATIONS && arms[1].ended[0] == '\0' &&
           !stages->session->has_failure)
        end = confirm(stages, comparison, &open, error);
    if (end != SESSION_DONE)
        comparison_free(comparison);
    return end;
}

void stages_free(struct stages *stages)
{
    for (size_t i = 0; i < stages->confirmations; i++) {
        recording_free(&stages->confirmation[i].earlier[0]);
        recording_free(&stages->confirmation[i].earlier[1]);
        comparison_free(&stages->confirmation[i].confirmed);
    }
}

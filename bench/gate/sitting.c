#include "sitting.h"

#include "bench/base/memory.h"
#include "bench/base/seeded.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const uint64_t arm_orders = 0x636f696e73; /* a stream of random numbers */

static bool open_files(struct sitting *sitting, const char *folder, struct error *error)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return error_set(error, "--keep=%s: the folder cannot be made (%s)", folder, strerror(errno));
    for (size_t i = 0; i < sitting->arm_count; i++) {
        char *path = gate_kept_path(folder, i);
        bool is_open = output_open(&sitting->files[i], path, error);
        free(path);
        if (!is_open)
            return false;
        sitting->file_count++;
        sitting->arms[i].kept = &sitting->files[i];
    }
    return true;
}

bool sitting_make(struct sitting *sitting, const struct gate_options *options, struct error *error)
{
    *sitting = (struct sitting){.arm_count = 2 + options->slowdown_count};
    bool ok = terms_make(&sitting->terms, options, error);
    for (size_t i = 0; ok && i < sitting->arm_count; i++)
        ok = arm_make(&sitting->arms[i], i, &sitting->terms, error);
    if (ok && (!options->keep || open_files(sitting, options->keep, error)))
        return true;
    sitting_free(sitting);
    return false;
}

/* A random order of the arms for every other turn; all orders are equally likely up to 1 in 2^60 (D. E. Knuth, "The Art
 * of Computer Programming", volume 2, 3rd ed., section 3.4.2, algorithm P). The next turn has it reversed, so that each
 * arm is as often the first as the last. */
static void order_arms(const struct sitting *sitting, size_t turn, size_t *order)
{
    size_t count = sitting->arm_count, shuffled[GATE_SIDES_MAX] = {0};
    uint64_t seed = seeded_stream(sitting->terms.options->seed, arm_orders + turn / 2);
    for (size_t i = 0; i < count; i++) {
        size_t place = (size_t)(seeded_bits(seed, i) % (i + 1));
        shuffled[i] = shuffled[place];
        shuffled[place] = i;
    }
    for (size_t i = 0; i < count; i++)
        order[i] = shuffled[turn % 2 ? count - 1 - i : i];
}

/* After a turn: if the base has ended, so does the sitting; another arm that has ended gets the rows it owes. */
static enum sitting_end record_missing_rows(struct sitting *sitting, size_t turn, struct error *error)
{
    struct arm *base = &sitting->arms[0];
    bool all_skipped = base->recording.count == 0;
    for (size_t i = 0; i < sitting->arm_count; i++)
        all_skipped = all_skipped && sitting->arms[i].ended[0] != '\0' && sitting->arms[i].owes == STATUS_SKIPPED;
    if (base->ended[0] != '\0') {
        error_set(error, "%s: %s: %s", base->recording.name, base->label, base->ended);
        return all_skipped ? SITTING_ALL_SKIPPED : SITTING_FAILED;
    }
    for (size_t i = 1; i < sitting->arm_count; i++) {
        struct arm *arm = &sitting->arms[i];
        if (arm->ended[0] == '\0')
            continue;
        sitting->is_over = true;
        recording_add_owed(&arm->recording, &base->recording, sitting->terms.id, (long)turn, arm->owes, arm->ended);
    }
    return SITTING_DONE;
}

/* Whether an arm has a wrong row that is right in the base. */
static bool find_failure(const struct sitting *sitting)
{
    for (size_t i = 1; i < sitting->arm_count; i++) {
        struct row_walk walk = {.recordings = {&sitting->arms[0].recording, &sitting->arms[i].recording}};
        while (walk_to_next_row(&walk))
            if (rounds_first(&walk.rounds[1], STATUS_FAILED) && !rounds_first(&walk.rounds[0], STATUS_FAILED))
                return true;
    }
    return false;
}

static enum sitting_end run_processes(struct sitting *sitting, size_t first, size_t end, const char *filter,
                                      struct error *error)
{
    const size_t turns = gate_options_turns(sitting->terms.options);
    size_t order[GATE_SIDES_MAX] = {0};
    enum sitting_end ended = SITTING_DONE;
    for (size_t turn = first * turns; turn < end * turns && ended == SITTING_DONE && !sitting->is_over; turn++) {
        order_arms(sitting, turn, order);
        for (size_t i = 0; i < sitting->arm_count && ended == SITTING_DONE; i++)
            ended = arm_run(&sitting->arms[order[i]], &sitting->terms, turn, filter, error);
        if (ended == SITTING_DONE)
            ended = record_missing_rows(sitting, turn, error);
        if (sitting->terms.options->task != TASK_SELFTEST && (turn + 1) % turns == 0 && find_failure(sitting))
            sitting->is_over = true;
    }
    return ended;
}

static enum sitting_end make_rounds(struct sitting *sitting, struct error *error)
{
    const size_t turns = gate_options_turns(sitting->terms.options);
    for (size_t i = 0; i < sitting->arm_count; i++)
        if (!rounds_fold(&sitting->arms[i].recording, turns, error))
            return SITTING_FAILED;
    return SITTING_DONE;
}

enum sitting_end sitting_run(struct sitting *sitting, size_t first, size_t end, const char *filter, struct error *error)
{
    const enum sitting_end ended = run_processes(sitting, first, end, filter, error);
    return ended == SITTING_DONE ? make_rounds(sitting, error) : ended;
}

/* Of a sitting that has ended early nothing is decided by the few rounds that there are. */
static void leave_undecided(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->count; i++) {
        struct compared_row *row = &comparison->rows[i];
        if (row->is_decided || row_is_unchanged(row))
            continue;
        row->is_decided = true;
        row->verdict = VERDICT_INCONCLUSIVE;
        row->reason = "the run ended early: another row is wrong, or nothing more could be measured";
    }
}

static bool compare(const struct sitting *sitting, struct comparison *comparison, struct error *error)
{
    const struct arm *arms = sitting->arms;
    if (!comparison_make(&arms[0].recording, &arms[1].recording, sitting->terms.options, sitting->exceptions,
                         comparison, error))
        return false;
    if (sitting->is_over)
        leave_undecided(comparison);
    return true;
}

/* Decides the rows that need no confirmation, as unchanged ones, or that nobody wants to gate, and returns how many
 * rows are left. */
static size_t clear_screened(struct comparison *comparison)
{
    size_t left = 0;
    for (size_t i = 0; i < comparison->count; i++) {
        struct compared_row *row = &comparison->rows[i];
        if (row->is_decided)
            continue;
        const bool is_cleared = !rule_needs_confirmation(&row->evidence) ||
                                exceptions_find(comparison->exceptions, IGNORE, row->name) != NULL;
        row->is_decided = is_cleared || row_is_unchanged(row);
        row->verdict = is_cleared ? VERDICT_CLEARED : row->is_decided ? VERDICT_SAME_CODE : VERDICT_INCONCLUSIVE;
        left += !row->is_decided;
    }
    return left;
}

/* An argument has 128 KiB at most, and a pattern 64. */
enum { FILTER_BYTES_MAX = 32 << 10 };

/* A pattern that selects rows by name. */
struct selection {
    char *text; /* free() it */
    size_t bytes, rows;
    FILE *to;
};

static void select_row(struct selection *selection, const char *name)
{
    if (selection->rows++ == 0)
        selection->to = memory_stream(&selection->text, &selection->bytes);
    fputs(selection->rows == 1 ? "^(" : "|", selection->to);
    for (; *name; name++)
        fprintf(selection->to, strchr("\\^$.|?*+()[]{}", *name) ? "\\%c" : "%c", *name);
}

/* NULL: all are to be run, as it is too long, or selects none. */
static const char *end_selection(struct selection *selection)
{
    if (selection->rows == 0)
        return NULL;
    fputs(")$", selection->to);
    memory_stream_end(selection->to);
    return selection->bytes <= FILTER_BYTES_MAX ? selection->text : NULL;
}

/* Whether further times may change what is said of a row: it was timed on both sides, and not each time by the same
 * code, which is never slower. */
static bool needs_more_rounds(const struct row_rounds rounds[2])
{
    bool is_usable = true;
    for (int s = 0; s < 2; s++) {
        if (!rounds_first(&rounds[s], STATUS_OK))
            return false;
        for (size_t i = 0; i < rounds[s].count; i++)
            is_usable = is_usable && observation_is_usable(&rounds[s].items[i]);
    }
    return !is_usable || code_match_of(rounds) != CODE_SAME;
}

/* Runs the screen: after its first rounds only the rows that need more. */
static enum sitting_end screen(struct sitting *sitting, struct error *error)
{
    struct row_walk walk = {.recordings = {&sitting->arms[0].recording, &sitting->arms[1].recording}};
    struct selection rest = {0};
    enum sitting_end end = run_processes(sitting, 0, SITTING_FIRST_PAIRS, NULL, error);
    while (end == SITTING_DONE && walk_to_next_row(&walk))
        if (needs_more_rounds(walk.rounds))
            select_row(&rest, walk.name);
        else
            sitting->done++;
    const char *filter = end_selection(&rest);
    sitting->screened = rest.rows > 0 ? RULE_SCREEN_PAIRS : SITTING_FIRST_PAIRS;
    if (end == SITTING_DONE && rest.rows > 0)
        end = run_processes(sitting, SITTING_FIRST_PAIRS, RULE_SCREEN_PAIRS, sitting->done > 0 ? filter : NULL, error);
    free(rest.text);
    return end == SITTING_DONE ? make_rounds(sitting, error) : end;
}

static int by_name(const void *name, const void *row)
{
    return strcmp(name, ((const struct compared_row *)row)->name);
}

static struct compared_row *find(const struct comparison *comparison, const char *name)
{
    return bsearch(name, comparison->rows, comparison->count, sizeof *comparison->rows, by_name);
}

/* The others are dropped: not all programs filter. */
static bool awaits_confirmation(const void *comparison, const char *name)
{
    const struct compared_row *row = find(comparison, name);
    return row && !row->is_decided;
}

/* Replaces the rows of earlier stages by those of the confirmation; its inconclusive ones stay open. */
static size_t adopt_confirmed(const struct comparison *confirmed, struct comparison *comparison)
{
    size_t left = 0;
    for (size_t i = 0; i < comparison->count; i++) {
        struct compared_row *row = &comparison->rows[i];
        if (row->is_decided)
            continue;
        struct compared_row *again = find(confirmed, row->name);
        bool no_verdict = !again || again->verdict == VERDICT_NEW || again->verdict == VERDICT_SKIPPED ||
                          again->verdict == VERDICT_NOT_GATED;
        if (no_verdict) {
            row->reason = "not cleared by the screen, and not timed in the confirmation";
        } else {
            struct compared_row earlier = *row;
            *row = *again;
            *again = earlier;
        }
        row->confirmed = true;
        row->is_decided = no_verdict || row->verdict != VERDICT_INCONCLUSIVE;
        left += !row->is_decided;
    }
    return left;
}

/* Runs the next confirmation, of `*open` rows, and leaves how many are open after it. */
static enum sitting_end confirm(struct sitting *sitting, struct comparison *comparison, size_t *open,
                                struct error *error)
{
    size_t number = sitting->confirmations++, first = RULE_SCREEN_PAIRS;
    size_t needed = evidence_rounds_needed(true, *open, RULE_SITTING_LEVEL);
    size_t wanted = sitting->terms.options->pairs, pairs = needed > wanted ? needed : wanted;
    pairs += pairs % 2; /* orders come in twos */
    for (size_t i = 0; i < number; i++)
        first += sitting->confirmation[i].pairs;
    sitting->confirmation[number].pairs = pairs;
    sitting->confirmation[number].rows = *open;
    for (int i = 0; i < 2; i++) {
        struct recording *earlier = &sitting->confirmation[number].earlier[i];
        *earlier = sitting->arms[i].recording;
        sitting->arms[i].recording = (struct recording){
            .name = earlier->name, .earlier = earlier, .wants = awaits_confirmation, .choice = comparison};
    }
    struct selection open_rows = {0};
    for (size_t i = 0; i < comparison->count; i++)
        if (!comparison->rows[i].is_decided)
            select_row(&open_rows, comparison->rows[i].name);
    enum sitting_end end = sitting_run(sitting, first, first + pairs, end_selection(&open_rows), error);
    free(open_rows.text);
    if (end != SITTING_DONE)
        return end;
    struct comparison confirmed;
    if (!compare(sitting, &confirmed, error))
        return SITTING_FAILED;
    comparison_decide(&confirmed);
    *open = adopt_confirmed(&confirmed, comparison);
    comparison_free(&confirmed);
    return SITTING_DONE;
}

enum sitting_end sitting_decide(struct sitting *sitting, struct comparison *comparison, struct error *error)
{
    enum sitting_end end = screen(sitting, error);
    if (end != SITTING_DONE)
        return end;
    if (!compare(sitting, comparison, error))
        return SITTING_FAILED;
    size_t open = clear_screened(comparison);
    while (end == SITTING_DONE && open > 0 && sitting->confirmations < RULE_CONFIRMATIONS && !sitting->is_over)
        end = confirm(sitting, comparison, &open, error);
    if (end != SITTING_DONE)
        comparison_free(comparison);
    return end;
}

bool sitting_keep(struct sitting *sitting, struct error *error)
{
    bool is_whole = true; /* else the arms have different rounds */
    for (size_t i = 0; i < sitting->file_count; i++)
        is_whole = is_whole && !sitting->files[i].has_failed;
    bool ok = output_commit_all(sitting->files, sitting->file_count, is_whole, error);
    sitting->file_count = 0;
    return ok;
}

void sitting_free(struct sitting *sitting)
{
    for (size_t i = 0; i < sitting->file_count; i++)
        output_discard(&sitting->files[i]);
    for (size_t i = 0; i < sitting->arm_count; i++)
        arm_free(&sitting->arms[i]);
    for (size_t i = 0; i < sitting->confirmations; i++) {
        recording_free(&sitting->confirmation[i].earlier[0]);
        recording_free(&sitting->confirmation[i].earlier[1]);
    }
    terms_free(&sitting->terms);
    *sitting = (struct sitting){0};
}

#define _GNU_SOURCE /* tdestroy() */
#include "recording.h"

#include "bench/base/memory.h"
#include "gate_options.h"

#include <limits.h>
#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

bool observation_is_usable(const struct observation *observation)
{
    return observation->status == STATUS_OK && !observation->launch_bound && !observation->partial;
}

static int compare_rounds(const struct observation *a, const struct observation *b)
{
    int sittings = strcmp(a->sitting, b->sitting);
    return sittings ? sittings : (a->round > b->round) - (a->round < b->round);
}

static int by_name_and_round(const void *left, const void *right)
{
    const struct observation *a = left, *b = right;
    int names = strcmp(a->name, b->name);
    return names ? names : compare_rounds(a, b);
}

static void sort(struct recording *recording)
{
    if (recording->count > 0)
        qsort(recording->items, recording->count, sizeof *recording->items, by_name_and_round);
}

static bool refuse_duplicates(const struct recording *recording, struct error *error)
{
    for (size_t i = 1; i < recording->count; i++) {
        const struct observation *a = &recording->items[i - 1], *b = &recording->items[i];
        if (by_name_and_round(a, b) == 0 && a->foreign)
            return error_set(error, "%s: '%s' is there twice%s, expected a name for each benchmark", recording->name,
                             a->name, i > 1 && strcmp(a[-1].name, a->name) == 0 ? " in one round" : "");
        if (by_name_and_round(a, b) == 0)
            return error_set(error, "%s: lines %zu and %zu are both %s in round %ld of sitting %s", recording->name,
                             a->line < b->line ? a->line : b->line, a->line < b->line ? b->line : a->line, a->name,
                             a->round, a->sitting);
    }
    return true;
}

char *recording_keep(struct recording *recording, char *text)
{
    recording->texts = memory_grow(recording->texts, recording->text_count, sizeof *recording->texts);
    return recording->texts[recording->text_count++] = text;
}

struct observation *recording_next(struct recording *recording)
{
    recording->items = memory_grow(recording->items, recording->count, sizeof *recording->items);
    return &recording->items[recording->count++];
}

struct pattern *row_filter_make(const char *text, struct error *error)
{
    struct error reason;
    struct pattern *filter = pattern_make(text, strlen(text), PATTERN_FILTER, &reason);
    if (!filter)
        error_set(error, "--filter=%.80s: %.300s", text, reason.text);
    return filter;
}

bool row_filter_wants(const void *filter, const char *name)
{
    return pattern_matches(filter, name);
}

bool recording_wants(const struct recording *recording, const char *name)
{
    return !recording->wants || recording->wants(recording->choice, name);
}

/* Whether both are the same row of one build, on one machine and input. */
static bool must_agree(const struct observation *a, const struct observation *b)
{
    bool ok = strcmp(a->name, b->name) == 0;
    for (enum column_id i = 0; i < RESULT_COLUMNS && ok; i++)
        ok = (result_columns[i].gate < GATE_WORK && i != COLUMN_git_rev && i != COLUMN_code) ||
             strcmp(a->text[i], b->text[i]) == 0;
    return ok;
}

/* The last known answer of the row before `items[i]`; NULL: there is none. */
static const struct observation *answer_before(const struct recording *recording, size_t i, const char *name)
{
    while (i > 0 && strcmp(recording->items[i - 1].name, name) == 0)
        if (recording->items[--i].text[COLUMN_answer][0] != '\0')
            return &recording->items[i];
    const struct recording *earlier = recording->earlier;
    for (size_t end = earlier ? earlier->count : 0; end > 0; end--)
        if (strcmp(earlier->items[end - 1].name, name) == 0)
            return answer_before(earlier, end, name);
    return NULL;
}

static void compare_answers(struct recording *recording)
{
    for (size_t i = 0; i < recording->count; i++) {
        struct observation *o = &recording->items[i];
        const char *answer = o->text[COLUMN_answer];
        const struct observation *before =
            o->status == STATUS_OK && answer[0] != '\0' ? answer_before(recording, i, o->name) : NULL;
        if (!before || strcmp(answer, before->text[COLUMN_answer]) == 0 || !must_agree(o, before))
            continue;
        o->status = STATUS_FAILED;
        o->reason = recording_keep(recording, memory_print("not the same in every round: its verified answer has the "
                                                           "digest %s, and in another round it had %s",
                                                           answer, before->text[COLUMN_answer]));
        o->time_s = NAN;
    }
}

bool recording_finish(struct recording *recording, struct error *error)
{
    sort(recording);
    if (!refuse_duplicates(recording, error))
        return false;
    compare_answers(recording);
    return true;
}

void recording_add_owed(struct recording *recording, const struct recording *model, const char *sitting, long round,
                        enum status status, const char *reason)
{
    const size_t before = recording->count;
    for (size_t i = 0; i < model->count; i++) {
        struct observation owed = model->items[i];
        if (owed.round != round || strcmp(owed.sitting, sitting) != 0 ||
            (before > 0 && bsearch(&owed, recording->items, before, sizeof owed, by_name_and_round)))
            continue;
        owed.file = recording->name;
        owed.status = status;
        owed.reason = reason;
        owed.time_s = NAN;
        *recording_next(recording) = owed;
    }
    sort(recording);
}

void recording_free(struct recording *recording)
{
    for (size_t i = 0; i < recording->text_count; i++)
        free(recording->texts[i]);
    free(recording->texts);
    free(recording->items);
    *recording = (struct recording){.name = recording->name};
}

struct row_rounds recording_row_at(const struct recording *recording, size_t start)
{
    size_t end = start;
    while (end < recording->count && strcmp(recording->items[end].name, recording->items[start].name) == 0)
        end++;
    return (struct row_rounds){&recording->items[start], end - start};
}

size_t rounds_with_status(const struct row_rounds *rounds, enum status status)
{
    size_t count = 0;
    for (size_t i = 0; i < rounds->count; i++)
        count += rounds->items[i].status == status;
    return count;
}

const struct observation *rounds_first(const struct row_rounds *rounds, enum status status)
{
    for (size_t i = 0; i < rounds->count; i++)
        if (rounds->items[i].status == status)
            return &rounds->items[i];
    return NULL;
}

bool walk_to_next_row(struct row_walk *walk)
{
    walk->name = NULL;
    for (int s = 0; s < 2; s++) {
        const struct recording *recording = walk->recordings[s];
        if (walk->at[s] < recording->count &&
            (!walk->name || strcmp(recording->items[walk->at[s]].name, walk->name) < 0))
            walk->name = recording->items[walk->at[s]].name;
    }
    for (int s = 0; s < 2 && walk->name; s++) {
        const struct recording *recording = walk->recordings[s];
        bool has_it = walk->at[s] < recording->count && strcmp(recording->items[walk->at[s]].name, walk->name) == 0;
        walk->rounds[s] = has_it ? recording_row_at(recording, walk->at[s]) : (struct row_rounds){0};
        walk->at[s] += walk->rounds[s].count;
    }
    return walk->name;
}

static bool differs(const struct observation *a, const struct observation *b, int column)
{
    bool is_unsaid = (a->foreign && a->text[column][0] == '\0') || (b->foreign && b->text[column][0] == '\0');
    return !is_unsaid && strcmp(a->text[column], b->text[column]) != 0;
}

static bool is_compared(const struct observation *observation, enum gate_use use, enum identity_demand demand)
{
    switch (use) {
    case GATE_WORK: return true;
    case GATE_MACHINE: return demand >= IDENTITY_SITTING;
    case GATE_LIBRARY: return demand >= IDENTITY_SAME;
    default: return demand >= IDENTITY_SITTING && observation->on_host;
    }
}

bool identity_check(const struct observation *base, const struct observation *other, enum identity_demand demand,
                    struct error *error)
{
    for (enum gate_use use = GATE_WORK; use <= GATE_HOST; use++)
        for (int i = 0; i < RESULT_COLUMNS && is_compared(base, use, demand); i++)
            if (result_columns[i].gate == use && differs(base, other, i))
                return error_set(error, "%s: %s is '%s' in %s and '%s' in %s, expected the same%s", base->name,
                                 result_columns[i].name, base->text[i], base->file, other->text[i], other->file,
                                 use == GATE_WORK ? " work" : " machine; --other-device compares anyway");
    const enum column_id needed = base->text[COLUMN_threads][0] != '\0' ? COLUMN_host : COLUMN_device_uuid;
    if (demand == IDENTITY_KNOWN && base->text[needed][0] == '\0')
        return error_set(error, "%s: %s is empty in %s, so it may be another machine; --other-device compares anyway",
                         base->name, result_columns[needed].name, base->file);
    return true;
}

static bool starts_sitting(const struct recording *recording, size_t i)
{
    return i == 0 || strcmp(recording->items[i].sitting, recording->items[i - 1].sitting) != 0;
}

bool rounds_are_paired(const struct recording *base, const struct recording *other)
{
    for (size_t i = 0; i < base->count; i++)
        for (size_t j = 0; j < other->count && starts_sitting(base, i); j++)
            if (starts_sitting(other, j) && strcmp(base->items[i].sitting, other->items[j].sitting) == 0)
                return true;
    return false;
}

static bool check_row_pairs(const struct row_rounds *base, const struct row_rounds *other, struct error *error)
{
    for (size_t i = 0; i < base->count || i < other->count; i++) {
        int order = i == base->count ? 1 : i == other->count ? -1 : compare_rounds(&base->items[i], &other->items[i]);
        const struct observation *alone = order < 0 ? &base->items[i] : &other->items[i];
        if (order != 0)
            return error_set(error, "rounds do not pair: %s is in round %ld of sitting %s in %s and not in %s",
                             alone->name, alone->round, alone->sitting, alone->file,
                             (order < 0 ? other : base)->items[0].file);
    }
    return true;
}

bool rounds_check_pairs(const struct recording *base, const struct recording *other, struct error *error)
{
    struct row_walk walk = {.recordings = {base, other}};
    while (walk_to_next_row(&walk))
        if (walk.rounds[0].count > 0 && walk.rounds[1].count > 0 &&
            !check_row_pairs(&walk.rounds[0], &walk.rounds[1], error))
            return false;
    return true;
}

struct seen_round {
    const char *sitting;
    long number;
    bool has_failed;
    uint64_t turns[GATE_SIDES_MAX]; /* of each recording, a bit per turn */
};

static int by_number(const void *left, const void *right)
{
    const struct seen_round *a = left, *b = right;
    int sittings = strcmp(a->sitting, b->sitting);
    return sittings ? sittings : (a->number > b->number) - (a->number < b->number);
}

static struct seen_round *round_of(void **rounds, const struct observation *o, size_t turns)
{
    struct seen_round wanted = {.sitting = o->sitting, .number = o->round / (long)turns};
    struct seen_round **found = memory_have(tsearch(&wanted, rounds, by_number));
    if (*found == &wanted) {
        *found = memory_get(1, sizeof wanted);
        **found = wanted;
    }
    return *found;
}

static bool is_unfinished(const struct seen_round *round, size_t turns)
{
    for (size_t i = 0; i < GATE_SIDES_MAX; i++)
        if (round->turns[i] != 0 && round->turns[i] != (UINT64_C(1) << turns) - 1)
            return !round->has_failed;
    return false;
}

void rounds_drop_unfinished(struct recording *const *recordings, size_t count, size_t turns)
{
    void *rounds = NULL;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < recordings[i]->count; j++) {
            const struct observation *o = &recordings[i]->items[j];
            struct seen_round *round = round_of(&rounds, o, turns);
            round->turns[i] |= UINT64_C(1) << (o->round % (long)turns);
            round->has_failed = round->has_failed || o->status == STATUS_FAILED;
        }
    for (size_t i = 0; i < count; i++) {
        size_t kept = 0;
        for (size_t j = 0; j < recordings[i]->count; j++)
            if (!is_unfinished(round_of(&rounds, &recordings[i]->items[j], turns), turns))
                recordings[i]->items[kept++] = recordings[i]->items[j];
        recordings[i]->count = kept;
    }
    tdestroy(rounds, free);
}

/* The number of observations from `items` on that are turns of the same round of a row. */
static size_t count_turns(const struct observation *items, size_t count, long turns)
{
    size_t same = 1;
    while (same < count && strcmp(items[0].name, items[same].name) == 0 &&
           strcmp(items[0].sitting, items[same].sitting) == 0 && items[0].round / turns == items[same].round / turns)
        same++;
    return same;
}

static bool check_turn(const struct recording *recording, const struct observation *first,
                       const struct observation *turn, struct error *error)
{
    struct error difference;
    if (turn->text[COLUMN_threads][0] == '\0' && !(turn->foreign && turn->on_host))
        return error_set(error, "%s: line %zu: %s is not a CPU row, expected only CPU rows with --cpu-only",
                         recording->name, turn->line, turn->name);
    return identity_check(first, turn, IDENTITY_SAME, &difference) ||
           error_set(error, "%s: lines %zu and %zu differ in work or machine, expected turns of one round",
                     recording->name, first->line, turn->line);
}

/* Merges a turn into the round. If the statuses differ, failed wins over ok, and ok over skipped. */
static void merge(struct observation *round, const struct observation *turn)
{
    enum status status = round->status == STATUS_FAILED || turn->status == STATUS_FAILED ? STATUS_FAILED
                         : round->status == STATUS_OK || turn->status == STATUS_OK       ? STATUS_OK
                                                                                         : STATUS_SKIPPED;
    bool replaces = turn->status == status && (round->status != status || turn->time_s < round->time_s);
    struct observation merged = replaces ? *turn : *round;
    merged.partial = round->partial || turn->status != round->status;
    merged.tick_s = fmax(round->tick_s, turn->tick_s);
    merged.launch_bound = round->launch_bound || turn->launch_bound;
    merged.slowed = round->slowed || turn->slowed;
    *round = merged;
}

/* `times_s` has room for as many, twice. */
static struct observation joined(const struct row_rounds *row, double *times_s)
{
    struct observation round = row->items[0];
    size_t timed = 0;
    for (size_t i = 0; i < row->count; i++) {
        if (i > 0)
            merge(&round, &row->items[i]);
        if (row->items[i].status == STATUS_OK)
            times_s[timed++] = row->items[i].time_s;
    }
    if (round.status == STATUS_OK && !round.on_host)
        round.time_s = statistics_median(times_s, timed, times_s + row->count);
    return round;
}

void rounds_make_blocks(struct recording *recording, bool is_process)
{
    double *times_s = memory_get(2 * recording->count + 1, sizeof *times_s);
    size_t kept = 0;
    for (size_t at = 0, count; at < recording->count; at += count) {
        const struct observation *row = &recording->items[at], first = *row;
        count = is_process ? recording_row_at(recording, at).count : count_turns(row, recording->count - at, LONG_MAX);
        const size_t most = is_process ? 1 : first.sitting == first.file ? ROUNDS_OF_FILE : count;
        const size_t rounds = count > most ? most : count;
        for (size_t i = 0; i < rounds; i++) {
            const size_t from = i * count / rounds, end = (i + 1) * count / rounds;
            struct observation block = joined(&(struct row_rounds){row + from, end - from}, times_s);
            block.round = rounds < count ? first.round + (long)i : block.round;
            recording->items[kept++] = block;
        }
    }
    recording->count = kept;
    free(times_s);
}

void recording_move(struct recording *recording, struct recording *from)
{
    for (size_t i = 0; i < from->count; i++) {
        struct observation *next = recording_next(recording);
        *next = from->items[i];
        next->file = recording->name;
    }
    for (size_t i = 0; i < from->text_count; i++)
        recording_keep(recording, from->texts[i]);
    from->text_count = 0;
    recording_free(from);
    sort(recording);
}

bool rounds_fold(struct recording *recording, size_t turns, struct error *error)
{
    struct observation *items = recording->items;
    size_t kept = 0;
    if (turns == 1)
        return true;
    for (size_t i = 0, count; i < recording->count; i += count) {
        const struct observation *timed = NULL;
        struct observation round = items[i];
        count = count_turns(&items[i], recording->count - i, (long)turns);
        for (size_t turn = 0; turn < count; turn++) {
            const struct observation *next = &items[i + turn];
            timed = timed || next->status != STATUS_OK ? timed : next;
            if (next->status == STATUS_OK && !check_turn(recording, timed, next, error))
                return false;
            if (turn > 0)
                merge(&round, next);
        }
        round.partial = round.partial || count < turns;
        round.round /= (long)turns;
        items[kept++] = round;
    }
    recording->count = kept;
    return true;
}

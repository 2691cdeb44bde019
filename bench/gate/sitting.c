#include "sitting.h"

#include "bench/base/exit_status.h"
#include "program.h"
#include "bench/base/seeded.h"
#include "turns.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OWN_ARGUMENTS = 8 };

static const uint64_t coins = 0x636f696e73; /* a stream of random numbers */

/* Keeps the lines of a turn: the header once, later the lines behind it. */
static bool keep(struct output *kept, const char *text, size_t bytes, struct error *error)
{
    const char *header_end = memchr(text, '\n', bytes);
    size_t header = header_end ? (size_t)(header_end + 1 - text) : 0;
    if (!kept || header == 0)
        return true;
    if (kept->whole == 0) {
        if (!output_write(kept, text, header, error))
            return false;
        kept->preamble = kept->whole;
    }
    return bytes == header || output_write(kept, text + header, bytes - header, error);
}

/* Takes over what a process wrote. */
static bool take(struct arm *arm, struct program_end *end, struct error *error)
{
    struct csv_table table;
    if (end->bytes == 0 && arm->ended[0] != '\0')
        return true;                     /* it did not come so far */
    char *text = malloc(end->bytes + 1); /* reading it cuts it into cells */
    if (!text)
        return error_set(error, "%s: no memory", arm->recording.name);
    memcpy(text, end->output, end->bytes + 1);
    return csv_parse(text, end->bytes, arm->program, &table, error) && recording_add(&arm->recording, &table, error) &&
           keep(arm->kept, end->output, end->bytes, error);
}

/* Whether a program that ended so is to blame itself: others send other signals. */
static bool is_crash(int status)
{
    static const int signals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGTRAP};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        if (status == EXIT_SIGNAL_BASE + signals[i])
            return true;
    return false;
}

/* What the process's end means for the sitting. */
static enum sitting_end judge(struct sitting *sitting, struct arm *arm, struct program_end *end, struct error *error)
{
    bool says_nothing = end->status == EXIT_ALL_SKIPPED && end->bytes == 0;
    if (sitting->interrupted())
        return SITTING_INTERRUPTED;
    if (end->status == EXIT_RIGHT || end->status == EXIT_WRONG || (end->status == EXIT_ALL_SKIPPED && !says_nothing))
        return SITTING_DONE;
    error_set(error, "%s: %s %s%s%s", arm->recording.name, arm->program, end->how, end->complaint[0] ? ": " : "",
              end->complaint);
    if (!says_nothing && !is_crash(end->status))
        return SITTING_FAILED;
    snprintf(arm->ended, sizeof arm->ended, "%s %s%s%s",
             says_nothing ? "nothing can be measured: its process" : "crashed: its process", end->how,
             end->complaint[0] ? ": " : "", end->complaint);
    arm->owes = says_nothing ? STATUS_SKIPPED : STATUS_FAILED;
    return SITTING_DONE;
}

/* Runs one process: a turn of one arm. `arguments` has room. */
static enum sitting_end run_arm(struct sitting *sitting, struct arm *arm, size_t turn, const char *filter,
                                const char **arguments, struct error *error)
{
    char place[96];
    size_t count = 0;
    struct program_end end;
    snprintf(place, sizeof place, "--sitting=%s:%zu", sitting->id, turn);
    arguments[count++] = arm->program;
    for (const char *const *flag = sitting->flags; *flag; flag++)
        arguments[count++] = *flag;
    const char *own[OWN_ARGUMENTS] = {place, "--out=-", "--progress=off", filter, arm->extra_flag};
    for (size_t i = 0; i < OWN_ARGUMENTS; i++)
        if (own[i])
            arguments[count++] = own[i];
    arguments[count] = NULL;
    sitting->step(turn, arm->recording.name);
    if (!program_run((char *const *)arguments, sitting->interrupted, &end, error))
        return SITTING_FAILED;
    enum sitting_end ended = judge(sitting, arm, &end, error);
    if (ended == SITTING_DONE && !take(arm, &end, error))
        ended = SITTING_FAILED;
    free(end.output);
    return ended;
}

/* The arms in an order of their own for each turn, all orders equally likely but for 1 in 2^60 (D. E. Knuth, "The Art
 * of Computer Programming", volume 2, 3rd ed., section 3.4.2, algorithm P). */
static void toss(const struct sitting *sitting, size_t turn, size_t *order)
{
    uint64_t seed = seeded_stream(sitting->seed, coins + turn);
    for (size_t i = 0; i < sitting->arm_count; i++) {
        size_t place = (size_t)(seeded_bits(seed, i) % (i + 1));
        order[i] = order[place];
        order[place] = i;
    }
}

/* After a turn in which arms may have ended: the first one's end is the sitting's, others owe rows. */
static enum sitting_end settle(struct sitting *sitting, size_t turn, struct error *error)
{
    struct arm *base = &sitting->arms[0];
    bool all_skipped = base->recording.count == 0;
    for (size_t i = 0; i < sitting->arm_count; i++)
        all_skipped = all_skipped && sitting->arms[i].ended[0] != '\0' && sitting->arms[i].owes == STATUS_SKIPPED;
    if (base->ended[0] != '\0') {
        error_set(error, "%s: %s: %s", base->recording.name, base->program, base->ended);
        return all_skipped ? SITTING_ALL_SKIPPED : SITTING_FAILED;
    }
    for (size_t i = 1; i < sitting->arm_count; i++) {
        struct arm *arm = &sitting->arms[i];
        if (arm->ended[0] != '\0' && !recording_add_owed(&arm->recording, &base->recording, sitting->id, (long)turn,
                                                         arm->owes, arm->ended, error))
            return SITTING_FAILED;
    }
    return SITTING_DONE;
}

static bool any_has_ended(const struct sitting *sitting)
{
    for (size_t i = 0; i < sitting->arm_count; i++)
        if (sitting->arms[i].ended[0] != '\0')
            return true;
    return false;
}

enum sitting_end sitting_run(struct sitting *sitting, size_t first, size_t end, const char *filter, struct error *error)
{
    size_t flags = 0, order[SITTING_ARMS_MAX] = {0};
    while (sitting->flags[flags])
        flags++;
    const char **arguments = malloc((flags + OWN_ARGUMENTS + 2) * sizeof(*arguments));
    enum sitting_end ended = SITTING_DONE;
    if (!arguments) {
        error_set(error, "no memory");
        return SITTING_FAILED;
    }
    for (size_t turn = first * sitting->turns;
         turn < end * sitting->turns && ended == SITTING_DONE && !any_has_ended(sitting); turn++) {
        toss(sitting, turn, order);
        for (size_t i = 0; i < sitting->arm_count && ended == SITTING_DONE; i++)
            ended = run_arm(sitting, &sitting->arms[order[i]], turn, filter, arguments, error);
        if (ended == SITTING_DONE)
            ended = settle(sitting, turn, error);
    }
    free(arguments);
    for (size_t i = 0; i < sitting->arm_count && ended == SITTING_DONE; i++)
        if (!turns_fold(&sitting->arms[i].recording, sitting->turns, error))
            ended = SITTING_FAILED;
    return ended;
}

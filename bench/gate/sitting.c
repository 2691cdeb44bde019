#include "sitting.h"

#include "exit_status.h"
#include "program.h"
#include "seeded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OWN_ARGUMENTS = 8 };

static const uint64_t coins = 0x636f696e73; /* a stream of random numbers */

/* Keeps the lines of a round: the header once, later the lines behind it. */
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
    if (end->bytes == 0 && arm->crash[0] != '\0')
        return true; /* it did not come so far */
    if (!keep(arm->kept, end->output, end->bytes, error))
        return false;
    char *text = end->output;
    end->output = NULL;
    return csv_parse(text, end->bytes, arm->program, &table, error) && recording_add(&arm->recording, &table, error);
}

/* What the process's end means for the sitting. */
static enum sitting_end judge(struct sitting *sitting, struct arm *arm, struct program_end *end, struct error *error)
{
    if (sitting->interrupted())
        return SITTING_INTERRUPTED;
    if (end->status == EXIT_RIGHT || end->status == EXIT_WRONG)
        return SITTING_DONE;
    if (end->status == EXIT_ALL_SKIPPED && end->bytes > 0)
        return SITTING_DONE;
    if (end->status > EXIT_SIGNAL_BASE && arm != &sitting->arms[0]) {
        snprintf(arm->crash, sizeof arm->crash, "crashed: its process %s", end->how);
        return SITTING_DONE;
    }
    error_set(error, "%s: %s %s%s%s", arm->recording.name, arm->program, end->how, end->complaint[0] ? ": " : "",
              end->complaint);
    return end->status == EXIT_ALL_SKIPPED ? SITTING_ALL_SKIPPED : SITTING_FAILED;
}

/* Runs one process: a round of one arm. `arguments` has room. */
static enum sitting_end run_arm(struct sitting *sitting, struct arm *arm, size_t round, const char *filter,
                                const char **arguments, struct error *error)
{
    char place[96];
    size_t count = 0;
    struct program_end end;
    snprintf(place, sizeof place, "--sitting=%s:%zu", sitting->id, round);
    arguments[count++] = arm->program;
    for (const char *const *flag = sitting->flags; *flag; flag++)
        arguments[count++] = *flag;
    const char *own[OWN_ARGUMENTS] = {place, "--out=-", "--progress=off", filter, arm->extra_flag};
    for (size_t i = 0; i < OWN_ARGUMENTS; i++)
        if (own[i])
            arguments[count++] = own[i];
    arguments[count] = NULL;
    sitting->step(round, arm->recording.name);
    if (!program_run((char *const *)arguments, sitting->interrupted, &end, error))
        return SITTING_FAILED;
    enum sitting_end ended = judge(sitting, arm, &end, error);
    if (ended == SITTING_DONE && !take(arm, &end, error))
        ended = SITTING_FAILED;
    free(end.output);
    return ended;
}

/* The arms in an order of their own for each round, all orders equally likely but for 1 in 2^60 (D. E. Knuth, "The Art
 * of Computer Programming", volume 2, 3rd ed., section 3.4.2, algorithm P). */
static void toss(const struct sitting *sitting, size_t round, size_t *order)
{
    uint64_t seed = seeded_stream(sitting->seed, coins + round);
    for (size_t i = 0; i < sitting->arm_count; i++) {
        size_t place = (size_t)(seeded_bits(seed, i) % (i + 1));
        order[i] = order[place];
        order[place] = i;
    }
}

/* True where an arm crashed; what it owes is noted. */
static bool settle_crashes(struct sitting *sitting, size_t round, enum sitting_end *ended, struct error *error)
{
    bool crashed = false;
    for (size_t i = 1; i < sitting->arm_count && *ended == SITTING_DONE; i++) {
        struct arm *arm = &sitting->arms[i];
        if (arm->crash[0] == '\0')
            continue;
        crashed = true;
        if (!recording_add_failed(&arm->recording, &sitting->arms[0].recording, sitting->id, (long)round, arm->crash,
                                  error))
            *ended = SITTING_FAILED;
    }
    return crashed;
}

enum sitting_end sitting_run(struct sitting *sitting, size_t first, size_t end, const char *filter, struct error *error)
{
    size_t flags = 0, order[SITTING_ARMS_MAX] = {0};
    while (sitting->flags[flags])
        flags++;
    const char **arguments = malloc((flags + OWN_ARGUMENTS + 2) * sizeof(*arguments));
    enum sitting_end ended = SITTING_DONE;
    bool crashed = false;
    if (!arguments) {
        error_set(error, "no memory");
        return SITTING_FAILED;
    }
    for (size_t round = first; round < end && ended == SITTING_DONE && !crashed; round++) {
        toss(sitting, round, order);
        for (size_t i = 0; i < sitting->arm_count && ended == SITTING_DONE; i++)
            ended = run_arm(sitting, &sitting->arms[order[i]], round, filter, arguments, error);
        crashed = settle_crashes(sitting, round, &ended, error);
    }
    free(arguments);
    return ended;
}

#include "session.h"

#include "bench/base/exit_status.h"
#include "bench/base/process.h"
#include "bench/base/seeded.h"
#include "turns.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OWN_ARGUMENTS = 8 };

static const uint64_t arm_orders = 0x636f696e73; /* a stream of random numbers */

/* Appends a process's CSV to the file: the header only once. */
static bool append_csv(struct output *kept, const char *text, size_t bytes, struct error *error)
{
    const char *header_end = memchr(text, '\n', bytes);
    size_t header = header_end ? (size_t)(header_end + 1 - text) : 0;
    if (!kept || header == 0)
        return true;
    if (kept->whole == 0 && !output_write_preamble(kept, text, header, error))
        return false;
    return bytes == header || output_write(kept, text + header, bytes - header, error);
}

static const char *label_of(const struct arm *arm)
{
    return arm->label ? arm->label : arm->program;
}

static bool has_rows(const char *csv, size_t bytes)
{
    const char *header_end = bytes > 0 ? memchr(csv, '\n', bytes) : NULL;
    return header_end && header_end + 1 < csv + bytes;
}

/* Adds what a process wrote to the arm's recording and file. */
static bool parse_output(struct arm *arm, struct process_end *end, struct error *error)
{
    struct csv_table table;
    const char *output = end->text[PROCESS_OUT];
    size_t bytes = end->bytes[PROCESS_OUT];
    if (end->overran || end->hung) /* perhaps in the middle of a line */
        while (bytes > 0 && output[bytes - 1] != '\n')
            bytes--;
    if (arm->ended[0] != '\0' && !has_rows(output, bytes))
        return true;                /* it ended before its first row */
    char *text = malloc(bytes + 1); /* parsing overwrites it */
    if (!text)
        return error_set(error, "%s: no memory", arm->recording.name);
    memcpy(text, output, bytes);
    text[bytes] = '\0';
    return csv_parse(text, bytes, label_of(arm), &table, error) && recording_add(&arm->recording, &table, error) &&
           append_csv(arm->kept, output, bytes, error);
}

/* Whether the program itself is to blame: these signals come from its own faults, others from outside. */
static bool is_crash(int status)
{
    static const int signals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGTRAP};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        if (status == EXIT_SIGNAL_BASE + signals[i])
            return true;
    return false;
}

/* What the process's end means for the session. */
static enum session_end classify_exit(struct session *session, struct arm *arm, const struct process_end *end,
                                      struct error *error)
{
    char complaint[512];
    bool says_nothing = end->status == EXIT_ALL_SKIPPED && end->bytes[PROCESS_OUT] == 0;
    process_last_line(end->text[PROCESS_ERR], complaint, sizeof complaint);
    const char *separator = complaint[0] ? ": " : "";
    if (session->interrupted())
        return SESSION_INTERRUPTED;
    if (end->status == EXIT_RIGHT || end->status == EXIT_WRONG || (end->status == EXIT_ALL_SKIPPED && !says_nothing))
        return SESSION_DONE;
    error_set(error, "%s: %s %s%s%s", arm->recording.name, label_of(arm), end->how, separator, complaint);
    bool killed = end->hung || end->overran;
    if (!says_nothing && !killed && !is_crash(end->status))
        return SESSION_FAILED;
    const char *what = says_nothing ? "nothing can be measured: " : killed ? "" : "crashed: ";
    snprintf(arm->ended, sizeof arm->ended, "%sits process %s%s%s", what, end->how, separator, complaint);
    arm->owes = says_nothing ? STATUS_SKIPPED : STATUS_FAILED;
    return SESSION_DONE;
}

static int is_interrupted(const void *self)
{
    return ((const struct session *)self)->interrupted();
}

static double silence_limit(const void *self)
{
    return ((const struct session *)self)->row_limit_s;
}

/* Runs one process of an arm. `arguments` has room for its argv. */
static enum session_end run_arm(struct session *session, struct arm *arm, size_t turn, const char *filter,
                                const char **arguments, struct error *error)
{
    char place[96];
    size_t count = 0;
    struct process_end end;
    snprintf(place, sizeof place, "--sitting=%s:%zu", session->id, turn);
    arguments[count++] = arm->program;
    for (const char *const *flag = session->flags; *flag; flag++)
        arguments[count++] = *flag;
    const char *own[OWN_ARGUMENTS] = {place, "--out=-", "--progress=off", filter, arm->extra_flag};
    for (size_t i = 0; i < OWN_ARGUMENTS; i++)
        if (own[i])
            arguments[count++] = own[i];
    arguments[count] = NULL;
    session->step(turn, arm->recording.name);
    struct process process = {.program = arm->program,
                              .argv = (char *const *)arguments,
                              .interrupted = is_interrupted,
                              .silence_s = silence_limit,
                              .limit_s = session->process_limit_s,
                              .now = session->now,
                              .self = session};
    if (!process_run(&process, &end, error))
        return SESSION_FAILED;
    enum session_end ended = classify_exit(session, arm, &end, error);
    if (ended == SESSION_DONE && !parse_output(arm, &end, error))
        ended = SESSION_FAILED;
    process_end_free(&end);
    return ended;
}

/* A random order of the arms for every other turn; all orders are equally likely up to 1 in 2^60 (D. E. Knuth, "The Art
 * of Computer Programming", volume 2, 3rd ed., section 3.4.2, algorithm P). The next turn has it reversed, so that each
 * arm is as often the first as the last. */
static void order_arms(const struct session *session, size_t turn, size_t *order)
{
    size_t count = session->arm_count, shuffled[SESSION_ARMS_MAX] = {0};
    uint64_t seed = seeded_stream(session->seed, arm_orders + turn / 2);
    for (size_t i = 0; i < count; i++) {
        size_t place = (size_t)(seeded_bits(seed, i) % (i + 1));
        shuffled[i] = shuffled[place];
        shuffled[place] = i;
    }
    for (size_t i = 0; i < count; i++)
        order[i] = shuffled[turn % 2 ? count - 1 - i : i];
}

/* After a turn: if the base has ended, so does the session; another arm that has ended gets the rows it owes. */
static enum session_end record_missing_rows(struct session *session, size_t turn, struct error *error)
{
    struct arm *base = &session->arms[0];
    bool all_skipped = base->recording.count == 0;
    for (size_t i = 0; i < session->arm_count; i++)
        all_skipped = all_skipped && session->arms[i].ended[0] != '\0' && session->arms[i].owes == STATUS_SKIPPED;
    if (base->ended[0] != '\0') {
        error_set(error, "%s: %s: %s", base->recording.name, label_of(base), base->ended);
        return all_skipped ? SESSION_ALL_SKIPPED : SESSION_FAILED;
    }
    for (size_t i = 1; i < session->arm_count; i++) {
        struct arm *arm = &session->arms[i];
        if (arm->ended[0] != '\0' && !recording_add_owed(&arm->recording, &base->recording, session->id, (long)turn,
                                                         arm->owes, arm->ended, error))
            return SESSION_FAILED;
    }
    return SESSION_DONE;
}

static bool has_failed(const struct recording *recording, const char *name)
{
    for (size_t i = 0; i < recording->count; i++)
        if (recording->items[i].status == STATUS_FAILED && strcmp(recording->items[i].name, name) == 0)
            return true;
    return false;
}

/* Whether an arm has a wrong row that is right in the base. */
static bool find_failure(const struct session *session)
{
    const struct recording *base = &session->arms[0].recording;
    for (size_t i = 1; i < session->arm_count; i++) {
        const struct recording *recording = &session->arms[i].recording;
        for (size_t j = 0; j < recording->count; j++)
            if (recording->items[j].status == STATUS_FAILED && !has_failed(base, recording->items[j].name))
                return true;
    }
    return false;
}

static bool any_has_ended(const struct session *session)
{
    for (size_t i = 0; i < session->arm_count; i++)
        if (session->arms[i].ended[0] != '\0')
            return true;
    return false;
}

enum session_end session_run(struct session *session, size_t first, size_t end, const char *filter, struct error *error)
{
    size_t flags = 0, order[SESSION_ARMS_MAX] = {0};
    while (session->flags[flags])
        flags++;
    const char **arguments = malloc((flags + OWN_ARGUMENTS + 2) * sizeof(*arguments));
    enum session_end ended = SESSION_DONE;
    if (!arguments) {
        error_set(error, "no memory");
        return SESSION_FAILED;
    }
    for (size_t turn = first * session->turns;
         turn < end * session->turns && ended == SESSION_DONE && !any_has_ended(session) && !session->has_failure;
         turn++) {
        order_arms(session, turn, order);
        for (size_t i = 0; i < session->arm_count && ended == SESSION_DONE; i++)
            ended = run_arm(session, &session->arms[order[i]], turn, filter, arguments, error);
        if (ended == SESSION_DONE)
            ended = record_missing_rows(session, turn, error);
        if (session->ends_with_failure && (turn + 1) % session->turns == 0)
            session->has_failure = find_failure(session);
    }
    free(arguments);
    for (size_t i = 0; i < session->arm_count && ended == SESSION_DONE; i++)
        if (!turns_fold(&session->arms[i].recording, session->turns, error))
            ended = SESSION_FAILED;
    return ended;
}

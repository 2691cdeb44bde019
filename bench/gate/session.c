#include "session.h"

#include "bench/base/host.h"
#include "bench/base/memory.h"
#include "bench/base/plain_text.h"
#include "bench/base/process.h"
#include "bench/base/seeded.h"
#include "bench/measure/stopping.h"
#include "bench/place/feasible.h"
#include "bench/select/options.h"
#include "bench/select/suite.h"
#include "rounds.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { GATE_FLAGS = 5, OWN_FLAGS = 5 };

static const uint64_t arm_orders = 0x636f696e73; /* a stream of random numbers */

static void make_arms(struct session *session, const struct gate_options *options)
{
    const char *const labels[GATE_SIDES_MAX] = {options->base_name, options->new_name};
    for (size_t i = 0; i < 2 + options->slowdown_count; i++) {
        const char *program = options->arguments[i == 1 ? options->argument_count - 1 : 0];
        struct arm *arm = &session->arms[session->arm_count++];
        *arm = (struct arm){
            .program = program, .label = labels[i] ? labels[i] : program, .recording = {.name = gate_sides[i]}};
        if (i >= 2)
            arm->slowdown = memory_print("--slowdown=%s", options->slowdowns[i - 2]);
    }
}

/* The value that counts of a flag, "--min-time="; NULL: it is not there. */
static const char *last_value(const char *const *flags, size_t count, const char *name)
{
    while (count-- > 0)
        if (strncmp(flags[count], name, strlen(name)) == 0)
            return flags[count] + strlen(name);
    return NULL;
}

/* The limit of the longest row that any program may have: the gate does not know their rows. */
static double row_limit(const char *const *flags, size_t count)
{
    const char *min_time = last_value(flags, count, "--min-time=");
    const char *samples_per_row = last_value(flags, count, "--samples-per-row=");
    double min_time_s;
    uint64_t samples;
    if (!min_time || !number_read_positive(min_time, "s", OPTIONS_MIN_TIME_S_MAX, &min_time_s))
        min_time_s = 0;
    if (!samples_per_row || !number_read_integer(samples_per_row, 1, STOPPING_MAX_SAMPLES, &samples))
        samples = 0;
    return stopping_row_limit_s(false, min_time_s, (int)samples, FEASIBLE_SLOW_FLOP_LIMIT);
}

/* The gate's own flags, then the user's, so that the user's win. Measuring time and threads are passed explicitly: the
 * suite of the other revision may have others. */
static void make_flags(struct session *session, const struct gate_options *options)
{
    const struct suite *suite = suite_find("gate");
    const char *const flags[GATE_FLAGS] = {"--suite=gate", options->cpu_only ? "--backend=cpu" : "--backend=cuda",
                                           options->cpu_only ? NULL : "--require=cuda", session->threads,
                                           session->min_time};
    size_t users = 0, count = 1;
    snprintf(session->threads, sizeof session->threads, "--threads=%d", suite->threads);
    snprintf(session->min_time, sizeof session->min_time, "--min-time=%g", suite->min_time_s);
    while (options->flags[users])
        users++;
    session->argv = memory_get(1 + GATE_FLAGS + users + OWN_FLAGS + 1, sizeof *session->argv);
    for (size_t i = 0; i < GATE_FLAGS; i++)
        if (flags[i])
            session->argv[count++] = flags[i];
    for (size_t i = 0; i < users; i++)
        session->argv[count++] = options->flags[i];
    session->shared_count = count;
    session->row_limit_s = row_limit(session->argv + 1, count - 1);
}

static bool open_files(struct session *session, const char *folder, struct error *error)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return error_set(error, "--keep=%s: the folder cannot be made (%s)", folder, strerror(errno));
    for (size_t i = 0; i < session->arm_count; i++) {
        char *path = gate_kept_path(folder, i);
        bool is_open = output_open(&session->files[i], path, error);
        free(path);
        if (!is_open)
            return false;
        session->file_count++;
        session->arms[i].kept = &session->files[i];
    }
    return true;
}

bool session_make(struct session *session, const struct gate_options *options, struct error *error)
{
    *session = (struct session){.options = options};
    host_unique_id(session->id, sizeof session->id);
    make_arms(session, options);
    make_flags(session, options);
    if (!options->keep || open_files(session, options->keep, error))
        return true;
    session_free(session);
    return false;
}

/* Adds what a process wrote to the arm's recording, and to its file: the header only once. */
static bool parse_output(struct arm *arm, const struct process_end *end, struct error *error)
{
    struct csv_table table;
    const char *output = end->text[PROCESS_OUT], *header_end;
    size_t bytes = end->bytes[PROCESS_OUT];
    if (end->overran || end->hung) /* perhaps in the middle of a line */
        while (bytes > 0 && output[bytes - 1] != '\n')
            bytes--;
    header_end = bytes > 0 ? memchr(output, '\n', bytes) : NULL;
    size_t header = header_end ? (size_t)(header_end + 1 - output) : bytes;
    if (arm->ended[0] != '\0' && header == bytes)
        return true;                                              /* it ended before its first row */
    char *text = memcpy(memory_get(bytes + 1, 1), output, bytes); /* parsing overwrites it */
    return csv_parse(text, bytes, arm->label, &table, error) && recording_add(&arm->recording, &table, error) &&
           (!arm->kept || arm->kept->whole > 0 || output_write_preamble(arm->kept, output, header, error)) &&
           (!arm->kept || header == bytes || output_write(arm->kept, output + header, bytes - header, error));
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
    if (session->clock.interrupted())
        return SESSION_INTERRUPTED;
    if (end->status == EXIT_RIGHT || end->status == EXIT_WRONG || (end->status == EXIT_ALL_SKIPPED && !says_nothing))
        return SESSION_DONE;
    error_set(error, "%s: %s %s%s%s", arm->recording.name, arm->label, end->how, separator, complaint);
    bool killed = end->hung || end->overran;
    if (!says_nothing && !killed && !is_crash(end->status))
        return SESSION_FAILED;
    const char *what = says_nothing ? "nothing can be measured: " : killed ? "" : "crashed: ";
    snprintf(arm->ended, sizeof arm->ended, "%sits process %s%s%s", what, end->how, separator, complaint);
    arm->owes = says_nothing ? STATUS_SKIPPED : STATUS_FAILED;
    return SESSION_DONE;
}

static enum session_end run_arm(struct session *session, struct arm *arm, size_t turn, const char *filter,
                                struct error *error)
{
    char place[96];
    struct process_end end;
    snprintf(place, sizeof place, "--sitting=%s:%zu", session->id, turn);
    const char *const own[OWN_FLAGS] = {place, "--out=-", "--progress=off", filter, arm->slowdown};
    size_t count = session->shared_count;
    session->argv[0] = arm->program;
    for (size_t i = 0; i < OWN_FLAGS; i++)
        if (own[i])
            session->argv[count++] = own[i];
    session->argv[count] = NULL;
    session->step(turn, arm->recording.name);
    struct process process = {.program = arm->program,
                              .argv = (char *const *)session->argv,
                              .interrupted = session->clock.interrupted,
                              .silence_s = &session->row_limit_s,
                              .limit_s = session->options->process_limit_s,
                              .now = session->clock.now};
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
    size_t count = session->arm_count, shuffled[GATE_SIDES_MAX] = {0};
    uint64_t seed = seeded_stream(session->options->seed, arm_orders + turn / 2);
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
        error_set(error, "%s: %s: %s", base->recording.name, base->label, base->ended);
        return all_skipped ? SESSION_ALL_SKIPPED : SESSION_FAILED;
    }
    for (size_t i = 1; i < session->arm_count; i++) {
        struct arm *arm = &session->arms[i];
        if (arm->ended[0] == '\0')
            continue;
        session->is_over = true;
        recording_add_owed(&arm->recording, &base->recording, session->id, (long)turn, arm->owes, arm->ended);
    }
    return SESSION_DONE;
}

/* Whether an arm has a wrong row that is right in the base. */
static bool find_failure(const struct session *session)
{
    for (size_t i = 1; i < session->arm_count; i++) {
        struct row_walk walk = {.recordings = {&session->arms[0].recording, &session->arms[i].recording}};
        while (walk_to_next_row(&walk))
            if (rounds_first(&walk.rounds[1], STATUS_FAILED) && !rounds_first(&walk.rounds[0], STATUS_FAILED))
                return true;
    }
    return false;
}

enum session_end session_run(struct session *session, size_t first, size_t end, const char *filter, struct error *error)
{
    const size_t turns = gate_options_turns(session->options);
    size_t order[GATE_SIDES_MAX] = {0};
    enum session_end ended = SESSION_DONE;
    for (size_t turn = first * turns; turn < end * turns && ended == SESSION_DONE && !session->is_over; turn++) {
        order_arms(session, turn, order);
        for (size_t i = 0; i < session->arm_count && ended == SESSION_DONE; i++)
            ended = run_arm(session, &session->arms[order[i]], turn, filter, error);
        if (ended == SESSION_DONE)
            ended = record_missing_rows(session, turn, error);
        if (session->ends_with_failure && (turn + 1) % turns == 0)
            session->has_failure = find_failure(session);
        session->is_over = session->is_over || session->has_failure;
    }
    for (size_t i = 0; i < session->arm_count && ended == SESSION_DONE; i++)
        if (!rounds_fold(&session->arms[i].recording, turns, error))
            ended = SESSION_FAILED;
    return ended;
}

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
static bool compare(const struct session *session, struct comparison *comparison, struct error *error)
{
    const struct arm *arms = session->arms;
    if (!comparison_make(&arms[0].recording, &arms[1].recording, session->options, session->exceptions, comparison,
                         error))
        return false;
    if (session->has_failure)
        leave_undecided(comparison);
    return true;
}

/* Clears the rows that need no confirmation, or that nobody wants to gate, and returns how many rows are left. */
static size_t clear_screened(struct comparison *comparison)
{
    size_t left = 0;
    for (size_t i = 0; i < comparison->count; i++) {
        struct compared_row *row = &comparison->rows[i];
        if (row->is_decided)
            continue;
        row->is_decided = !rule_needs_confirmation(&row->evidence) ||
                          exceptions_find(comparison->exceptions, IGNORE, row->name) != NULL;
        row->verdict = row->is_decided ? VERDICT_CLEARED : VERDICT_INCONCLUSIVE;
        left += !row->is_decided;
    }
    return left;
}

/* A --filter flag that selects only the rows that await confirmation; their names are escaped. free() it. */
static char *filter_of(const struct comparison *comparison)
{
    char *text;
    size_t bytes;
    const char *separator = "--filter=^(";
    FILE *to = memory_stream(&text, &bytes);
    for (size_t i = 0; i < comparison->count; i++) {
        if (comparison->rows[i].is_decided)
            continue;
        fputs(separator, to);
        separator = "|";
        for (const char *from = comparison->rows[i].name; *from; from++)
            fprintf(to, strchr("\\^$.|?*+()[]{}", *from) ? "\\%c" : "%c", *from);
    }
    fputs(")$", to);
    memory_stream_end(to);
    return text;
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
static enum session_end confirm(struct session *session, struct comparison *comparison, size_t *open,
                                struct error *error)
{
    size_t number = session->confirmations++, first = RULE_SCREEN_PAIRS;
    size_t needed = evidence_rounds_needed(true, *open, RULE_SESSION_LEVEL);
    size_t pairs = needed > RULE_CONFIRM_PAIRS ? needed + needed % 2 : RULE_CONFIRM_PAIRS; /* orders come in twos */
    for (size_t i = 0; i < number; i++)
        first += session->confirmation[i].pairs;
    session->confirmation[number].pairs = pairs;
    session->confirmation[number].rows = *open;
    for (int i = 0; i < 2; i++) {
        struct recording *earlier = &session->confirmation[number].earlier[i];
        *earlier = session->arms[i].recording;
        session->arms[i].recording = (struct recording){.name = earlier->name, .earlier = earlier};
    }
    char *filter = filter_of(comparison);
    enum session_end end = session_run(session, first, first + pairs, filter, error);
    free(filter);
    if (end != SESSION_DONE)
        return end;
    struct comparison confirmed;
    if (!compare(session, &confirmed, error))
        return SESSION_FAILED;
    comparison_decide(&confirmed);
    *open = adopt_confirmed(&confirmed, comparison);
    comparison_free(&confirmed);
    return SESSION_DONE;
}

enum session_end session_decide(struct session *session, struct comparison *comparison, struct error *error)
{
    enum session_end end = session_run(session, 0, RULE_SCREEN_PAIRS, NULL, error);
    if (end != SESSION_DONE)
        return end;
    if (!compare(session, comparison, error))
        return SESSION_FAILED;
    size_t open = clear_screened(comparison);
    while (end == SESSION_DONE && open > 0 && session->confirmations < RULE_CONFIRMATIONS && !session->is_over)
        end = confirm(session, comparison, &open, error);
    if (end != SESSION_DONE)
        comparison_free(comparison);
    return end;
}

bool session_keep(struct session *session, struct error *error)
{
    bool is_whole = true; /* else the arms have different rounds */
    for (size_t i = 0; i < session->file_count; i++)
        is_whole = is_whole && !session->files[i].has_failed;
    bool ok = output_commit_all(session->files, session->file_count, is_whole, error);
    session->file_count = 0;
    return ok;
}

void session_free(struct session *session)
{
    for (size_t i = 0; i < session->file_count; i++)
        output_discard(&session->files[i]);
    for (size_t i = 0; i < session->arm_count; i++) {
        recording_free(&session->arms[i].recording);
        free(session->arms[i].slowdown);
    }
    for (size_t i = 0; i < session->confirmations; i++) {
        recording_free(&session->confirmation[i].earlier[0]);
        recording_free(&session->confirmation[i].earlier[1]);
    }
    free(session->argv);
    *session = (struct session){0};
}

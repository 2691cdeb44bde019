#include "sitting.h"

#include "bench/base/files.h"
#include "bench/base/host.h"
#include "bench/base/memory.h"
#include "bench/base/plain_text.h"
#include "bench/base/process.h"
#include "bench/base/seeded.h"
#include "bench/gate/read/read.h"
#include "bench/measure/measure.h"
#include "bench/place/devices.h"
#include "bench/select/options.h"
#include "bench/select/suite.h"

#include "command.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A command is quiet as long as it likes. The first one may take an hour; what takes 5 min and 20 times as long as the
 * longest before it hangs. */
static const char filter_flag[] = "--filter=";
static const double first_limit_s = 3600, grace_s = 300, times_longest = 20;

enum { RESULTS_BYTES_MAX = 1 << 30 };
enum { GATE_FLAGS = 5, OWN_FLAGS = 5 };

static const uint64_t arm_orders = 0x636f696e73; /* a stream of random numbers */

static void make_arms(struct sitting *sitting, const struct gate_options *options)
{
    const char *const labels[GATE_SIDES_MAX] = {options->base_name, options->new_name};
    for (size_t i = 0; i < 2 + options->slowdown_count; i++) {
        const char *program = options->arguments[i == 1 ? options->argument_count - 1 : 0];
        struct arm *arm = &sitting->arms[sitting->arm_count++];
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
static void make_flags(struct sitting *sitting, const struct gate_options *options)
{
    const struct suite *suite = suite_find("gate");
    const char *const flags[GATE_FLAGS] = {"--suite=gate", options->cpu_only ? "--backend=cpu" : "--backend=cuda",
                                           options->cpu_only ? NULL : "--require=cuda", sitting->threads,
                                           sitting->min_time};
    size_t users = 0, count = 1;
    snprintf(sitting->threads, sizeof sitting->threads, "--threads=%d", suite->threads);
    snprintf(sitting->min_time, sizeof sitting->min_time, "--min-time=%g", suite->min_time_s);
    while (options->flags[users])
        users++;
    sitting->argv = memory_get(1 + GATE_FLAGS + users + OWN_FLAGS + 1, sizeof *sitting->argv);
    for (size_t i = 0; i < GATE_FLAGS; i++)
        if (flags[i])
            sitting->argv[count++] = flags[i];
    for (size_t i = 0; i < users; i++)
        sitting->argv[count++] = options->flags[i];
    sitting->shared_count = count;
    sitting->row_limit_s = row_limit(sitting->argv + 1, count - 1);
}

/* What --slowdown is to a command: times of these rows are multiplied as they are read. */
static bool slow_times(struct arm *arm, const char *wish, struct error *error)
{
    struct error reason;
    double percent;
    const char *colon = strrchr(wish, ':');
    if (!colon || !number_read_positive(colon + 1, NULL, 1000, &percent))
        return error_set(error, "--slowdown=%s: expected REGEX:PERCENT, the percentage above 0 and at most 1000", wish);
    arm->factor = 1 + percent / 100;
    arm->slowed = pattern_make(wish, (size_t)(colon - wish), PATTERN_PART, &reason);
    return arm->slowed || error_set(error, "--slowdown=%s: %.300s", wish, reason.text);
}

static bool prepare_commands(struct sitting *sitting, struct error *error)
{
    const struct gate_options *options = sitting->options;
    left_behind_adopt();
    sitting->row_limit_s = INFINITY;
    for (size_t i = 0; i < options->slowdown_count; i++)
        if (!slow_times(&sitting->arms[2 + i], options->slowdowns[i], error))
            return false;
    return command_make_folder(options->commands[0], options->commands[1], &sitting->folder, error);
}

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
    *sitting = (struct sitting){.options = options};
    host_unique_id(sitting->id, sizeof sitting->id);
    make_arms(sitting, options);
    make_flags(sitting, options);
    if ((!options->runs_commands || prepare_commands(sitting, error)) &&
        (!options->keep || open_files(sitting, options->keep, error)))
        return true;
    sitting_free(sitting);
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

/* Keeps the rounds in the arm's file, and adds them to its recording. */
static bool take_rounds(struct arm *arm, struct recording *rounds, struct error *error)
{
    bool ok = !arm->kept || ((arm->kept->whole > 0 ||
                              output_write_preamble(arm->kept, plain_csv_header, strlen(plain_csv_header), error)) &&
                             output_print(arm->kept, plain_csv_put, rounds, error));
    recording_move(&arm->recording, rounds);
    return ok;
}

/* Adds what a command wrote, as one round. */
static bool read_results(struct sitting *sitting, struct arm *arm, size_t turn, struct process_end *end,
                         struct error *error)
{
    struct error reason;
    struct recording rounds = {.name = arm->label, .filter = sitting->wanted.pattern ? &sitting->wanted : NULL};
    struct reading reading = {.name = arm->label, .is_process = true, .to = &rounds};
    char *path = command_out(arm->program, sitting->folder);
    reading.path = path;
    reading.text = path ? regular_file_read(path, arm->label, RESULTS_BYTES_MAX, &reading.bytes, &reason)
                        : memory_print("%s", end->text[PROCESS_OUT] ? end->text[PROCESS_OUT] : "");
    reading.bytes = path ? reading.bytes : strlen(reading.text);
    bool ok = reading.text && results_read(&reading, sitting->options->format, &reason);
    free(path);
    for (size_t i = 0; ok && arm->slowed && i < rounds.count; i++)
        if (pattern_matches(arm->slowed, rounds.items[i].name)) {
            rounds.items[i].time_s *= arm->factor;
            rounds.items[i].slowed = true;
        }
    if (ok) {
        rounds_join(&rounds, sitting->id, (long)turn);
        return take_rounds(arm, &rounds, error);
    }
    recording_free(&rounds);
    return error_set(error, "%s: %s; it %s", arm->recording.name, reason.text, end->how);
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

/* Whether the process has ended as one does that has results. */
static bool has_results(const struct sitting *sitting, const struct process_end *end, bool wrote)
{
    if (sitting->options->runs_commands)
        return wrote && end->status < EXIT_SIGNAL_BASE;
    return end->status == EXIT_RIGHT || end->status == EXIT_WRONG || (end->status == EXIT_ALL_SKIPPED && wrote);
}

/* What the process's end means for the sitting. */
static enum sitting_end classify_exit(struct sitting *sitting, struct arm *arm, const struct process_end *end,
                                      struct error *error)
{
    char complaint[512];
    bool wrote = end->bytes[PROCESS_OUT] > 0 || command_has_written(sitting->folder);
    bool says_nothing = end->status == EXIT_ALL_SKIPPED && !wrote;
    process_last_line(end->text[PROCESS_ERR], complaint, sizeof complaint);
    const char *separator = complaint[0] ? ": " : "";
    if (sitting->clock.interrupted())
        return SITTING_INTERRUPTED;
    if (has_results(sitting, end, wrote))
        return SITTING_DONE;
    error_set(error, "%s: %s %s%s%s%s", arm->recording.name, arm->label, end->how,
              end->status == EXIT_RIGHT ? " and wrote nothing" : "", separator, complaint);
    bool killed = end->hung || end->overran;
    if (!says_nothing && !killed && !is_crash(end->status))
        return SITTING_FAILED;
    const char *what = says_nothing ? "nothing can be measured: " : killed ? "" : "crashed: ";
    snprintf(arm->ended, sizeof arm->ended, "%sits process %s%s%s", what, end->how, separator, complaint);
    arm->owes = says_nothing ? STATUS_SKIPPED : STATUS_FAILED;
    return SITTING_DONE;
}

/* Runs the arm's program once. */
static bool run_program(struct sitting *sitting, const struct arm *arm, size_t turn, const char *filter,
                        struct process_end *end, struct error *error)
{
    char place[96];
    snprintf(place, sizeof place, "--sitting=%s:%zu", sitting->id, turn);
    const char *const own[OWN_FLAGS] = {place, "--out=-", "--progress=off", filter, arm->slowdown};
    size_t count = sitting->shared_count;
    sitting->argv[0] = arm->program;
    for (size_t i = 0; i < OWN_FLAGS; i++)
        if (own[i])
            sitting->argv[count++] = own[i];
    sitting->argv[count] = NULL;
    struct process process = {.program = arm->program,
                              .argv = (char *const *)sitting->argv,
                              .interrupted = sitting->clock.interrupted,
                              .silence_s = &sitting->row_limit_s,
                              .limit_s = sitting->options->process_limit_s,
                              .now = sitting->clock.now};
    return process_run(&process, end, error);
}

/* The same of a command, and ends all that it leaves behind. */
static bool run_command(struct sitting *sitting, const struct arm *arm, const char *filter, struct process_end *end,
                        struct error *error)
{
    char *text = command_text(arm->program, sitting->folder, filter);
    char *const argv[] = {"sh", "-c", text, NULL};
    const double own_s = sitting->options->process_limit_s, start_s = sitting->clock.now();
    struct process process = {.program = "/bin/sh",
                              .argv = argv,
                              .interrupted = sitting->clock.interrupted,
                              .is_killed = true,
                              .limit_s = own_s > 0                ? own_s
                                         : sitting->longest_s > 0 ? grace_s + times_longest * sitting->longest_s
                                                                  : first_limit_s,
                              .now = sitting->clock.now};
    bool ok = process_run(&process, end, error);
    sitting->longest_s = fmax(sitting->longest_s, sitting->clock.now() - start_s);
    left_behind_kill(NULL, 0);
    free(text);
    return ok;
}

/* What a command has complained of, of which the error has only the last line. */
static void tell_all(char *text)
{
    for (char *line = text ? strtok(text, "\n") : NULL; line; line = strtok(NULL, "\n")) {
        plain_text_put(stderr, line);
        fputc('\n', stderr);
    }
}

static enum sitting_end run_arm(struct sitting *sitting, struct arm *arm, size_t turn, const char *filter,
                                struct error *error)
{
    const bool is_command = sitting->options->runs_commands;
    struct process_end end;
    sitting->step(turn, arm->recording.name);
    if (!(is_command ? run_command(sitting, arm, filter, &end, error)
                     : run_program(sitting, arm, turn, filter, &end, error)))
        return SITTING_FAILED;
    enum sitting_end ended = classify_exit(sitting, arm, &end, error);
    bool is_done = ended == SITTING_DONE && !(is_command && arm->ended[0]);
    if (is_done && !(is_command ? read_results(sitting, arm, turn, &end, error) : parse_output(arm, &end, error)))
        ended = SITTING_FAILED;
    if (ended == SITTING_FAILED && is_command)
        tell_all(end.text[PROCESS_ERR]);
    command_clear(sitting->folder);
    process_end_free(&end);
    return ended;
}

/* A random order of the arms for every other turn; all orders are equally likely up to 1 in 2^60 (D. E. Knuth, "The Art
 * of Computer Programming", volume 2, 3rd ed., section 3.4.2, algorithm P). The next turn has it reversed, so that each
 * arm is as often the first as the last. */
static void order_arms(const struct sitting *sitting, size_t turn, size_t *order)
{
    size_t count = sitting->arm_count, shuffled[GATE_SIDES_MAX] = {0};
    uint64_t seed = seeded_stream(sitting->options->seed, arm_orders + turn / 2);
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
        recording_add_owed(&arm->recording, &base->recording, sitting->id, (long)turn, arm->owes, arm->ended);
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

enum sitting_end sitting_run(struct sitting *sitting, size_t first, size_t end, const char *filter, struct error *error)
{
    const size_t turns = gate_options_turns(sitting->options);
    size_t order[GATE_SIDES_MAX] = {0};
    enum sitting_end ended = SITTING_DONE;
    const char *wanted = filter ? filter + strlen(filter_flag) : sitting->options->filter;
    pattern_free(sitting->wanted.pattern);
    sitting->wanted.pattern = NULL;
    if (sitting->options->runs_commands) {
        if (wanted && !row_filter_make(wanted, &sitting->wanted, error))
            return SITTING_FAILED;
        filter = wanted && !sitting->wanted.negates ? wanted : ".";
    }
    for (size_t turn = first * turns; turn < end * turns && ended == SITTING_DONE && !sitting->is_over; turn++) {
        order_arms(sitting, turn, order);
        for (size_t i = 0; i < sitting->arm_count && ended == SITTING_DONE; i++)
            ended = run_arm(sitting, &sitting->arms[order[i]], turn, filter, error);
        if (ended == SITTING_DONE)
            ended = record_missing_rows(sitting, turn, error);
        if (sitting->ends_with_failure && (turn + 1) % turns == 0)
            sitting->has_failure = find_failure(sitting);
        sitting->is_over = sitting->is_over || sitting->has_failure;
    }
    for (size_t i = 0; i < sitting->arm_count && ended == SITTING_DONE; i++)
        if (!rounds_fold(&sitting->arms[i].recording, turns, error))
            ended = SITTING_FAILED;
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
static bool compare(const struct sitting *sitting, struct comparison *comparison, struct error *error)
{
    const struct arm *arms = sitting->arms;
    if (!comparison_make(&arms[0].recording, &arms[1].recording, sitting->options, sitting->exceptions, comparison,
                         error))
        return false;
    if (sitting->has_failure)
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
    const char *separator = "^(";
    FILE *to = memory_stream(&text, &bytes);
    fputs(filter_flag, to);
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
    size_t wanted = sitting->options->pairs, pairs = needed > wanted ? needed : wanted;
    pairs += pairs % 2; /* orders come in twos */
    for (size_t i = 0; i < number; i++)
        first += sitting->confirmation[i].pairs;
    sitting->confirmation[number].pairs = pairs;
    sitting->confirmation[number].rows = *open;
    for (int i = 0; i < 2; i++) {
        struct recording *earlier = &sitting->confirmation[number].earlier[i];
        *earlier = sitting->arms[i].recording;
        sitting->arms[i].recording = (struct recording){.name = earlier->name, .earlier = earlier};
    }
    char *filter = filter_of(comparison);
    enum sitting_end end = sitting_run(sitting, first, first + pairs, filter, error);
    free(filter);
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
    enum sitting_end end = sitting_run(sitting, 0, RULE_SCREEN_PAIRS, NULL, error);
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
    for (size_t i = 0; i < sitting->arm_count; i++) {
        recording_free(&sitting->arms[i].recording);
        free(sitting->arms[i].slowdown);
        pattern_free(sitting->arms[i].slowed);
    }
    for (size_t i = 0; i < sitting->confirmations; i++) {
        recording_free(&sitting->confirmation[i].earlier[0]);
        recording_free(&sitting->confirmation[i].earlier[1]);
    }
    pattern_free(sitting->wanted.pattern);
    command_remove_folder(sitting->folder);
    free(sitting->argv);
    *sitting = (struct sitting){0};
}

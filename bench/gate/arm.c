#include "arm.h"

#include "bench/base/files.h"
#include "bench/base/memory.h"
#include "bench/base/plain_text.h"
#include "bench/base/process.h"
#include "bench/measure/measure.h"
#include "bench/place/devices.h"
#include "bench/select/options.h"
#include "bench/select/suite.h"
#include "bench/gate/read/read.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A command is quiet as long as it likes. The first one may take an hour; what takes 5 min and 20 times as long as the
 * longest before it hangs. */
static const double first_limit_s = 3600, grace_s = 300, times_longest = 20;

enum { GATE_FLAGS = 5, OWN_FLAGS = 5 };

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
static void make_flags(struct terms *terms, const struct gate_options *options)
{
    const struct suite *suite = suite_find("gate");
    const char *const flags[GATE_FLAGS] = {"--suite=gate", options->cpu_only ? "--backend=cpu" : "--backend=cuda",
                                           options->cpu_only ? NULL : "--require=cuda", terms->threads,
                                           terms->min_time};
    size_t users = 0, count = 1;
    snprintf(terms->threads, sizeof terms->threads, "--threads=%d", suite->threads);
    snprintf(terms->min_time, sizeof terms->min_time, "--min-time=%g", suite->min_time_s);
    while (options->flags[users])
        users++;
    terms->argv = memory_get(1 + GATE_FLAGS + users + OWN_FLAGS + 1, sizeof *terms->argv);
    for (size_t i = 0; i < GATE_FLAGS; i++)
        if (flags[i])
            terms->argv[count++] = flags[i];
    for (size_t i = 0; i < users; i++)
        terms->argv[count++] = options->flags[i];
    terms->shared_count = count;
    terms->row_limit_s = row_limit(terms->argv + 1, count - 1);
}

char *const *terms_flags(struct terms *terms)
{
    if (!terms->argv)
        return NULL;
    terms->argv[terms->shared_count] = NULL;
    return (char *const *)terms->argv + 1;
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

/* The bytes of the first line: a program writes its header even where it can measure nothing. */
static size_t header_of(const char *output, size_t bytes)
{
    const char *end = bytes > 0 ? memchr(output, '\n', bytes) : NULL;
    return end ? (size_t)(end + 1 - output) : bytes;
}

/* Adds what a process wrote to the arm's recording, and to its file: the header only once. */
static bool parse_output(struct arm *arm, const struct process_end *end, struct error *error)
{
    struct csv_table table;
    const char *output = end->text[PROCESS_OUT];
    size_t bytes = end->bytes[PROCESS_OUT];
    if (end->overran || end->hung) /* perhaps in the middle of a line */
        while (bytes > 0 && output[bytes - 1] != '\n')
            bytes--;
    const size_t header = header_of(output, bytes);
    if (arm->ended[0] != '\0' && header == bytes)
        return true;                                              /* it ended before its first row */
    char *text = memcpy(memory_get(bytes + 1, 1), output, bytes); /* parsing overwrites it */
    return csv_parse(text, bytes, arm->label, &table, error) && recording_add(&arm->recording, &table, error) &&
           (!arm->kept || arm->kept->whole > 0 || output_write_preamble(arm->kept, output, header, error)) &&
           (!arm->kept || header == bytes || output_write(arm->kept, output + header, bytes - header, error));
}

static bool take_rounds(struct arm *arm, struct recording *rounds, struct error *error)
{
    bool ok = !arm->kept || ((arm->kept->whole > 0 ||
                              output_write_preamble(arm->kept, plain_csv_header, strlen(plain_csv_header), error)) &&
                             output_print(arm->kept, plain_csv_put, rounds, error));
    recording_move(&arm->recording, rounds);
    return ok;
}

static void end_arm(struct arm *arm, const struct process_end *end)
{
    const bool skips = end->status == EXIT_ALL_SKIPPED, is_killed = end->hung || end->overran;
    const char *what = skips ? "nothing can be measured: " : is_killed ? "" : "crashed: ";
    char complaint[512];
    process_last_line(end->text[PROCESS_ERR], complaint, sizeof complaint);
    snprintf(arm->ended, sizeof arm->ended, "%sits process %s%s%s", what, end->how, complaint[0] ? ": " : "",
             complaint);
    arm->owes = skips ? STATUS_SKIPPED : STATUS_FAILED;
}

static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+";

/* Makes the folder for GATE_OUT, if the command has that, else an empty name. False: it cannot be made, or has a name
 * that a shell would not leave as it is. */
static bool make_folder(const char *command, struct terms *terms, struct error *error)
{
    char *folder = terms->folder;
    folder[0] = terms->out[0] = '\0';
    if (!strstr(command, GATE_OUT))
        return true;
    const bool is_made = temporary_folder_make("rungbench-gate", folder);
    if (is_made && folder[strspn(folder, plain)] == '\0') {
        snprintf(terms->out, sizeof terms->out, "%s/out", folder);
        return true;
    }
    error_set(error, GATE_OUT ": no folder %s can be made (%s)", folder,
              is_made ? "its name is no plain word" : strerror(errno));
    if (is_made)
        folder_remove(folder);
    folder[0] = '\0';
    return false;
}

static void put_quoted(FILE *to, const char *text)
{
    fputc('\'', to);
    for (; *text; text++)
        fputs(*text == '\'' ? "'\\''" : (const char[]){*text, '\0'}, to);
    fputc('\'', to);
}

/* What the shell gets. free() it. */
static char *command_text(const char *command, const char *out, const char *filter)
{
    char *text;
    size_t bytes;
    FILE *to = memory_stream(&text, &bytes);
    while (*command) {
        if (strncmp(command, GATE_OUT, strlen(GATE_OUT)) == 0) {
            fputs(out, to);
            command += strlen(GATE_OUT);
        } else if (strncmp(command, GATE_FILTER, strlen(GATE_FILTER)) == 0) {
            put_quoted(to, filter);
            command += strlen(GATE_FILTER);
        } else {
            fputc(*command++, to);
        }
    }
    memory_stream_end(to);
    return text;
}

static bool read_results(struct terms *terms, struct arm *arm, size_t turn, struct process_end *end,
                         struct error *error)
{
    struct error reason;
    struct recording rounds = {.name = arm->label, .wants = arm->recording.wants, .choice = arm->recording.choice};
    const char *path = terms->out[0] ? terms->out : NULL;
    struct reading reading = {
        .name = arm->label, .path = path, .bytes = end->bytes[PROCESS_OUT], .is_process = true, .to = &rounds};
    if (path) {
        reading.text = regular_file_read(path, arm->label, terms->results_bytes_max, &reading.bytes, &reason);
    } else {
        reading.text = end->text[PROCESS_OUT]; /* whose owner it becomes */
        end->text[PROCESS_OUT] = NULL;
    }
    bool ok = reading.text && results_read(&reading, terms->options->format, &reason);
    for (struct observation *round = rounds.items; ok && round < rounds.items + rounds.count; round++) {
        round->sitting = terms->id;
        round->round = (long)turn;
        if (arm->slowed && pattern_matches(arm->slowed, round->name)) {
            round->time_s *= arm->factor;
            round->slowed = true;
        }
    }
    if (ok)
        return take_rounds(arm, &rounds, error);
    recording_free(&rounds);
    if (end->status != EXIT_ALL_SKIPPED)
        return error_set(error, "%s: %s; it %s", arm->recording.name, reason.text, end->how);
    end_arm(arm, end);
    return true;
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

static bool has_results(const struct terms *terms, const struct process_end *end, bool wrote)
{
    if (terms->options->runs_commands)
        return wrote && end->status < EXIT_SIGNAL_BASE;
    const size_t bytes = end->bytes[PROCESS_OUT];
    return end->status == EXIT_RIGHT || end->status == EXIT_WRONG ||
           (end->status == EXIT_ALL_SKIPPED && header_of(end->text[PROCESS_OUT], bytes) < bytes);
}

static enum sitting_end classify_exit(struct terms *terms, struct arm *arm, const struct process_end *end,
                                      struct error *error)
{
    char complaint[512];
    const bool wrote = end->bytes[PROCESS_OUT] > 0 || (terms->out[0] && access(terms->out, F_OK) == 0);
    process_last_line(end->text[PROCESS_ERR], complaint, sizeof complaint);
    if (terms->clock.interrupted())
        return SITTING_INTERRUPTED;
    if (has_results(terms, end, wrote))
        return SITTING_DONE;
    error_set(error, "%s: %s %s%s%s%s", arm->recording.name, arm->label, end->how,
              end->status == EXIT_RIGHT ? " and wrote nothing" : "", complaint[0] ? ": " : "", complaint);
    if (end->status != EXIT_ALL_SKIPPED && !end->hung && !end->overran && !is_crash(end->status))
        return SITTING_FAILED;
    end_arm(arm, end);
    return SITTING_DONE;
}

static bool run_program(struct terms *terms, const struct arm *arm, size_t turn, const char *filter,
                        struct process_end *end, struct error *error)
{
    char place[96], *wanted = filter ? memory_print("--filter=%s", filter) : NULL;
    snprintf(place, sizeof place, "--sitting=%s:%zu", terms->id, turn);
    const char *const own[OWN_FLAGS] = {place, "--out=-", "--progress=off", wanted, arm->slowdown};
    size_t count = terms->shared_count;
    terms->argv[0] = arm->program;
    for (size_t i = 0; i < OWN_FLAGS; i++)
        if (own[i])
            terms->argv[count++] = own[i];
    terms->argv[count] = NULL;
    struct process process = {.program = arm->program,
                              .argv = (char *const *)terms->argv,
                              .interrupted = terms->clock.interrupted,
                              .silence_s = &terms->row_limit_s,
                              .limit_s = terms->options->process_limit_s,
                              .now = terms->clock.now};
    bool ok = process_run(&process, end, error);
    free(wanted);
    return ok;
}

/* What a command writes, as long as that is no more than results may have. */
struct flood {
    size_t most;
    bool is_there;
};

/* Of more than that nothing is kept. */
static size_t take_flood(void *self, const char *text, size_t bytes)
{
    struct flood *flood = self;
    (void)text;
    flood->is_there = flood->is_there || bytes > flood->most;
    return flood->is_there ? bytes : 0;
}

static const char *find_flood(const void *self, long number)
{
    (void)number;
    return ((const struct flood *)self)->is_there ? "wrote too much" : NULL;
}

/* The same of a command, and ends all that it leaves behind. GATE_FILTER knows no negation. */
static bool run_command(struct terms *terms, const struct arm *arm, const char *filter, struct process_end *end,
                        struct error *error)
{
    struct flood flood = {.most = terms->results_bytes_max};
    const char *own = terms->options->filter;
    if (!make_folder(arm->program, terms, error))
        return false;
    filter = filter ? filter : own && own[0] != '-' ? own : ".";
    char *text = command_text(arm->program, terms->out, filter);
    char *const argv[] = {"sh", "-c", text, NULL};
    const double own_s = terms->options->process_limit_s, start_s = terms->clock.now();
    struct process process = {.program = "/bin/sh",
                              .argv = argv,
                              .interrupted = terms->clock.interrupted,
                              .is_killed = true,
                              .limit_s = own_s > 0              ? own_s
                                         : terms->longest_s > 0 ? grace_s + times_longest * terms->longest_s
                                                                : first_limit_s,
                              .now = terms->clock.now,
                              .excess = find_flood,
                              .take = {take_flood, take_flood, take_flood},
                              .self = &flood};
    bool ok = process_run(&process, end, error);
    terms->longest_s = fmax(terms->longest_s, terms->clock.now() - start_s);
    left_behind_kill(NULL, 0);
    free(text);
    if (flood.is_there)
        return error_set(error, "%s: %s writes more than %zu bytes, which results may have at most",
                         arm->recording.name, arm->label, flood.most);
    return ok;
}

enum sitting_end arm_run(struct arm *arm, struct terms *terms, size_t turn, const char *filter, struct error *error)
{
    const bool is_command = terms->options->runs_commands;
    struct process_end end = {0};
    enum sitting_end ended = SITTING_FAILED;
    terms->step(turn, arm->recording.name);
    if (is_command ? run_command(terms, arm, filter, &end, error) : run_program(terms, arm, turn, filter, &end, error))
        ended = classify_exit(terms, arm, &end, error);
    bool is_done = ended == SITTING_DONE && !(is_command && arm->ended[0]);
    if (is_done && !(is_command ? read_results(terms, arm, turn, &end, error) : parse_output(arm, &end, error)))
        ended = SITTING_FAILED;
    if (ended == SITTING_FAILED && is_command) /* the error has only the last line */
        plain_text_tell(end.text[PROCESS_ERR], end.bytes[PROCESS_ERR], SIZE_MAX);
    folder_remove(terms->folder);
    process_end_free(&end);
    return ended;
}

bool terms_make(struct terms *terms, const struct gate_options *options, struct error *error)
{
    *terms = (struct terms){.options = options, .results_bytes_max = RESULTS_BYTES_MAX};
    host_unique_id(terms->id, sizeof terms->id);
    make_flags(terms, options);
    if (options->runs_commands)
        left_behind_adopt();
    terms->filter = options->filter ? row_filter_make(options->filter, error) : NULL;
    return !options->filter || terms->filter;
}

void terms_free(struct terms *terms)
{
    pattern_free(terms->filter);
    free(terms->argv);
}

bool arm_make(struct arm *arm, size_t side, const struct terms *terms, struct error *error)
{
    const struct gate_options *options = terms->options;
    const char *const labels[GATE_SIDES_MAX] = {options->base_name, options->new_name};
    const char *program = options->arguments[side == 1 ? options->argument_count - 1 : 0];
    *arm = (struct arm){.program = program,
                        .label = labels[side] ? labels[side] : program,
                        .recording = {.name = gate_sides[side],
                                      .wants = terms->filter ? row_filter_wants : NULL,
                                      .choice = terms->filter}};
    if (side < 2)
        return true;
    const char *wish = options->slowdowns[side - 2];
    arm->slowdown = memory_print("--slowdown=%s", wish);
    return !options->runs_commands || slow_times(arm, wish, error);
}

void arm_free(struct arm *arm)
{
    recording_free(&arm->recording);
    free(arm->slowdown);
    pattern_free(arm->slowed);
}

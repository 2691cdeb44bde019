#include "supervisor.h"

#include "bench/base/crash.h"
#include "bench/base/csv_table.h"
#include "bench/base/exit_status.h"
#include "bench/base/process.h"
#include "bench/measure/stopping.h"
#include "bench/report/result_csv.h"
#include "channel.h"
#include "row_result.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OWN_ARGUMENTS = 6 };

struct round {
    const struct supervisor *supervisor;
    int number;
    bool *done; /* by row of the selection */
    struct error *error;
    bool writable; /* no reporter has failed, and the results could be read */
    /* Of the worker: */
    bool is_first;             /* of the round */
    const struct row *running; /* NULL: it has begun none */
    char crash[256];           /* what it said of the signal that ends it; else empty */
    bool has_samples;          /* the header of its samples has come */
};

/* Ends the worker on an interruption, or when its results cannot be written. */
static int signal_for(const void *self)
{
    const struct round *round = self;
    int number = round->supervisor->interrupted();
    return number || round->writable ? number : SIGTERM;
}

/* The limit of the row in progress. */
static double silence_limit(const void *self)
{
    const struct round *round = self;
    const struct row *row = round->running;
    return stopping_row_limit_s(round->supervisor->min_time_s, row ? row->rung->op->cost(row->workload).flops : 0);
}

/* NULL: there is none. */
static const struct row *find_row(const struct selection *selection, const char *name)
{
    for (size_t i = 0; i < selection->count; i++) {
        char other[160];
        row_name(&selection->rows[i], other, sizeof other);
        if (strcmp(name, other) == 0)
            return &selection->rows[i];
    }
    return NULL;
}

static bool *done_of(const struct round *round, const struct row *row)
{
    return &round->done[row - round->supervisor->selection->rows];
}

static size_t count_done(const struct round *round)
{
    size_t count = 0;
    for (size_t i = 0; i < round->supervisor->selection->count; i++)
        count += round->done[i];
    return count;
}

static void report(struct round *round, const struct row *row, const struct result *result)
{
    *done_of(round, row) = true;
    round->writable = judge_early(round->supervisor->judge, result, round->error);
}

static void take_row(void *self, const char *name)
{
    struct round *round = self;
    const struct selection *selection = round->supervisor->selection;
    const struct row *row = find_row(selection, name);
    if (!row || !round->writable)
        return;
    round->running = row;
    round->crash[0] = '\0';
    round->supervisor->step((size_t)round->number * selection->count + count_done(round), name);
}

static void take_ceiling(void *self, const struct ceiling *measured)
{
    judge_ceiling(((struct round *)self)->supervisor->judge, measured);
}

static void take_crash(void *self, const char *what)
{
    struct round *round = self;
    snprintf(round->crash, sizeof round->crash, "%s", what);
}

/* What is the same in all rounds is the supervisor's own: cells of the CSV are rounded. */
static void report_read(struct round *round, const struct result *read, const struct row *row)
{
    struct result result = *read, own = row_result(row, round->supervisor->facts, NULL);
    result.run = round->supervisor->facts;
    result.round_count = result.run->round_count;
    result.round = round->number;
    result.bytes = own.bytes;
    result.flops = own.flops;
    report(round, row, &result);
}

static bool read_record(const char *record, const struct registry *registry, struct run_facts *facts,
                        struct device_info *device, struct result *result, struct error *error)
{
    struct csv_table table;
    const char *header = report_csv_header();
    size_t bytes = strlen(header) + strlen(record);
    char *csv = malloc(bytes + 1);
    if (!csv)
        return error_set(error, "no memory for a row");
    snprintf(csv, bytes + 1, "%s%s", header, record);
    bool ok = csv_parse(csv, bytes, "a worker's result", &table, error);
    if (ok)
        ok = table.rows == 1 ? result_read(&table, 0, registry, facts, device, result, error)
                             : error_set(error, "a worker's result is no row");
    csv_free(&table);
    return ok;
}

static void take_result(void *self, const char *record)
{
    struct round *round = self;
    struct result result;
    struct run_facts facts;
    struct device_info device;
    if (!round->writable)
        return;
    round->writable =
        record ? read_record(record, round->supervisor->judge->registry, &facts, &device, &result, round->error)
               : error_set(round->error, "no memory for a row");
    if (!round->writable)
        return;
    const struct row *row = find_row(round->supervisor->selection, result.name);
    if (row && !*done_of(round, row))
        report_read(round, &result, row);
}

static size_t take_messages(void *self, const char *text, size_t bytes)
{
    const struct channel_listener listener = {self, take_row, take_ceiling, take_result, take_crash};
    return channel_take(&listener, text, bytes);
}

static size_t whole_lines(const char *text, size_t bytes)
{
    while (bytes > 0 && text[bytes - 1] != '\n')
        bytes--;
    return bytes;
}

/* Copies whole lines of samples: their format is that of our file. */
static size_t take_samples(void *self, const char *text, size_t bytes)
{
    struct round *round = self;
    size_t lines = whole_lines(text, bytes);
    if (lines > 0 && !round->has_samples) {
        round->has_samples = true;
        return strcspn(text, "\n") + 1;
    }
    if (lines > 0 && round->writable)
        round->writable = output_write(round->supervisor->samples, text, lines, round->error);
    return lines;
}

/* Notes are the same in all workers. */
static void take_line(struct round *round, const char *line)
{
    static const char note[] = "rungbench: note: ";
    if ((round->number == 0 && round->is_first) || strncmp(line, note, sizeof note - 1) != 0)
        round->supervisor->message(line);
}

static size_t take_lines(void *self, const char *text, size_t bytes)
{
    size_t lines = whole_lines(text, bytes);
    for (const char *at = text; at < text + lines; at += strcspn(at, "\n") + 1) {
        char line[512];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
        take_line(self, line);
    }
    return lines;
}

static size_t count_flags(char *const *flags)
{
    size_t count = 0;
    while (flags[count])
        count++;
    return count;
}

/* Runs a worker to its end. */
static bool run_worker(struct round *round, struct process_end *end)
{
    const struct supervisor *supervisor = round->supervisor;
    size_t count = count_flags(supervisor->flags);
    char place[96], budget[48];
    double left_s = supervisor->budget_s - (supervisor->now() - supervisor->facts->start_s);
    char *done = rows_done_text(round->done, supervisor->selection->count);
    char **argv = calloc(count + OWN_ARGUMENTS + 2, sizeof *argv);
    if (!argv || !done) {
        free(argv);
        free(done);
        return error_set(round->error, "no memory for the arguments of a worker");
    }
    snprintf(place, sizeof place, "--sitting=%s:%d", supervisor->facts->session, round->number);
    snprintf(budget, sizeof budget, "--budget=%.9g",
             fmax(left_s, 1e-9)); /* if spent, its rows are skipped with that reason */
    char *own[OWN_ARGUMENTS] = {"--worker",
                                done,
                                supervisor->facts->round_count > 1 ? place : NULL,
                                isinf(left_s) ? NULL : budget,
                                "--progress=off",
                                supervisor->samples ? "--samples=/dev/fd/3" : NULL};
    size_t at = 0;
    argv[at++] = "rungbench";
    for (size_t i = 0; i < count; i++)
        argv[at++] = supervisor->flags[i];
    for (size_t i = 0; i < OWN_ARGUMENTS; i++)
        if (own[i])
            argv[at++] = own[i];
    struct process process = {
        .program = supervisor->program,
        .argv = argv,
        .interrupted = signal_for,
        .silence_s = silence_limit,
        .stderr_is_noise = true,
        .now = supervisor->now,
        .take = {[PROCESS_OUT] = take_messages,
                 [PROCESS_ERR] = take_lines,
                 [PROCESS_EXTRA] = supervisor->samples ? take_samples : NULL},
        .self = round,
    };
    bool ok = process_run(&process, end, round->error);
    if (ok && end->bytes[PROCESS_ERR] > 0) /* a last line without an end */
        take_line(round, end->text[PROCESS_ERR]);
    free(argv);
    free(done);
    return ok;
}

/* Whether the process ended as rungbench does. */
static bool ended_well(const struct process_end *end)
{
    return end->status == EXIT_RIGHT || end->status == EXIT_WRONG || end->status == EXIT_USAGE ||
           end->status == EXIT_ALL_SKIPPED;
}

/* What the rung did to its process. */
static void say_how(const struct round *round, const struct process_end *end, char *text, size_t size)
{
    int handled = end->signal == 0 ? end->status - EXIT_SIGNAL_BASE : 0; /* rungbench's own status after a signal */
    if (end->hung)
        snprintf(text, size, "%s", end->how);
    else if (round->crash[0] != '\0')
        snprintf(text, size, "crashed: %s", round->crash);
    else if (end->signal != 0 && crash_signal_name(end->signal))
        snprintf(text, size, "crashed: %s", crash_signal_name(end->signal));
    else if (end->signal != 0)
        snprintf(text, size, "its process %s", end->how);
    else if (handled == SIGTERM || handled == SIGINT || handled == SIGHUP)
        snprintf(text, size, "its process was told to end by signal %d (%s), which did not come for the run", handled,
                 strsignal(handled));
    else
        snprintf(text, size, "ended the process with exit status %d", end->status);
}

static void report_unmeasured(struct round *round, const struct row *row, enum status status, const char *reason)
{
    struct run_facts facts = *round->supervisor->facts;
    facts.round = round->number;
    struct result result = row_result(row, &facts, NULL);
    result.run = round->supervisor->facts;
    result.status = status;
    snprintf(result.reason, sizeof result.reason, "%s", reason);
    report(round, row, &result);
}

static void report_left(struct round *round, const struct rung *rung, enum status status, const char *reason)
{
    const struct selection *selection = round->supervisor->selection;
    for (size_t i = 0; i < selection->count && round->writable; i++)
        if (!round->done[i] && (!rung || selection->rows[i].rung == rung))
            report_unmeasured(round, &selection->rows[i], status, reason);
}

static void say_of_round(const struct round *round, const char *what)
{
    char line[512];
    snprintf(line, sizeof line, "rungbench: the process of round %d: %s", round->number, what);
    round->supervisor->message(line);
}

/* Fails the row in progress, and all of its rung that are left: it is not run again in this round. */
static void blame_rung(struct round *round, const struct process_end *end)
{
    char how[384], others[224], name[160];
    const struct row *running = round->running;
    say_how(round, end, how, sizeof how);
    row_name(running, name, sizeof name);
    snprintf(others, sizeof others, "not run: the rung ended its process in row %s", name);
    if (*done_of(round, running)) /* it was measured: no row would say it */
        say_of_round(round, how);
    else
        report_unmeasured(round, running, STATUS_FAILED, how);
    report_left(round, running->rung, STATUS_FAILED, others);
}

/* The worker has begun no row, and is not to blame for it if it has said why. */
static int end_without_row(struct round *round, const struct process_end *end)
{
    char how[384], reason[448];
    if (end->status == EXIT_USAGE || (end->status == EXIT_ALL_SKIPPED && count_done(round) == 0))
        return end->status;
    say_how(round, end, how, sizeof how);
    say_of_round(round, how);
    snprintf(reason, sizeof reason, "not reached: before the first row of its process, %s", how);
    report_left(round, NULL, STATUS_SKIPPED, reason);
    return EXIT_WRONG;
}

/* What the end of a worker means for the round: an exit status. */
static int judge_end_of_worker(struct round *round, const struct process_end *end)
{
    if (!round->writable)
        return EXIT_USAGE;
    if (round->supervisor->interrupted())
        return EXIT_RIGHT;
    bool all_done = count_done(round) == round->supervisor->selection->count;
    if (all_done && ended_well(end))
        return end->status == EXIT_USAGE ? EXIT_USAGE : EXIT_RIGHT;
    if (!round->running)
        return end_without_row(round, end);
    blame_rung(round, end);
    return round->writable ? EXIT_WRONG : EXIT_USAGE;
}

/* Runs one worker after the other until no row of the round is left. */
static int run_round(struct round *round)
{
    int status = EXIT_RIGHT;
    const struct supervisor *supervisor = round->supervisor;
    while (count_done(round) < supervisor->selection->count && !supervisor->interrupted() &&
           (status == EXIT_RIGHT || status == EXIT_WRONG)) {
        struct process_end end = {0};
        round->running = NULL;
        round->crash[0] = '\0';
        round->has_samples = false;
        if (!run_worker(round, &end))
            return EXIT_USAGE;
        int ended = judge_end_of_worker(round, &end);
        status = ended == EXIT_RIGHT ? status : ended;
        round->is_first = false;
        process_end_free(&end);
    }
    return status;
}

int supervisor_run(const struct supervisor *supervisor, struct error *error)
{
    error->text[0] = '\0';
    bool *done = malloc(supervisor->selection->count * sizeof *done);
    if (!done) {
        error_set(error, "no memory");
        return EXIT_USAGE;
    }
    int status = EXIT_RIGHT;
    for (int number = 0; number < supervisor->facts->round_count && !supervisor->interrupted() &&
                         (status == EXIT_RIGHT || status == EXIT_WRONG);
         number++) {
        struct round round = {.supervisor = supervisor,
                              .number = number,
                              .done = done,
                              .error = error,
                              .writable = true,
                              .is_first = true};
        memset(done, 0, supervisor->selection->count * sizeof *done);
        int ended = run_round(&round);
        status = ended == EXIT_RIGHT ? status : ended;
    }
    free(done);
    return status;
}

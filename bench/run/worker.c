#include "worker.h"

#include "bench/base/csv_text.h"
#include "bench/measure/stopping.h"
#include "bench/report/result_csv.h"
#include "channel.h"
#include "row_result.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OWN_ARGUMENTS = 6, PRINTED_LINES_MAX = 20 };

/* Ends the worker on an interruption, when its results cannot be written, or when they are not its own. */
static int signal_for(const void *self)
{
    const struct round *round = self;
    int number = round->supervisor->interrupted();
    return number || (round->writable && !round->intruded) ? number : SIGTERM;
}

/* The limit of the row in progress. */
static double silence_limit(const void *self)
{
    const struct round *round = self;
    const struct row *row = round->running;
    bool is_own = row && row->rung->load && !row->rung->backend->simulates; /* simulated kernels are slow */
    return stopping_row_limit_s(is_own, round->supervisor->min_time_s, row ? op_work(row->rung->op, row->workload) : 0);
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

bool *round_done(const struct round *round, const struct row *row)
{
    return &round->done[row - round->supervisor->selection->rows];
}

size_t round_count_done(const struct round *round)
{
    size_t count = 0;
    for (size_t i = 0; i < round->supervisor->selection->count; i++)
        count += round->done[i];
    return count;
}

void round_report(struct round *round, const struct row *row, const struct result *result)
{
    *round_done(round, row) = true;
    bool is_same_rung =
        round->reported && round->reported->rung == row->rung && round->reported->workload == row->workload;
    round->rung_failed = result->status == STATUS_FAILED || (is_same_rung && round->rung_failed);
    round->reported = row;
    round->writable = judge_early(round->supervisor->judge, result, round->error);
}

static void take_row(void *self, const char *name)
{
    struct round *round = self;
    const struct selection *selection = round->supervisor->selection;
    const struct row *row = find_row(selection, name);
    if (!row || !round->writable || round->intruded)
        return;
    round->running = row;
    round->crash[0] = '\0';
    round->supervisor->step((size_t)round->number * selection->count + round_count_done(round), name);
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
    round_report(round, row, &result);
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
    if (!round->writable || round->intruded)
        return;
    round->writable =
        record ? read_record(record, round->supervisor->judge->registry, &facts, &device, &result, round->error)
               : error_set(round->error, "no memory for a row");
    if (!round->writable)
        return;
    const struct row *row = find_row(round->supervisor->selection, result.name);
    if (row && !*round_done(round, row))
        report_read(round, &result, row);
}

/* Before the first row, it comes from a library that prints as it is loaded. */
static void take_stranger(void *self, const char *line)
{
    struct round *round = self;
    if (round->running)
        round->intruded = true;
    else
        round->supervisor->message(line);
}

static size_t take_messages(void *self, const char *text, size_t bytes)
{
    const struct channel_listener listener = {
        self, ((struct round *)self)->key, take_row, take_ceiling, take_result, take_crash, take_stranger};
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

static bool has_own(const struct selection *selection)
{
    for (size_t i = 0; i < selection->count; i++)
        if (selection->rows[i].rung->load)
            return true;
    return false;
}

/* A kernel in the making may print from each thread. */
static bool is_left_out(struct round *round, const char *line)
{
    static const char ours[] = "rungbench: ";
    if (strncmp(line, ours, sizeof ours - 1) == 0 || ++round->printed <= PRINTED_LINES_MAX ||
        !has_own(round->supervisor->selection))
        return false;
    if (round->printed == PRINTED_LINES_MAX + 1)
        round->supervisor->message("rungbench: what else is printed is left out");
    return true;
}

/* Notes are the same in all workers. */
static void take_line(struct round *round, const char *line)
{
    static const char note[] = "rungbench: note: ";
    if (is_left_out(round, line))
        return;
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

bool worker_run(struct round *round, struct process_end *end)
{
    const struct supervisor *supervisor = round->supervisor;
    round->running = round->reported = NULL;
    round->crash[0] = round->key[0] = '\0';
    round->printed = 0;
    round->intruded = round->has_samples = round->rung_failed = false;
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

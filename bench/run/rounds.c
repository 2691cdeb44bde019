#include "rounds.h"

#include "bench/base/csv_table.h"
#include "bench/base/exit_status.h"
#include "bench/base/process.h"
#include "bench/measure/stopping.h"
#include "bench/report/result_csv.h"
#include "row_result.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OWN_ARGUMENTS = 6 };

/* Devices that results came from: reporters may look at them until the end. */
struct seen_device {
    struct seen_device *next;
    struct device_info info;
};

struct round {
    const struct rounds *rounds;
    struct seen_device **devices;
    int number;
    struct run_outcome *outcome;
    struct error *error;
    bool writable;  /* no reporter has failed, and its CSV could be read */
    bool *reported; /* by row of the selection */
    char running[160];
    size_t reported_bytes; /* of its CSV */
    bool has_samples;      /* the header of its samples has come */
};

/* Ends the process on an interruption, or when its results cannot be written. */
static int signal_for(const void *self)
{
    const struct round *round = self;
    int number = round->rounds->interrupted();
    return number || round->writable ? number : SIGTERM;
}

static void report(struct round *round, const struct result *result)
{
    const struct rounds *rounds = round->rounds;
    round->writable = run_report(result, rounds->reporters, rounds->reporter_count, round->outcome, round->error);
}

static void mark_reported(struct round *round, const char *name)
{
    for (size_t i = 0; i < round->rounds->selection->count; i++) {
        char other[160];
        row_name(&round->rounds->selection->rows[i], other, sizeof other);
        if (strcmp(name, other) == 0)
            round->reported[i] = true;
    }
}

/* The device of a result, kept; NULL where memory ran out. */
static const struct device_info *keep_device(struct seen_device **devices, const struct device_info *info)
{
    for (const struct seen_device *seen = *devices; seen; seen = seen->next)
        if (memcmp(&seen->info, info, sizeof *info) == 0)
            return &seen->info;
    struct seen_device *more = malloc(sizeof *more);
    if (!more)
        return NULL;
    *more = (struct seen_device){*devices, *info};
    *devices = more;
    return &more->info;
}

void rounds_forget_devices(struct seen_device *devices)
{
    while (devices) {
        struct seen_device *next = devices->next;
        free(devices);
        devices = next;
    }
}

/* Reports the results in `csv`, which begins with the header. */
static void report_rows(struct round *round, char *csv, size_t bytes)
{
    struct csv_table table;
    round->writable = csv_parse(csv, bytes, "a round's results", &table, round->error);
    for (size_t i = 0; i < table.rows && round->writable; i++) {
        struct result result;
        struct run_facts facts; /* its own; reporters get those of all rounds */
        struct device_info device;
        round->writable = result_read(&table, i, round->rounds->registry, &facts, &device, &result, round->error);
        if (!round->writable)
            break;
        result.run = round->rounds->facts;
        result.round_count = result.run->round_count;
        if (result.device)
            result.device = keep_device(round->devices, &device);
        mark_reported(round, result.name);
        report(round, &result);
    }
    csv_free(&table);
}

/* Reports the records that have become whole since the last call. Takes nothing: the header stays in front. */
static size_t take_rows(void *self, const char *text, size_t bytes)
{
    struct round *round = self;
    size_t whole = csv_whole_records(text, bytes), header = whole > 0 ? strcspn(text, "\n") + 1 : 0;
    size_t done = round->reported_bytes > header ? round->reported_bytes : header;
    if (whole <= done || !round->writable)
        return 0;
    char *csv = malloc(header + whole - done + 1);
    round->writable = csv || error_set(round->error, "no memory for the rows of a round");
    if (!csv)
        return 0;
    memcpy(csv, text, header);
    memcpy(csv + header, text + done, whole - done);
    csv[header + whole - done] = '\0';
    round->reported_bytes = whole;
    report_rows(round, csv, header + whole - done);
    return 0;
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
        round->writable = output_write(round->rounds->samples, text, lines, round->error);
    return lines;
}

/* A line of progress, or a message: notes are the same in all rounds. */
static void take_line(struct round *round, const char *line)
{
    static const char note[] = "rungbench: note: ";
    size_t step;
    if (sscanf(line, "[%zu/%*u] %159[^ ,]", &step, round->running) == 2) {
        size_t before = (size_t)round->number * round->rounds->selection->count;
        round->rounds->step(before + step - 1, round->running);
        return;
    }
    if (round->number == 0 || strncmp(line, note, sizeof note - 1) != 0)
        round->rounds->message(line);
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

/* Reports the rows that a crashed or hung round did not finish. */
static void report_missing(struct round *round, const struct process_end *end)
{
    const struct selection *selection = round->rounds->selection;
    char name[160];
    bool told = false;
    struct run_facts facts = *round->rounds->facts;
    facts.round = round->number;
    for (size_t i = 0; i < selection->count && round->writable; i++) {
        if (round->reported[i])
            continue;
        struct result result = row_result(&selection->rows[i], &facts, NULL);
        result.run = round->rounds->facts;
        row_name(&selection->rows[i], name, sizeof name);
        bool was_running = strcmp(name, round->running) == 0;
        told = told || was_running;
        result.status = was_running ? STATUS_FAILED : STATUS_SKIPPED;
        snprintf(result.reason, sizeof result.reason, "%sthe process of round %d %s",
                 !was_running ? "not reached: "
                 : end->hung  ? ""
                              : "crashed: ",
                 round->number, end->how);
        report(round, &result);
    }
    if (!told) { /* no row has failed that would say it */
        char line[256];
        snprintf(line, sizeof line, "rungbench: the process of round %d %s", round->number, end->how);
        round->rounds->message(line);
    }
}

double rounds_row_limit_s(const struct selection *selection, double min_time_s)
{
    double flops = 0;
    for (size_t i = 0; i < selection->count; i++)
        flops = fmax(flops, selection->rows[i].rung->op->cost(selection->rows[i].workload).flops);
    return stopping_row_limit_s(min_time_s, flops);
}

static size_t count_flags(char *const *flags)
{
    size_t count = 0;
    while (flags[count])
        count++;
    return count;
}

/* Runs the round's process to its end. */
static bool run_process(struct round *round, struct process_end *end)
{
    const struct rounds *rounds = round->rounds;
    size_t count = count_flags(rounds->flags);
    char place[96], budget[48];
    double left_s = rounds->budget_s - (rounds->now() - rounds->facts->start_s);
    snprintf(place, sizeof place, "--sitting=%s:%d", rounds->facts->session, round->number);
    snprintf(budget, sizeof budget, "--budget=%.9g",
             fmax(left_s, 1e-9)); /* if spent, its rows are skipped with that reason */
    char *own[OWN_ARGUMENTS] = {place, "--out=-", "--progress=on", isinf(left_s) ? NULL : budget,
                                rounds->samples ? "--samples=/dev/fd/3" : NULL};
    char **argv = calloc(count + OWN_ARGUMENTS + 2, sizeof *argv);
    if (!argv)
        return error_set(round->error, "no memory for the arguments of a round");
    size_t at = 0;
    argv[at++] = "rungbench";
    for (size_t i = 0; i < count; i++)
        argv[at++] = rounds->flags[i];
    for (size_t i = 0; i < OWN_ARGUMENTS; i++)
        if (own[i])
            argv[at++] = own[i];
    struct process process = {
        .program = rounds->program,
        .argv = argv,
        .interrupted = signal_for,
        .silence_s = rounds->row_limit_s,
        .now = rounds->now,
        .take = {[PROCESS_OUT] = take_rows,
                 [PROCESS_ERR] = take_lines,
                 [PROCESS_EXTRA] = rounds->samples ? take_samples : NULL},
        .self = round,
    };
    bool ok = process_run(&process, end, round->error);
    free(argv);
    return ok;
}

/* Whether the process ended as rungbench does. */
static bool ended_well(const struct process_end *end)
{
    return end->status == EXIT_RIGHT || end->status == EXIT_WRONG || end->status == EXIT_USAGE ||
           end->status == EXIT_ALL_SKIPPED;
}

/* Runs one round to its end; its exit status. */
static int run_round(struct round *round)
{
    struct process_end end = {0};
    if (!run_process(round, &end))
        return EXIT_USAGE;
    int status = end.status;
    if (end.bytes[PROCESS_ERR] > 0) /* a last line without an end */
        take_line(round, end.text[PROCESS_ERR]);
    if (!round->writable) {
        status = EXIT_USAGE;
    } else if (!ended_well(&end) && !round->rounds->interrupted()) {
        report_missing(round, &end);
        status = EXIT_WRONG;
    }
    process_end_free(&end);
    return status;
}

int rounds_run(const struct rounds *rounds, struct seen_device **devices, struct run_outcome *outcome,
               struct error *error)
{
    *outcome = (struct run_outcome){0};
    error->text[0] = '\0';
    *devices = NULL;
    bool *reported = malloc(rounds->selection->count * sizeof *reported);
    if (!reported) {
        error_set(error, "no memory");
        return EXIT_USAGE;
    }
    int status = EXIT_RIGHT;
    bool refused = false, wrong = false;
    for (int number = 0; number < rounds->facts->round_count && !refused && !rounds->interrupted(); number++) {
        struct round round = {.rounds = rounds,
                              .devices = devices,
                              .number = number,
                              .outcome = outcome,
                              .error = error,
                              .writable = true,
                              .reported = reported};
        size_t before = run_outcome_rows(outcome);
        memset(reported, 0, rounds->selection->count * sizeof *reported);
        status = run_round(&round);
        wrong = wrong || status == EXIT_WRONG;
        refused = status == EXIT_USAGE || (status == EXIT_ALL_SKIPPED && run_outcome_rows(outcome) == before);
    }
    free(reported);
    return refused ? status : wrong ? EXIT_WRONG : run_outcome_status(outcome);
}

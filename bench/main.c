/* rungbench: argv -> options -> selection -> run (in rounds) -> outputs. */
#include "bench/base/exit_status.h"
#include "bench/base/host.h"
#include "bench/base/interrupt.h"
#include "bench/base/progress.h"
#include "bench/base/standard_streams.h"
#include "bench/measure/calibration.h"
#include "bench/measure/info.h"
#include "bench/ops/mnist.h"
#include "bench/report/outputs.h"
#include "bench/run/profile.h"
#include "bench/run/rounds.h"
#include "bench/run/run.h"
#include "bench/select/flags.h"
#include "bench/select/list.h"
#include "bench/select/selection.h"
#include "bench/select/shuffle.h"
#include "bench/select/slowed_rows.h"
#include "git_revision.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

static struct progress progress;

static void step(size_t done, const char *name)
{
    progress_step(&progress, done, name, host_now());
}

static void clear_progress(void)
{
    progress_clear(&progress);
}

static int flush_stdout(const char *what)
{
    struct error error;
    if (fflush(stdout) == 0)
        return EXIT_RIGHT;
    error_set(&error, "stdout: %s cannot be written", what);
    return error_report(&error);
}

static int list(const struct selection *selection, const struct suite *suite)
{
    list_print(selection, suite, stdout, stderr);
    return flush_stdout("the list");
}

static struct progress make_progress(const struct options *options, size_t rows)
{
    return progress_make(options->progress, rows * (size_t)options->rounds, host_now());
}

static struct run_facts gather_facts(const struct options *options)
{
    struct run_facts facts = {.git_revision = RUNGBENCH_GIT_REVISION,
                              .seed = options->seed,
                              .start_s = host_now(),
                              .round_count = options->rounds};
    host_name(facts.host, sizeof facts.host);
    host_timestamp(facts.timestamp, sizeof facts.timestamp);
    host_unique_id(facts.session, sizeof facts.session);
    if (options->session[0] != '\0') {
        snprintf(facts.session, sizeof facts.session, "%s", options->session);
        facts.round = options->session_round;
    }
    return facts;
}

/* A line of a round's stderr. */
static void print_message(const char *line)
{
    clear_progress();
    fprintf(stderr, "%s\n", line);
}

/* --sitting: this process is one round of a session. */
static int measure_session(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                           struct outputs *outputs)
{
    struct error error;
    struct selection shuffled;
    if (!shuffle_for_round(selection, facts->seed, facts->round, &shuffled)) {
        error_set(&error, "no memory for the order of rows");
        return error_report(&error);
    }
    int status = run_measure(run, &shuffled, facts, outputs->reporters, outputs->reporter_count, step);
    free(shuffled.rows);
    return status;
}

/* Measures in this process, or in one process per round. */
static int measure_rows(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                        struct outputs *outputs, struct seen_device **seen)
{
    struct rounds rounds = {
        .program = "/proc/self/exe",
        .flags = run->options->shared,
        .selection = selection,
        .registry = run->registry,
        .facts = facts,
        .budget_s = run->options->budget_s,
        .row_limit_s = rounds_row_limit_s(selection, run->options->min_time_s),
        .reporters = outputs->reporters,
        .reporter_count = outputs->reporter_count,
        .samples = outputs->samples,
        .now = host_now,
        .interrupted = interrupt_signal,
        .step = step,
        .message = print_message,
    };
    struct run_outcome outcome;
    struct error error;
    if (run->options->session[0] != '\0')
        return measure_session(run, selection, facts, outputs);
    if (facts->round_count == 1)
        return run_measure(run, selection, facts, outputs->reporters, outputs->reporter_count, step);
    int status = rounds_run(&rounds, seen, &outcome, &error);
    return status == EXIT_USAGE ? error_report(&error) : status;
}

/* Opens the outputs, runs everything, gives the outputs their final names. */
static int measure_and_write(const struct run *run, const struct selection *selection, char **argv)
{
    struct error error;
    struct outputs outputs;
    struct run_facts facts = gather_facts(run->options);
    struct seen_device *seen = NULL;
    signal(SIGPIPE, SIG_IGN); /* then write() fails instead, and files are still finished */
    if (!outputs_open(run->options, argv, selection, clear_progress, &outputs, &error))
        return error_report(&error);
    progress = make_progress(run->options, selection->count);
    int status = measure_rows(run, selection, &facts, &outputs, &seen);
    interrupt_heard();
    clear_progress();
    if (!outputs_commit(&outputs, &error))
        status = error_report(&error);
    rounds_forget_devices(seen);
    return status;
}

/* --info, --calibrate and --profile. */
static int run_inspection(const struct run *run, const struct selection *selection)
{
    const struct options *options = run->options;
    struct devices devices;
    int status = run_open(run, false, &devices);
    if (status != EXIT_RIGHT)
        return status;
    if (options->profile)
        status = profile_row(run, selection, options->profile, &devices);
    if (options->info)
        info_print(&devices, &run->clock, stdout);
    if (options->calibrate && !calibration_print(&devices, &run->clock, options->min_time_s, stdout)) {
        fputs("rungbench: --calibrate: not every t(n) - t(0) is n; see the table\n", stderr);
        status = EXIT_WRONG;
    }
    devices_close(&devices);
    int flushed = flush_stdout("the report");
    return flushed == EXIT_RIGHT ? status : flushed;
}

static bool has_rungs_on(const struct selection *selection, const struct backend_entry *entry)
{
    for (size_t i = 0; i < selection->count; i++)
        if (selection->rows[i].rung->backend == entry)
            return true;
    return false;
}

/* Without a selection, all backends run rungs of their own: ceilings. */
static void let_backends_restart(const struct selection *selection, char **argv)
{
    for (size_t i = 0; i < rungbench_registry.backend_count; i++) {
        const struct backend_entry *entry = &rungbench_registry.backends[i];
        if (entry->backend && entry->backend->before_start && (selection->count == 0 || has_rungs_on(selection, entry)))
            entry->backend->before_start(argv);
    }
}

static int select_and_run(const struct options *options, char **argv)
{
    struct error error;
    struct selection selection = {0};
    struct mnist mnist = {0};
    bool selects = options->profile || !(options->info || options->calibrate);
    if (selects && !selection_make(&rungbench_registry, options, &selection, &error))
        return error_report(&error);
    if (selects && !slowed_rows_choose(options->slowdown, &selection, &error)) {
        free(selection.rows);
        return error_report(&error);
    }
    if (!options->list && !options->profile)
        let_backends_restart(&selection, argv);
    interrupt_install(output_rescue_all);
    struct run run = {
        .options = options,
        .registry = &rungbench_registry,
        .mnist = options->mnist ? &mnist : NULL,
        .clock = {host_now, interrupt_signal},
    };
    int status;
    if (options->list)
        status = list(&selection, options->suite);
    else if (options->mnist && !mnist_read(options->mnist, &mnist, &error))
        status = error_report(&error);
    else if (options->info || options->calibrate || options->profile)
        status = run_inspection(&run, &selection);
    else
        status = measure_and_write(&run, &selection, argv);
    mnist_free(&mnist);
    free(selection.rows);
    return status;
}

static int print_help_or_version(const struct options *options)
{
    if (options->help)
        flags_print_help(&rungbench_registry, stdout);
    else
        printf("rungbench %s %s\n", RUNGBENCH_VERSION, RUNGBENCH_GIT_REVISION);
    return flush_stdout(options->help ? "the help" : "the version");
}

int main(int argc, char **argv)
{
    prctl(PR_SET_NAME, "rungbench"); /* in rounds it is started as /proc/self/exe, which ps and top would call "exe" */
    standard_streams_fill();
    struct options options;
    struct error error;
    char **shared = calloc((size_t)argc + 1, sizeof *shared);
    int status = EXIT_RIGHT;
    if (!shared || !flags_parse(&rungbench_registry, argc, argv, shared, &options, &error))
        status = shared ? error_report(&error) : EXIT_USAGE;
    else if (options.help || options.version)
        status = print_help_or_version(&options);
    else
        status = select_and_run(&options, argv);
    free(shared);
    return interrupt_signal() ? EXIT_SIGNAL_BASE + interrupt_signal() : status;
}

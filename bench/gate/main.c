/* rungbench-gate: recordings (files, or rounds run here) -> comparison -> verdicts -> reports and an exit status. */
#include "arms.h"
#include "bench/base/exit_status.h"
#include "bench/base/files.h"
#include "bench/base/host.h"
#include "bench/base/interrupt.h"
#include "bench/base/progress.h"
#include "bench/base/standard_streams.h"
#include "gate_named_files.h"
#include "gate_options.h"
#include "gate_report.h"
#include "git_revision.h"
#include "kept.h"
#include "selftest.h"
#include "stages.h"
#include "turns.h"
#include "verdicts.h"

#include <assert.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>

INTERRUPTS_WAIT;

static int complain(const struct error *error)
{
    fprintf(stderr, "rungbench-gate: %s\n", error->text);
    return GATE_BAD_INPUT;
}

static const char of_several[] = " (the least of six processes each)";
static_assert(TURNS_ON_CPU == 6, "what the reports say");

static struct exceptions exceptions;
static struct progress progress;
static size_t steps_done;

static void step(size_t turn, const char *arm)
{
    char what[64];
    snprintf(what, sizeof what, "process %zu of %s", turn + 1, arm);
    progress_step(&progress, steps_done++, what, host_now());
}

static enum gate_status strictly(const struct gate_options *options, enum gate_status status)
{
    return options->strict && (status == GATE_INCONCLUSIVE || status == GATE_ALL_SKIPPED) ? GATE_SLOWER : status;
}

static int status_of_end(const struct gate_options *options, enum session_end end, const struct error *error)
{
    switch (end) {
    case SESSION_DONE: return EXIT_RIGHT;
    case SESSION_INTERRUPTED: return EXIT_SIGNAL_BASE + interrupt_signal();
    case SESSION_ALL_SKIPPED:
        complain(error);
        if (!options->cpu_only)
            fputs("rungbench-gate: note: --cpu-only compares the rungs of the CPU\n", stderr);
        return (int)strictly(options, GATE_ALL_SKIPPED);
    default: return complain(error);
    }
}

static int tell(struct gate_report *report, struct comparison *comparison, const struct gate_options *options,
                double level)
{
    struct error error;
    verdicts_except(comparison, &exceptions);
    gate_report_conclude(report, comparison, level,
                         strictly(options, gate_status_of(comparison, options->other_device)));
    return gate_report_write(report, &error) ? (int)report->status : complain(&error);
}

/* The reports of a comparison that could not be made say why. */
static int refuse(struct gate_report *report, int status, const char *why)
{
    struct error error;
    gate_report_refuse(report, (enum gate_status)status, why);
    return gate_report_write(report, &error) ? status : complain(&error);
}

static int gate_nothing(const struct gate_options *options)
{
    struct error error;
    struct gate_report report;
    if (!gate_report_open(&report, options, &error))
        return complain(&error);
    return refuse(&report, GATE_BAD_INPUT, options->refusal);
}

static struct comparison_settings settings_of(const struct gate_options *options)
{
    return (struct comparison_settings){options->threshold, options->other_device, options->seed, &exceptions};
}

static bool has_only_cpu_rows(const struct recording *recording)
{
    for (size_t i = 0; i < recording->count; i++)
        if (recording->items[i].text[COLUMN_threads][0] == '\0')
            return false;
    return recording->count > 0;
}

static bool compare_files(const struct gate_options *options, const struct recording *base,
                          const struct recording *other, struct comparison *comparison, struct error *error)
{
    struct comparison_settings settings = settings_of(options);
    if (!options->cpu_only && has_only_cpu_rows(base) && has_only_cpu_rows(other))
        fputs("rungbench-gate: note: these are rows of a CPU; with --cpu-only the least of six processes counts\n",
              stderr);
    if (!comparison_make(base, other, &settings, comparison, error))
        return false;
    if (verdicts_decide(comparison, RULE_FILES_LEVEL, options->other_device))
        return true;
    comparison_free(comparison);
    return error_set(error, "no memory for the verdicts");
}

/* Opens what the report goes to and reads the exceptions. False: nothing is compared, and `status` says how it ends. */
static bool begin(const struct gate_options *options, struct gate_report *report, int *status)
{
    struct error error;
    if (!gate_report_open(report, options, &error)) {
        *status = complain(&error);
        return false;
    }
    if ((!options->exceptions || exceptions_read(options->exceptions, &exceptions, &error)) &&
        (!options->trailers || exceptions_read_trailers(options->trailers, &exceptions, &error)))
        return true;
    *status = refuse(report, complain(&error), error.text);
    return false;
}

static int gate_files(const struct gate_options *options)
{
    struct error error;
    struct recording base = {0}, other = {0};
    struct comparison comparison;
    struct gate_report report;
    size_t turns = gate_options_turns(options);
    int status;
    if (!begin(options, &report, &status))
        return status;
    bool ok = recording_read(options->arguments[0], &base, &error) &&
              recording_read(options->arguments[1], &other, &error) &&
              turns_drop_unfinished((struct recording *[]){&base, &other}, 2, turns, &error) &&
              turns_fold(&base, turns, &error) && turns_fold(&other, turns, &error) &&
              compare_files(options, &base, &other, &comparison, &error);
    if (ok) {
        snprintf(report.method, sizeof report.method, "rounds%s of %s", turns > 1 ? of_several : "",
                 comparison.paired ? "one session, in pairs" : "two runs, not paired");
        status = tell(&report, &comparison, options, RULE_FILES_LEVEL);
        comparison_free(&comparison);
    } else {
        status = refuse(&report, complain(&error), error.text);
    }
    recording_free(&base);
    recording_free(&other);
    return status;
}

static struct session session_of(const struct gate_options *options, struct arms *arms, const char *id)
{
    return (struct session){
        .id = id,
        .seed = options->seed,
        .flags = arms->flags,
        .arms = arms->items,
        .arm_count = arms->count,
        .turns = gate_options_turns(options),
        .row_limit_s = arms->row_limit_s,
        .process_limit_s = options->process_limit_s,
        .now = host_now,
        .interrupted = interrupt_signal,
        .step = step,
    };
}

/* After the last process, however it ended: the status so far. */
static int end_session(const struct gate_options *options, enum session_end end, struct arms *arms,
                       const struct error *why)
{
    struct error error;
    interrupt_heard();
    progress_clear(&progress);
    int status = status_of_end(options, end, why);
    return arms_keep(arms, &error) ? status : complain(&error);
}

static int gate_session(const struct gate_options *options)
{
    struct error error;
    struct arms arms;
    struct comparison comparison;
    struct comparison_settings settings = settings_of(options);
    struct gate_report report;
    char id[48];
    int status;
    host_unique_id(id, sizeof id);
    if (!begin(options, &report, &status))
        return status;
    if (!arms_make(options, &arms, &error))
        return refuse(&report, complain(&error), error.text);
    struct session session = session_of(options, &arms, id);
    session.ends_with_failure = true;
    struct stages stages = {.session = &session, .settings = &settings};
    enum session_end end = stages_run(&stages, &comparison, &error);
    status = end_session(options, end, &arms, &error);
    if (end == SESSION_DONE) {
        int length =
            snprintf(report.method, sizeof report.method, "%zu pairs of rounds%s in one session (--seed=%" PRIu64 ")",
                     stages.pairs, gate_options_turns(options) > 1 ? of_several : "", options->seed);
        for (size_t i = 0; i < stages.confirmations; i++)
            length += snprintf(report.method + length, sizeof report.method - (size_t)length, ", then %zu of %zu row%s",
                               stages.confirmation[i].pairs, stages.confirmation[i].rows,
                               stages.confirmation[i].rows == 1 ? "" : "s");
        int told = tell(&report, &comparison, options, RULE_SESSION_LEVEL);
        status = status == EXIT_RIGHT ? told : status;
        comparison_free(&comparison);
    } else if (end == SESSION_INTERRUPTED) {
        gate_report_discard(&report);
    } else {
        status = refuse(&report, status, error.text);
    }
    stages_free(&stages);
    arms_free(&arms);
    return status;
}

static int print_rates(const struct gate_options *options, const struct recording *base, const struct recording *other,
                       const struct recording *slowed, size_t slowed_count)
{
    struct error error;
    struct selftest selftest = {
        .base = base,
        .other = other,
        .slowed = slowed,
        .slowed_count = slowed_count,
        .threshold = options->threshold,
        .turns = gate_options_turns(options),
        .runs = options->runs,
        .seed = options->seed,
    };
    if (!selftest_print(&selftest, stdout, &error))
        return complain(&error);
    if (fflush(stdout) != 0) {
        error_set(&error, "stdout: the rates cannot be written");
        return complain(&error);
    }
    return EXIT_RIGHT;
}

static int run_selftest(const struct gate_options *options)
{
    struct error error;
    struct arms arms;
    struct recording slowed[SESSION_ARMS_MAX];
    char id[48];
    host_unique_id(id, sizeof id);
    if (!arms_make(options, &arms, &error))
        return complain(&error);
    struct session session = session_of(options, &arms, id);
    progress.total = options->pairs * arms.count * session.turns;
    int status = end_session(options, session_run(&session, 0, options->pairs, NULL, &error), &arms, &error);
    for (size_t i = 2; i < arms.count; i++)
        slowed[i - 2] = arms.items[i].recording;
    if (status == EXIT_RIGHT)
        status = print_rates(options, &arms.items[0].recording, &arms.items[1].recording, slowed, arms.count - 2);
    arms_free(&arms);
    return status;
}

static int rates_of_kept(const struct gate_options *options)
{
    struct error error;
    struct kept kept;
    if (!kept_read(options->arguments, options->argument_count, gate_options_turns(options), &kept, &error))
        return complain(&error);
    int status = print_rates(options, &kept.base, &kept.other, kept.slowed, kept.slowed_count);
    kept_free(&kept);
    return status;
}

int main(int argc, char **argv)
{
    struct gate_options options;
    struct error error;
    interrupt_install(output_rescue_all);
    standard_streams_fill();
    piped_input_keep(argv);
    signal(SIGPIPE, SIG_IGN); /* then write() fails instead */
    if (!gate_options_parse(argc, argv, &options, &error))
        return complain(&error);
    if (options.help || options.version) {
        if (options.help)
            gate_options_print_help(stdout);
        else
            printf("rungbench-gate %s %s\n", RUNGBENCH_VERSION, RUNGBENCH_GIT_REVISION);
        if (fflush(stdout) == 0)
            return EXIT_RIGHT;
        error_set(&error, "stdout: cannot be written");
        return complain(&error);
    }
    if (!gate_named_files_are_apart(&options, &error))
        return complain(&error);
    if (options.task != TASK_REFUSAL && !standard_output_is_open()) {
        error_set(&error, "stdout: is closed, expected it open for what the gate finds");
        return complain(&error);
    }
    progress = progress_make(options.progress, (size_t)2 * RULE_RUN_PAIRS * gate_options_turns(&options), host_now());
    progress_log_minutes(&progress, options.progress, "processes");
    int (*const tasks[])(const struct gate_options *) = {
        [TASK_FILES] = gate_files,    [TASK_SESSION] = gate_session, [TASK_SELFTEST] = run_selftest,
        [TASK_RATES] = rates_of_kept, [TASK_REFUSAL] = gate_nothing,
    };
    int status = tasks[options.task](&options);
    exceptions_free(&exceptions);
    return interrupt_signal() ? EXIT_SIGNAL_BASE + interrupt_signal() : status;
}

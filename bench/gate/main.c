/* rungbench-gate: recordings (files, or rounds run here) -> comparison -> verdicts -> reports and an exit status. */
#include "bench/base/files.h"
#include "bench/base/host.h"
#include "bench/base/interrupt.h"
#include "bench/base/output.h"
#include "bench/base/plain_text.h"
#include "bench/base/progress.h"
#include "bench/gate/read/read.h"
#include "gate_report.h"
#include "git_revision.h"
#include "runs.h"
#include "sitting.h"
#include "why.h"

#include <assert.h>
#include <inttypes.h>
#include <signal.h>

INTERRUPTS_WAIT;

static int complain(const char *why)
{
    fprintf(stderr, "rungbench-gate: %s\n", why);
    return GATE_BAD_INPUT;
}

static const char of_several[] = " (the least of six processes each)";
static_assert(TURNS_ON_CPU == 6, "what the reports say");

static struct exceptions exceptions;
static size_t steps_done;

static void step(size_t turn, const char *arm)
{
    char what[64];
    snprintf(what, sizeof what, "process %zu of %s", turn + 1, arm);
    progress_step(steps_done++, what, host_now());
}

static enum gate_status strictly(const struct gate_options *options, enum gate_status status)
{
    return options->strict && (status == GATE_INCONCLUSIVE || status == GATE_ALL_SKIPPED) ? GATE_SLOWER : status;
}

static int status_of_end(const struct gate_options *options, enum sitting_end end, const struct error *error)
{
    switch (end) {
    case SITTING_DONE: return EXIT_RIGHT;
    case SITTING_INTERRUPTED: return EXIT_SIGNAL_BASE + interrupt_signal();
    case SITTING_ALL_SKIPPED:
        complain(error->text);
        if (!options->cpu_only && !options->runs_commands)
            fputs("rungbench-gate: note: --cpu-only compares the rungs of the CPU\n", stderr);
        return (int)strictly(options, GATE_ALL_SKIPPED);
    default: return complain(error->text);
    }
}

/* `programs` of both sides, which may be NULL, and the flags that they got. */
static int tell(struct gate_report *report, struct comparison *comparison, const char *const *programs,
                char *const *flags)
{
    struct error error;
    const bool are_there = programs[0] && programs[1] && !comparison->options->runs_commands;
    const struct why why = {.programs = {are_there ? programs[0] : NULL, are_there ? programs[1] : NULL},
                            .commits = comparison->options->commits,
                            .flags = comparison->options->why ? flags : NULL,
                            .clock = {host_now, interrupt_signal}};
    comparison_except(comparison);
    why_find(comparison, &why);
    gate_report_conclude(report, comparison, strictly(comparison->options, gate_status_of(comparison)));
    return gate_report_write(report, &error) ? (int)report->status : complain(error.text);
}

/* The reports of a comparison that could not be made say why. */
static int refuse(struct gate_report *report, int status, const char *why)
{
    struct error error;
    gate_report_refuse(report, (enum gate_status)status, why);
    return gate_report_write(report, &error) ? status : complain(error.text);
}

static bool read_files(const struct gate_options *options, struct recording *base, struct recording *other,
                       struct error *error)
{
    const size_t turns = gate_options_turns(options);
    struct pattern *filter = options->filter ? row_filter_make(options->filter, error) : NULL;
    base->wants = other->wants = filter ? row_filter_wants : NULL;
    base->choice = other->choice = filter;
    const bool ok = (!options->filter || filter) &&
                    results_read_file(options->arguments[0], options->format, base, error) &&
                    results_read_file(options->arguments[1], options->format, other, error);
    base->wants = other->wants = NULL;
    pattern_free(filter);
    if (!ok)
        return false;
    rounds_drop_unfinished((struct recording *[]){base, other}, 2, turns);
    return rounds_fold(base, turns, error) && rounds_fold(other, turns, error);
}

static int gate_files(const struct gate_options *options, struct gate_report *report)
{
    static struct recording base, other; /* kept, as the comparison is, until the program ends */
    static struct comparison comparison;
    struct error error;
    if (!read_files(options, &base, &other, &error))
        return refuse(report, complain(error.text), error.text);
    if (!comparison_make(&base, &other, options, &exceptions, &comparison, &error))
        return refuse(report, complain(error.text), error.text);
    if (options->programs[0] && comparison.rows[0].foreign) {
        static const char why[] = "--base-program, --new-program: mean nothing with results of other tools";
        return refuse(report, complain(why), why);
    }
    comparison_decide(&comparison);
    snprintf(report->method, sizeof report->method, "rounds%s of %s", gate_options_turns(options) > 1 ? of_several : "",
             comparison.paired ? "one sitting, in pairs" : "two runs, not paired");
    return tell(report, &comparison, options->programs, options->flags);
}

static bool make_sitting(const struct gate_options *options, struct sitting *sitting, struct error *error)
{
    bool ok = sitting_make(sitting, options, error);
    sitting->exceptions = &exceptions;
    sitting->terms.clock = (struct host_clock){host_now, interrupt_signal};
    sitting->terms.step = step;
    return ok;
}

/* After the last process, however it ended: the status so far. */
static int end_sitting(const struct gate_options *options, enum sitting_end end, struct sitting *sitting,
                       const struct error *why)
{
    struct error error;
    interrupt_heard();
    progress_clear();
    int status = status_of_end(options, end, why);
    return sitting_keep(sitting, &error) ? status : complain(error.text);
}

static void describe_stages(const struct sitting *sitting, const struct gate_options *options, char *text, size_t size)
{
    snprintf(text, size, "%zu pairs of rounds%s in one sitting (--seed=%" PRIu64 ")", sitting->screened,
             gate_options_turns(options) > 1 ? of_several : "", options->seed);
    if (sitting->done > 0 && sitting->screened > SITTING_FIRST_PAIRS)
        text_append(text, size, ", %d of %zu row%s that need%s no more", SITTING_FIRST_PAIRS, sitting->done,
                    sitting->done == 1 ? "" : "s", sitting->done == 1 ? "s" : "");
    for (size_t i = 0; i < sitting->confirmations; i++)
        text_append(text, size, ", then %zu of %zu row%s", sitting->confirmation[i].pairs,
                    sitting->confirmation[i].rows, sitting->confirmation[i].rows == 1 ? "" : "s");
}

static int gate_sitting(const struct gate_options *options, struct gate_report *report)
{
    struct error error;
    struct sitting sitting;
    struct comparison comparison;
    if (!make_sitting(options, &sitting, &error))
        return refuse(report, complain(error.text), error.text);
    enum sitting_end end = sitting_decide(&sitting, &comparison, &error);
    int status = end_sitting(options, end, &sitting, &error);
    if (end == SITTING_DONE) {
        describe_stages(&sitting, options, report->method, sizeof report->method);
        int told = tell(report, &comparison, options->arguments, terms_flags(&sitting.terms));
        status = status == EXIT_RIGHT ? told : status;
        comparison_free(&comparison);
    } else if (end == SITTING_INTERRUPTED) {
        gate_report_discard(report);
    } else {
        status = refuse(report, status, error.text);
    }
    sitting_free(&sitting);
    return status;
}

static int gate(const struct gate_options *options)
{
    struct error error;
    struct gate_report report;
    if (!gate_report_open(&report, options, &error))
        return complain(error.text);
    if (options->task == TASK_REFUSAL)
        return refuse(&report, GATE_BAD_INPUT, options->refusal);
    if ((options->exceptions && !exceptions_read(options->exceptions, &exceptions, &error)) ||
        (options->trailers && !exceptions_read_trailers(options->trailers, &exceptions, &error)))
        return refuse(&report, complain(error.text), error.text);
    return options->task == TASK_FILES ? gate_files(options, &report) : gate_sitting(options, &report);
}

static int run_selftest(const struct gate_options *options)
{
    struct error error;
    struct sitting sitting;
    if (!make_sitting(options, &sitting, &error))
        return complain(error.text);
    progress_begin(options->progress, options->pairs * sitting.arm_count * gate_options_turns(options), true,
                   host_now());
    int status = end_sitting(options, sitting_run(&sitting, 0, options->pairs, NULL, &error), &sitting, &error);
    sitting_free(&sitting);
    return status;
}

static int decide_runs(void)
{
    struct error error;
    if (!runs_decide(stdin, stdout, &error))
        return complain(error.text);
    return fflush(stdout) == 0 && !ferror(stdout) ? EXIT_RIGHT : complain("stdout: cannot be written");
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
        return complain(error.text);
    if (options.help || options.version) {
        if (options.help)
            gate_options_print_help(stdout);
        else
            printf("rungbench-gate %s %s\n", RUNGBENCH_VERSION, RUNGBENCH_GIT_REVISION);
        return fflush(stdout) == 0 && !ferror(stdout) ? EXIT_RIGHT : complain("stdout: cannot be written");
    }
    if (!gate_options_files_are_apart(&options, &error))
        return complain(error.text);
    if (options.task != TASK_REFUSAL && !standard_output_is_open())
        return complain("stdout: is closed, expected it open for what the gate finds");
    progress_begin(options.progress, (size_t)2 * RULE_RUN_PAIRS * gate_options_turns(&options), true, host_now());
    int status = options.task == TASK_SELFTEST ? run_selftest(&options)
                 : options.task == TASK_DECIDE ? decide_runs()
                                               : gate(&options);
    exceptions_free(&exceptions);
    return interrupt_signal() ? EXIT_SIGNAL_BASE + interrupt_signal() : status;
}

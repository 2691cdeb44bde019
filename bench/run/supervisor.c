#include "supervisor.h"

#include "bench/base/crash.h"
#include "bench/base/exit_status.h"
#include "bench/base/left_behind.h"
#include "row_result.h"
#include "worker.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    if (round->intruded)
        snprintf(text, size, "writes to a pipe that is not its own, and its process was ended");
    else if (end->hung)
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
    round_report(round, row, &result);
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
    if (*round_done(round, running)) /* it was measured: no row would say it */
        say_of_round(round, how);
    else
        report_unmeasured(round, running, STATUS_FAILED, how);
    report_left(round, running->rung, STATUS_FAILED, others);
}

/* The worker has begun no row, and is not to blame for it if it has said why. */
static int end_without_row(struct round *round, const struct process_end *end)
{
    char how[384], reason[448];
    if (end->status == EXIT_USAGE || (end->status == EXIT_ALL_SKIPPED && round_count_done(round) == 0))
        return end->status;
    say_how(round, end, how, sizeof how);
    say_of_round(round, how);
    snprintf(reason, sizeof reason, "not reached: before the first row of its process, %s", how);
    report_left(round, NULL, STATUS_FAILED, reason);
    return EXIT_WRONG;
}

/* A worker ends by itself after a rung that failed (runner.h). */
static bool ends_after_failure(const struct round *round, const struct process_end *end)
{
    return end->status == EXIT_WRONG && !round->intruded && round->rung_failed && *round_done(round, round->running);
}

/* What the end of a worker means for the round: an exit status. */
static int judge_end_of_worker(struct round *round, const struct process_end *end)
{
    if (!round->writable)
        return EXIT_USAGE;
    if (round->supervisor->interrupted())
        return EXIT_RIGHT;
    bool all_done = round_count_done(round) == round->supervisor->selection->count;
    if (all_done && ended_well(end) && !round->intruded)
        return end->status == EXIT_USAGE ? EXIT_USAGE : EXIT_RIGHT;
    if (!round->running)
        return end_without_row(round, end);
    if (ends_after_failure(round, end))
        return EXIT_WRONG;
    blame_rung(round, end);
    return round->writable ? EXIT_WRONG : EXIT_USAGE;
}

/* Runs one worker after the other until no row of the round is left. */
static int run_round(struct round *round)
{
    int status = EXIT_RIGHT;
    const struct supervisor *supervisor = round->supervisor;
    while (round_count_done(round) < supervisor->selection->count && !supervisor->interrupted() &&
           (status == EXIT_RIGHT || status == EXIT_WRONG)) {
        struct process_end end = {0};
        if (!worker_run(round, &end))
            return EXIT_USAGE;
        (void)left_behind_kill();
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
    left_behind_adopt();
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

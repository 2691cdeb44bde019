#include "rounds.h"

#include "bench/base/exit_status.h"
#include "bench/base/interrupt.h"
#include "bench/select/shuffle.h"
#include "row_result.h"
#include "wire.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Devices that results came from: reporters may look at them until the end. */
struct seen_device {
    struct seen_device *next;
    struct device_info info;
};

/* A round as the parent sees it. */
struct round {
    const struct rounds *rounds;
    struct seen_device **devices;
    struct run_facts facts; /* with its own number */
    struct run_outcome *outcome;
    struct error *error;
    pid_t child;
    bool told;      /* that it is to end */
    bool writable;  /* no reporter has failed */
    bool *reported; /* by row of the selection */
    char running[160];
};

static int pipe_to_parent; /* in a child */

static void send_step(size_t done, const char *name)
{
    struct wire_message message = {.kind = WIRE_STEP, .step = {.done = done}};
    snprintf(message.step.name, sizeof message.step.name, "%s", name);
    (void)wire_send(pipe_to_parent, &message); /* a parent that is gone is found out with the next result */
}

static bool send_result(void *self, const struct result *result, struct error *error)
{
    (void)self;
    struct wire_message message = {.kind = WIRE_RESULT, .result = *result};
    return wire_send(pipe_to_parent, &message) || error_set(error, "%s", ""); /* the parent says why it is gone */
}

/* The life of a child. */
static _Noreturn void run_child(const struct round *round, int fd)
{
    const struct rounds *rounds = round->rounds;
    struct selection shuffled;
    struct reporter reporter = {NULL, send_result, NULL};
    struct wire_message end = {.kind = WIRE_END, .exit_status = EXIT_USAGE};
    pipe_to_parent = fd;
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* nobody is left to gather */
    output_forget_all();              /* they are the parent's */
    interrupt_install(output_rescue_all);
    if (shuffle_for_round(rounds->selection, round->facts.seed, round->facts.round, &shuffled))
        end.exit_status = rounds->measure(rounds->self, &shuffled, &round->facts, &reporter, send_step);
    (void)wire_send(fd, &end);
    _exit(EXIT_RIGHT); /* not exit(): what is buffered here is the parent's */
}

static void pass_on_interruption(void *self)
{
    struct round *round = self;
    int number = round->rounds->interrupted();
    if (number && !round->told) {
        kill(round->child, number);
        round->told = true;
    }
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

/* The device of a message, kept; NULL where memory ran out. */
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

/* Until the child ends. Its exit status, or -1 if it did not end of its own will. */
static int gather(struct round *round, int fd)
{
    struct wire_message message = {0};
    int status = -1;
    while (round->writable && wire_receive(fd, &message, pass_on_interruption, round)) {
        if (message.kind == WIRE_END) {
            status = message.exit_status;
        } else if (message.kind == WIRE_STEP) {
            size_t before = (size_t)round->facts.round * round->rounds->selection->count;
            snprintf(round->running, sizeof round->running, "%s", message.step.name);
            round->rounds->step(before + message.step.done, message.step.name);
        } else {
            message.result.run = round->rounds->facts;
            if (message.result.device)
                message.result.device = keep_device(round->devices, &message.device);
            mark_reported(round, message.result.name);
            report(round, &message.result);
        }
    }
    wire_free(&message);
    return status;
}

static void describe_end(int wait_status, char *text, size_t size)
{
    if (WIFSIGNALED(wait_status))
        snprintf(text, size, "was ended by signal %d (%s)", WTERMSIG(wait_status), strsignal(WTERMSIG(wait_status)));
    else
        snprintf(text, size, "ended with exit status %d", WEXITSTATUS(wait_status));
}

/* The rows that a crashed round owes. */
static void report_crash(struct round *round, int wait_status)
{
    char how[96], name[160];
    bool told = false;
    describe_end(wait_status, how, sizeof how);
    for (size_t i = 0; i < round->rounds->selection->count && round->writable; i++) {
        if (round->reported[i])
            continue;
        const struct row *row = &round->rounds->selection->rows[i];
        struct result result = row_result(row, &round->facts, NULL);
        result.run = round->rounds->facts;
        row_name(row, name, sizeof name);
        bool was_running = strcmp(name, round->running) == 0;
        told = told || was_running;
        result.status = was_running ? STATUS_FAILED : STATUS_SKIPPED;
        snprintf(result.reason, sizeof result.reason,
                 was_running ? "crashed: the process of round %d %s" : "not reached: the process of round %d %s",
                 round->facts.round, how);
        report(round, &result);
    }
    if (!told) /* no row has failed by it, so nobody else says it */
        fprintf(stderr, "rungbench: round %d crashed: its process %s\n", round->facts.round, how);
}

/* Runs one round to its end; the child's exit status. */
static int run_round(struct round *round)
{
    int ends[2], wait_status = 0;
    if (pipe(ends) != 0) {
        error_set(round->error, "round %d: no pipe (%s)", round->facts.round, strerror(errno));
        return EXIT_USAGE;
    }
    fflush(NULL); /* or the child would have it too */
    round->child = fork();
    if (round->child == 0) {
        close(ends[0]);
        run_child(round, ends[1]);
    }
    close(ends[1]);
    if (round->child < 0) {
        error_set(round->error, "round %d: no process (%s)", round->facts.round, strerror(errno));
        close(ends[0]);
        return EXIT_USAGE;
    }
    int status = gather(round, ends[0]);
    close(ends[0]);
    if (!round->writable)
        kill(round->child, SIGTERM); /* its results have nowhere to go */
    while (waitpid(round->child, &wait_status, 0) < 0 && errno == EINTR)
        pass_on_interruption(round);
    if (status < 0 && round->writable && !round->rounds->interrupted()) {
        report_crash(round, wait_status);
        status = EXIT_WRONG;
    }
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
        struct round round = {
            .rounds = rounds,
            .devices = devices,
            .facts = *rounds->facts,
            .outcome = outcome,
            .error = error,
            .writable = true,
            .reported = reported,
        };
        size_t before = run_outcome_rows(outcome);
        round.facts.round = number;
        memset(reported, 0, rounds->selection->count * sizeof *reported);
        status = run_round(&round);
        if (!round.writable)
            status = EXIT_USAGE;
        wrong = wrong || status == EXIT_WRONG;
        refused = status == EXIT_USAGE || (status == EXIT_ALL_SKIPPED && run_outcome_rows(outcome) == before);
    }
    free(reported);
    return refused ? status : wrong ? EXIT_WRONG : run_outcome_status(outcome);
}

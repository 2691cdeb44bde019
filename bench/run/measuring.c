#include "measuring.h"

#include "bench/base/crash.h"
#include "bench/base/exit_status.h"
#include "bench/base/own_process.h"
#include "bench/base/standard_streams.h"
#include "bench/select/shuffle.h"
#include "channel.h"

#include <stdlib.h>
#include <unistd.h>

/* Of the backends that know where an address lies, the first; NULL: none does. */
static const struct backend *find_describer(const struct registry *registry)
{
    for (size_t i = 0; i < registry->backend_count; i++)
        if (registry->backends[i].backend && registry->backends[i].backend->describe_address)
            return registry->backends[i].backend;
    return NULL;
}

bool measuring_begin(const struct run *run, struct error *error)
{
    if (!standard_output_keep())
        return error_set(error, "stdout: cannot be kept from what rungs print");
    own_process_begin();
    bool is_worker = run->options->worker != NULL;
    const struct backend *describer = find_describer(run->registry);
    crash_install(is_worker ? standard_output() : STDERR_FILENO,
                  is_worker ? channel_open() : "rungbench: crashed: ", describer ? describer->describe_address : NULL);
    return true;
}

/* In the order of the round; the only one of a run has the order of the table, but for libraries. */
static int measure_in_order(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                            const struct run_listener *listener)
{
    struct error error;
    struct selection ordered;
    bool is_round = run->options->session[0] != '\0';
    if (!(is_round ? shuffle_for_round(selection, facts->seed, facts->round, &ordered)
                   : libraries_first(selection, &ordered))) {
        error_set(&error, "no memory for the order of rows");
        return error_report(&error);
    }
    int status = run_measure(run, &ordered, facts, listener);
    free(ordered.rows);
    return status;
}

static void tell_row(size_t done, const char *name)
{
    (void)done;
    channel_row(name);
}

int measuring_run_worker(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                         const struct outputs *outputs)
{
    struct error error;
    struct reporter *reporters = malloc((outputs->reporter_count + 1) * sizeof *reporters);
    if (!reporters) {
        error_set(&error, "no memory for the outputs");
        return error_report(&error);
    }
    reporters[0] = (struct reporter){.early = channel_result};
    for (size_t i = 0; i < outputs->reporter_count; i++)
        reporters[i + 1] = outputs->reporters[i];
    const struct run_listener listener = {
        .reporters = reporters,
        .reporter_count = outputs->reporter_count + 1,
        .step = tell_row,
        .tell = channel_ceiling,
    };
    int status = measure_in_order(run, selection, facts, &listener);
    free(reporters);
    return status;
}

int measuring_run_session(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                          struct judge *judge, void (*step)(size_t done, const char *name))
{
    const struct reporter reporter = {.self = judge, .early = judge_early};
    const struct run_listener listener = {
        .reporters = &reporter, .reporter_count = 1, .step = step, .tell = judge_ceiling, .self = judge};
    return measure_in_order(run, selection, facts, &listener);
}

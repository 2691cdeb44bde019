#include "run.h"

#include "bench/base/exit_status.h"

#include <stdio.h>

static void print_notes(const struct devices *devices)
{
    for (size_t i = 0; i < devices->count; i++)
        for (int n = 0; n < devices->items[i].info.note_count; n++)
            fprintf(stderr, "rungbench: note: %s\n", devices->items[i].info.notes[n].text);
}

int run_open(const struct run *run, bool warns, struct devices *devices)
{
    struct error error;
    const struct backend_entry *required = run->options->require;
    if (!devices_open(run->registry, &run->options->backend, devices, &error)) {
        devices_close(devices);
        return error_report(&error);
    }
    if (required && !devices_find(devices, required)->usable) {
        fprintf(stderr, "rungbench: --require=%s: %s\n", required->name, devices_find(devices, required)->reason);
        devices_close(devices);
        return EXIT_ALL_SKIPPED;
    }
    if (warns)
        print_notes(devices);
    return EXIT_RIGHT;
}

/* With the backends open. */
static int measure(const struct run *run, const struct runner_settings *without_devices,
                   const struct selection *selection)
{
    struct runner_settings settings = *without_devices;
    struct devices devices;
    struct run_outcome outcome;
    struct error error;
    int status = run_open(run, true, &devices);
    if (status != EXIT_RIGHT)
        return status;
    settings.devices = &devices;
    bool written = runner_run(&settings, selection, &outcome, &error);
    devices_close(&devices);
    return written ? run_outcome_status(&outcome) : error_report(&error);
}

bool run_begin_ops(const struct registry *registry, struct error *error)
{
    for (size_t i = 0; i < registry->op_count; i++)
        if (registry->ops[i]->begin && !registry->ops[i]->begin(error))
            return false;
    return true;
}

bool run_finish_ops(const struct registry *registry, struct error *error)
{
    bool ok = true;
    for (size_t i = 0; i < registry->op_count; i++)
        if (registry->ops[i]->finish && !registry->ops[i]->finish(error))
            ok = false;
    return ok;
}

int run_measure(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                const struct run_listener *listener)
{
    struct error error;
    struct runner_settings settings = {
        .options = run->options,
        .registry = run->registry,
        .mnist = run->mnist,
        .facts = facts,
        .reporters = listener->reporters,
        .reporter_count = listener->reporter_count,
        .clock = run->clock,
        .step = listener->step,
        .tell = listener->tell,
        .tell_self = listener->self,
        .ends_after_failure = run->options->worker != NULL,
    };
    if (!run_begin_ops(run->registry, &error))
        return error_report(&error);
    int status = measure(run, &settings, selection);
    if (!run_finish_ops(run->registry, &error)) {
        error_report(&error);
        status = status == EXIT_RIGHT ? EXIT_USAGE : status;
    }
    return status;
}

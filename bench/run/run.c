#include "run.h"

#include "bench/base/crash.h"
#include "bench/base/interrupt.h"
#include "bench/base/process.h"
#include "bench/player/player.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int run_open(const struct run *run, struct devices *devices)
{
    struct error error;
    const struct backend_entry *required = run->options->require;
    if (!devices_open(run->registry, &run->options->backend, devices, &error)) {
        devices_close(devices);
        return error_report(&error);
    }
    if (!required || devices_find(devices, required)->usable)
        return EXIT_RIGHT;
    fprintf(stderr, "rungbench: --require=%s: %s\n", required->name, devices_find(devices, required)->reason);
    devices_close(devices);
    return EXIT_ALL_SKIPPED;
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

/* Of the backends that know where an address lies, the first; NULL: none does. */
static const struct backend *find_describer(const struct registry *registry)
{
    for (size_t i = 0; i < registry->backend_count; i++)
        if (registry->backends[i].backend && registry->backends[i].backend->describe_address)
            return registry->backends[i].backend;
    return NULL;
}

int run_player(const struct run *run)
{
    const struct backend *describer = find_describer(run->registry);
    struct board *board = board_open(PROCESS_MEMORY_FD);
    close(PROCESS_MEMORY_FD); /* a rung that maps it could write where the judge looks */
    struct player player = {.registry = run->registry,
                            .settings = &run->options->backend,
                            .mnist = run->mnist,
                            .evict_by_writing = run->options->flush_by_writing,
                            .clock = run->clock,
                            .board = board};
    if (!board) {
        fputs("rungbench: --player: expected memory of the process that has started this one\n", stderr);
        return EXIT_USAGE;
    }
    interrupt_drop(); /* the judge ends it */
    crash_install(board->crash, sizeof board->crash, describer ? describer->describe_address : NULL);
    player_serve(&player, PROCESS_EXTRA_FD);
    player_close(&player);
    board_free(board, -1);
    return EXIT_RIGHT;
}

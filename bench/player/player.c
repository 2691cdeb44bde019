#include "bench/base/crash.h"
#include "bench/base/error.h"
#include "bench/place/feasible.h"
#include "bench/table/registry.h"
#include "player.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void player_fail(const struct player *player, struct reply *reply, enum outcome outcome, const char *what,
                 const char *why)
{
    reply->outcome = outcome;
    snprintf(player->board->text, sizeof player->board->text, "%s%s", what, why);
}

void player_note_whose_kernel_ran(const struct player *player, const struct rung *rung)
{
    const char *variant = hand_over_variant(player->registry);
    bool is_other = variant && rung && strcmp(variant, rung->variant) != 0;
    snprintf(player->board->runs_as, sizeof player->board->runs_as, "%s", is_other ? variant : "");
}

static void open_devices(struct player *player, struct reply *reply)
{
    struct error error;
    if (!devices_open(player->registry, player->settings, &player->devices, &error))
        player_fail(player, reply, OUTCOME_FAILED, "", error.text);
    for (size_t i = 0; i < player->devices.count; i++) {
        player->board->devices[i] = player->devices.items[i];
        player->board->devices[i].entry = NULL;
    }
}

static void look_if_feasible(const struct player *player, const struct rung *rung, const struct ask *ask,
                             struct reply *reply)
{
    struct error reason;
    if (!feasible_rung(&player->devices, rung, &ask->workload, &reason))
        player_fail(player, reply, OUTCOME_GAVE_UP, "", reason.text);
}

static void load(const struct player *player, const struct rung *rung, struct reply *reply)
{
    const char *error = rung->load ? rung->load(rung) : NULL;
    if (error)
        player_fail(player, reply, OUTCOME_FAILED, "", error);
}

/* Page-locks the outputs on the board, or lets go of them: each answer to a question is copied there. */
static const char *pin_outputs(struct player *player, bool pins)
{
    const struct buffers *buffers = &player->buffers;
    const char *error = NULL;
    for (size_t i = 0; i < buffers->count && !error; i++) {
        if (!buffers->is_output[i])
            continue;
        if (pins)
            error = buffers->backend->pin(player->board_host[i], buffers->data[i].bytes);
        else
            buffers->backend->unpin(player->board_host[i]);
    }
    player->has_pinned_outputs = pins && !error;
    return error;
}

static void leave_problem(struct player *player)
{
    if (player->has_pinned_outputs)
        (void)pin_outputs(player, false); /* unpinning cannot fail */
    player_forget_copies(player);
    player_forget_given(player);
    player_allow_writing(player, true);
    for (size_t i = 0; i < OP_BUFFERS_MAX; i++) {
        if (player->data[i])
            player->buffers.backend->release(player->data[i]);
        player->data[i] = NULL;
    }
    if (player->op)
        buffers_free(&player->buffers);
    player->op = NULL;
}

/* The buffers are there already, of another rung. On the board the judge has made room anew. */
static bool is_placed(const struct player *player, const struct rung *rung, const struct ask *ask)
{
    return player->op == rung->op && player->buffers.backend == rung->backend->backend && !player->is_asked &&
           !ask->on_board && memcmp(&player->workload, &ask->workload, sizeof ask->workload) == 0 &&
           memcmp(&player->placement, &ask->placement, sizeof ask->placement) == 0;
}

static void place(struct player *player, const struct rung *rung, const struct ask *ask, struct reply *reply)
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    if (is_placed(player, rung, ask)) {
        player->buffers.poison_is_finite = (rung->traits & RUNG_ADDS_OUTPUT) != 0;
        return;
    }
    leave_problem(player);
    player->workload = ask->workload;
    player->placement = ask->placement;
    player->is_asked = ask->on_board;
    board_place(player->board, rung->op, &player->workload, specs, player->board_host);
    player->is_on_board = ask->on_board && !rung->backend->separate_memory;
    const char *error = buffers_make(&player->buffers, rung->backend->backend, rung->op, &player->workload,
                                     &ask->placement, player->is_on_board ? player->board_host : NULL);
    player->buffers.poison_is_finite = (rung->traits & RUNG_ADDS_OUTPUT) != 0;
    if (!error)
        player->op = rung->op;
    if (!error && ask->on_board && rung->backend->backend->pin)
        error = pin_outputs(player, true);
    if (error)
        player_fail(player, reply, OUTCOME_GAVE_UP, "", error);
}

/* On the rung's device and in this process. */
static void look_for_changes(const struct player *player, const struct rung *rung, struct reply *reply)
{
    const struct device *host = devices_host(&player->devices);
    const struct backend *backends[] = {rung->backend->backend, host ? host->entry->backend : NULL};
    (void)fflush(stdout); /* the judge looks there, too */
    for (size_t i = 0; i < 2; i++) {
        const char *changed = backends[i] && backends[i]->changed ? backends[i]->changed() : NULL;
        if (changed) {
            player_fail(player, reply, OUTCOME_FAILED, "changes what is not its own: ", changed);
            return;
        }
    }
}

static void read_state(const struct player *player, const struct backend_entry *backend)
{
    if (backend->backend && backend->backend->read_state)
        backend->backend->read_state(&player->board->before, true);
}

static bool names_rung(const struct player *player, const struct ask *ask)
{
    return ask->rung >= 0 && (size_t)ask->rung < player->registry->rung_count;
}

void player_answer(struct player *player, const struct ask *ask, struct reply *reply)
{
    const struct registry *registry = player->registry;
    const struct rung *rung = names_rung(player, ask) ? &registry->rungs[ask->rung] : NULL;
    const struct backend_entry *backend = rung ? rung->backend : &registry->backends[ask->backend];
    *reply = (struct reply){.outcome = OUTCOME_DONE};
    switch (ask->kind) {
    case ASK_OPEN: open_devices(player, reply); break;
    case ASK_FEASIBLE: look_if_feasible(player, rung, ask, reply); break;
    case ASK_LOAD: load(player, rung, reply); break;
    case ASK_PLACE: place(player, rung, ask, reply); break;
    case ASK_CALL: player_call(player, rung, ask, reply); break;
    case ASK_REPEAT: player_repeat(player, rung, reply); break;
    case ASK_LEAKS: player_look_for_leaks(player, rung, reply); break;
    case ASK_GRAPH: player_call_graph(player, rung, reply); break;
    case ASK_FAR: player_call_far(player, rung, ask, reply); break;
    case ASK_CHANGED: look_for_changes(player, rung, reply); break;
    case ASK_MEASURE: player_measure(player, rung, ask, reply); break;
    case ASK_QUESTION: player_prepare_question(player, ask, reply); break;
    case ASK_GO: player_go(player, rung, ask, reply); break;
    case ASK_STATE: read_state(player, backend); break;
    case ASK_CEILING: player_time_ceiling(player, backend, ask, reply); break;
    }
}

/* A rung may fork: the copy of this process must not go on as if it were this process. */
static void end_if_copied(pid_t own)
{
    if (getpid() != own)
        _exit(EXIT_WRONG);
}

void player_serve(struct player *player, int fd)
{
    struct ask ask;
    struct reply reply;
    const pid_t own = getpid();
    while (recv(fd, &ask, sizeof ask, 0) == (ssize_t)sizeof ask) {
        player_answer(player, &ask, &reply);
        end_if_copied(own);
        if (send(fd, &reply, sizeof reply, MSG_NOSIGNAL) != (ssize_t)sizeof reply)
            break;
    }
    end_if_copied(own);
}

void player_close(struct player *player)
{
    leave_problem(player);
    devices_close(&player->devices);
}

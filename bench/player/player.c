#include "bench/base/crash.h"
#include "bench/base/error.h"
#include "bench/measure/constants.h"
#include "bench/table/registry.h"
#include "player.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum outcome player_end(const struct player *player, enum outcome outcome, const char *what, const char *error)
{
    if (!error)
        return OUTCOME_DONE;
    snprintf(player->board->text, sizeof player->board->text, "%s%s", what, error);
    return outcome;
}

void player_note_whose_kernel_ran(const struct player *player, const struct rung *rung)
{
    const char *variant = hand_over_variant(player->registry), *choice = hand_over_choice();
    bool is_other = variant && rung && strcmp(variant, rung->variant) != 0;
    snprintf(player->board->runs_as, sizeof player->board->runs_as, "%s", is_other ? variant : "");
    snprintf(player->board->choice, sizeof player->board->choice, "%s", choice ? choice : "");
}

static enum outcome open_devices(struct player *player)
{
    struct error error;
    bool ok = devices_open(player->registry, player->settings, &player->devices, &error);
    for (size_t i = 0; i < player->devices.count; i++) {
        struct device_info *info = &player->devices.items[i].info;
        if (info->multiprocessors > 0 && !player->settings->untuned)
            constants_take(info);
        player->board->devices[i] = player->devices.items[i];
        player->board->devices[i].entry = NULL;
    }
    return player_end(player, OUTCOME_FAILED, "", ok ? NULL : error.text);
}

static enum outcome look_if_feasible(const struct player *player, const struct rung *rung, const struct ask *ask)
{
    struct error reason;
    bool ok = feasible_rung(&player->devices, rung, &ask->workload, &reason);
    return player_end(player, OUTCOME_GAVE_UP, "", ok ? NULL : reason.text);
}

/* Page-locks what is copied there, or from there, for each question: answers, and inputs that the host makes. Such
 * copies wait for nothing but the queue that they are in. */
static const char *pin_board(struct player *player)
{
    const struct buffers *buffers = &player->buffers;
    for (size_t i = 0; i < buffers->count && buffers->backend->pin; i++)
        if (buffers->is_output[i] || player->op->args[i].make) {
            TRY_CALL(buffers->backend->pin(player->board_host[i], buffers->data[i].bytes));
            player->is_pinned[i] = true;
        }
    return NULL;
}

static void unpin_board(struct player *player)
{
    for (size_t i = 0; i < player->buffers.count; i++) {
        if (player->is_pinned[i])
            player->buffers.backend->unpin(player->board_host[i]);
        player->is_pinned[i] = false;
    }
}

static void leave_problem(struct player *player)
{
    if (!player->op)
        return;
    unpin_board(player);
    player_allow_writing(player, true);
    for (size_t i = 0; i < OP_BUFFERS_MAX; i++) {
        if (player->data[i])
            player->buffers.backend->release(player->data[i]);
        player->data[i] = NULL;
    }
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

static const char *make_problem(struct player *player, const struct rung *rung, const struct ask *ask)
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    leave_problem(player);
    player->workload = ask->workload;
    player->placement = ask->placement;
    player->is_asked = ask->on_board;
    player->is_on_board = ask->on_board && !rung->backend->separate_memory;
    board_place(player->board, rung->op, &player->workload, specs, player->board_host);
    TRY_CALL(buffers_make(&player->buffers, rung->backend->backend, rung->op, &player->workload, &ask->placement,
                          player->is_on_board ? player->board_host : NULL));
    player->op = rung->op;
    return ask->on_board ? pin_board(player) : NULL;
}

static enum outcome place(struct player *player, const struct rung *rung, const struct ask *ask)
{
    const char *error = is_placed(player, rung, ask) ? NULL : make_problem(player, rung, ask);
    player->buffers.poison_is_finite = (rung->traits & RUNG_ADDS_OUTPUT) != 0;
    if (!error)
        player_begin_row(rung->backend->backend);
    return player_end(player, OUTCOME_GAVE_UP, "cannot prepare its buffers: ", error);
}

/* On the rung's device and in this process. */
static enum outcome look_for_changes(const struct player *player, const struct rung *rung)
{
    const struct device *host = devices_host(&player->devices);
    const struct backend *backend = rung->backend->backend, *own = host ? host->entry->backend : NULL;
    (void)fflush(stdout); /* the judge looks there, too */
    const char *changed = backend->changed ? backend->changed() : NULL;
    if (!changed && own && own->changed)
        changed = own->changed();
    return player_end(player, OUTCOME_FAILED, "changes what is not its own: ", changed);
}

static enum outcome read_state(const struct player *player, const struct backend_entry *backend)
{
    if (backend->backend && backend->backend->read_state)
        backend->backend->read_state(&player->board->before, true);
    return OUTCOME_DONE;
}

static enum outcome answer(struct player *player, const struct rung *rung, const struct backend_entry *backend,
                           const struct ask *ask, struct reply *reply)
{
    switch (ask->kind) {
    case ASK_OPEN: return open_devices(player);
    case ASK_FEASIBLE: return look_if_feasible(player, rung, ask);
    case ASK_LOAD: return player_end(player, OUTCOME_FAILED, "", rung->load ? rung->load(rung) : NULL);
    case ASK_PLACE: return place(player, rung, ask);
    case ASK_CALL: return player_call(player, rung, ask);
    case ASK_REPEAT: return player_repeat(player, rung, &reply->number);
    case ASK_LEAKS: return player_look_for_leaks(player, rung);
    case ASK_FAR: return player_call_far(player, rung, ask, &reply->number);
    case ASK_CHANGED: return look_for_changes(player, rung);
    case ASK_MEASURE: return player_measure(player, rung, ask);
    case ASK_QUESTION: return player_prepare_question(player, ask);
    case ASK_GO: return player_go(player, rung, ask, reply);
    case ASK_STATE: return read_state(player, backend);
    case ASK_CEILING: break;
    }
    return player_time_ceiling(player, backend, ask, reply);
}

void player_answer(struct player *player, const struct ask *ask, struct reply *reply)
{
    const struct registry *registry = player->registry;
    const bool names_rung = ask->rung >= 0 && (size_t)ask->rung < registry->rung_count;
    const struct rung *rung = names_rung ? &registry->rungs[ask->rung] : NULL;
    *reply = (struct reply){.stamp = ask->stamp};
    reply->outcome = answer(player, rung, rung ? rung->backend : &registry->backends[ask->backend], ask, reply);
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

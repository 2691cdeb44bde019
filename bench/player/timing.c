/* Times: rows of rungs, answers to questions, ceilings. */
#include "bench/base/host.h"
#include "bench/base/process.h"
#include "bench/measure/ceilings.h"
#include "bench/measure/conditions.h"
#include "bench/table/registry.h"
#include "player.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

static bool transfers(const struct mode *mode)
{
    return mode->transfer[0] != '\0';
}

/* Copies of the buffers in memory that this process alone has, as a caller of a library has them; end_copies() in any
 * case. */
static const char *make_copies(struct player *player, bool pins)
{
    const struct buffers *buffers = &player->buffers;
    for (size_t i = 0; i < buffers->count; i++) {
        const size_t bytes = buffers->data[i].bytes;
        player->host[i] = host_allocate_pages(bytes);
        if (!player->host[i])
            return "no memory for copies on the host";
        if (!buffers->is_output[i])
            memcpy(player->host[i], player->board_host[i], bytes);
        if (pins && buffers->backend->pin)
            TRY_CALL(buffers->backend->pin(player->host[i], bytes));
        player->pinned += pins && buffers->backend->pin;
    }
    return NULL;
}

static void end_copies(struct player *player)
{
    while (player->pinned > 0)
        player->buffers.backend->unpin(player->host[--player->pinned]);
    for (size_t i = 0; i < OP_BUFFERS_MAX; i++) {
        free(player->host[i]);
        player->host[i] = NULL;
    }
}

static struct mode_context context_of(struct player *player, const struct rung *rung)
{
    return (struct mode_context){.rung = rung,
                                 .buffers = &player->buffers,
                                 .host = player->host,
                                 .evict_by_writing = player->evict_by_writing,
                                 .now = player->clock.now};
}

/* With the state of the device before and after. */
static const char *measure_watched(struct player *player, const struct mode *mode, const struct mode_context *context,
                                   const struct measure_settings *settings, struct measurement *measured)
{
    const struct backend *backend = player->buffers.backend;
    bool may_take_long = conditions_have_energy(STOPPING_BUDGET_FACTOR * settings->min_time_s);
    if (backend->read_state)
        backend->read_state(&player->board->before, !may_take_long);
    double start_s = player->clock.now();
    const char *error = measure_row(mode, context, settings, measured);
    player->board->elapsed_s = player->clock.now() - start_s;
    if (backend->read_state)
        backend->read_state(&player->board->after, !may_take_long || !conditions_have_energy(player->board->elapsed_s));
    return error;
}

/* Takes one more sample on poisoned outputs: a rung that works in the first of many calls alone leaves the poison. */
static const char *repeat_on_poison(const struct mode *mode, const struct mode_context *context, int64_t iterations)
{
    struct sample sample;
    /* Poison after mode_begin(): work that a rung does during graph capture is not in the graph. */
    TRY_CALL(mode_begin(mode, context, iterations));
    TRY_CALL(buffers_poison_outputs(context->buffers));
    return mode->take(context, iterations, &sample);
}

static bool is_long(double call_s, double min_time_s)
{
    return call_s > fmax(0.1 * min_time_s, 10e-3);
}

/* What the timed calls left in the outputs, or have downloaded. */
static const char *take_answer(struct player *player, const struct mode *mode)
{
    const struct buffers *buffers = &player->buffers;
    TRY_CALL(buffers_check_guards(buffers));
    if (!transfers(mode))
        return buffers_download(buffers, player->board_host);
    for (size_t i = 0; i < buffers->count; i++)
        if (buffers->is_output[i])
            memcpy(player->board_host[i], player->host[i], buffers->data[i].bytes);
    return NULL;
}

static const char *time_calls(struct player *player, const struct mode *mode, struct mode_context *context,
                              const struct ask *ask)
{
    struct board *board = player->board;
    struct measure_settings settings = ask->settings;
    struct measurement measured;
    settings.tick_s = devices_find(&player->devices, context->rung->backend)->info.tick_s;
    settings.interrupted = player->clock.interrupted;
    board->slowdown_pct = NAN;
    if (ask->slowdown_pct > 0)
        TRY_CALL(slowdown_calibrate(mode, context, &settings, ask->slowdown_pct, &board->slowdown_pct));
    board->measured = (struct measurement){.stop_reason = STOP_INTERRUPTED};
    if (player->clock.interrupted()) /* a call may take long */
        return NULL;
    TRY_CALL(buffers_poison(&player->buffers));
    const char *error = measure_watched(player, mode, context, &settings, &measured);
    if (!error) {
        board->measured = measured;
        board->measured.sample_s = NULL;
        memcpy(board->sample_s, measured.sample_s, measured.statistics.count * sizeof *measured.sample_s);
    }
    measurement_free(&measured);
    return error;
}

static enum outcome measure_placed(struct player *player, const struct rung *rung, const struct ask *ask)
{
    const struct mode *mode = modes[ask->mode];
    const struct measurement *measured = &player->board->measured;
    struct mode_context context = context_of(player, rung);
    const char *error = time_calls(player, mode, &context, ask);
    context.is_slowed = false;
    if (error || measured->statistics.count == 0)
        return player_end(player, OUTCOME_FAILED, "failed while timed: ", error);
    if (!is_long(measured->statistics.median, ask->settings.min_time_s))
        error = repeat_on_poison(mode, &context, measured->iterations);
    if (error)
        return player_end(player, OUTCOME_FAILED, "failed after it was timed: ", error);
    return player_end(player, OUTCOME_FAILED, "correct before it was timed, then wrong: ", take_answer(player, mode));
}

void player_begin_row(const struct backend *backend)
{
    if (backend->begin_row)
        backend->begin_row();
    (void)host_others_rest();
}

enum outcome player_measure(struct player *player, const struct rung *rung, const struct ask *ask)
{
    const struct mode *mode = modes[ask->mode];
    const char *error = transfers(mode) ? make_copies(player, mode->pins) : NULL;
    if (!error && ask->uploads)
        error = buffers_transfer(&player->buffers, false, player->board_host);
    enum outcome outcome = player_end(player, OUTCOME_GAVE_UP, "cannot be timed: ", error);
    if (!error) {
        player_begin_row(player->buffers.backend);
        outcome = measure_placed(player, rung, ask);
    }
    end_copies(player);
    return outcome;
}

/* Rows of a data set are uploaded once per problem. */
static const char *place_data(struct player *player, size_t number, struct made *made)
{
    const struct backend *backend = player->buffers.backend;
    void **data = &player->data[number];
    if (!made->rows)
        return NULL;
    if (!*data) {
        TRY_CALL(backend->allocate(made_rows_bytes(made), EDGE_ANY, data));
        TRY_CALL(backend->upload(*data, made->rows, made_rows_bytes(made)));
    }
    made->rows = *data;
    return NULL;
}

static void read_question(const struct player *player, struct made made[OP_BUFFERS_MAX])
{
    const struct input_source source = {.seed = player->seed, .real = player->real, .asks = true};
    struct input_note note;
    op_made(player->op, &player->workload, &source, made, &note);
}

static const char *put_question(void *self)
{
    struct player *player = self;
    struct buffers *buffers = &player->buffers;
    struct made made[OP_BUFFERS_MAX] = {0};
    read_question(player, made);
    for (size_t i = 0; i < buffers->count; i++) {
        const size_t input = buffers_begins(buffers, i) ? buffers->beginning : i;
        if (buffers->is_output[input])
            continue;
        made[i] = made[input];
        if (made[i].kind == MADE_GIVEN) {
            if (!made[i].rows)
                return "no memory for inputs that the host makes";
            memcpy(player->board_host[input], made[i].rows, buffers->data[i].bytes);
            TRY_CALL(
                buffers->backend->upload(buffers->data[i].start, player->board_host[input], buffers->data[i].bytes));
            continue;
        }
        TRY_CALL(place_data(player, input, &made[i]));
        TRY_CALL(buffers->backend->fill(buffers->data[i].start, buffers->data[i].bytes, &made[i]));
    }
    return buffers_poison_outputs(buffers);
}

/* A device puts the question and empties its caches in the very queue in which the call follows: work on another stream
 * that waits for nothing finds another question, except in what the host has made. */
static bool asks_before(const struct player *player)
{
    return !player->buffers.backend->hold;
}

/* To outputs on the board: a thread that goes on after the return faults, before the judge looks. */
void player_allow_writing(const struct player *player, bool is_allowed)
{
    const struct buffers *buffers = &player->buffers;
    for (size_t i = 0; i < buffers->count && player->is_on_board; i++)
        if (buffers->is_output[i])
            (void)mprotect(player->board_host[i], host_whole_pages(buffers->data[i].bytes),
                           is_allowed ? PROT_READ | PROT_WRITE : PROT_READ);
}

/* From the question on until the call nothing of the kernel runs on this thread: no handler of it, and what would fault
 * for it ends the process. */
static void block_signals(struct player *player)
{
    sigset_t all;
    sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &player->signals);
}

/* A handler of theirs may run at any time: also when nobody looks, just before a call. */
static bool has_timers(void)
{
    struct itimerval timer;
    FILE *timers = fopen("/proc/self/timers", "r");
    bool any = timers && fgetc(timers) != EOF;
    for (int kind = ITIMER_REAL; kind <= ITIMER_PROF; kind++)
        any = any || (getitimer(kind, &timer) == 0 && (timer.it_value.tv_sec > 0 || timer.it_value.tv_usec > 0));
    if (timers)
        fclose(timers);
    return any;
}

/* How long it may have worked since. */
static double ahead_s(const struct player *player)
{
    sigset_t pending;
    sigemptyset(&pending);
    (void)sigpending(&pending);
    bool is_waited_for = false;
    for (int number = 1; number <= SIGRTMAX; number++)
        is_waited_for =
            is_waited_for || (sigismember(&pending, number) == 1 && sigismember(&player->signals, number) == 0);
    const bool has_children = left_behind_are_any(); /* they may share its memory */
    return is_waited_for || has_children ? INFINITY : host_others_s(false) - player->others_s;
}

enum outcome player_prepare_question(struct player *player, const struct ask *ask)
{
    struct buffers *buffers = &player->buffers;
    struct made made[OP_BUFFERS_MAX] = {0};
    (void)host_others_rest();
    player_allow_writing(player, true);
    block_signals(player);
    player->others_s = asks_before(player) && has_timers() ? -INFINITY : host_others_s(true);
    player->seed = asks_before(player) ? ask->seed : entropy_bits();
    const char *error = put_question(player);
    if (!error && asks_before(player))
        error = buffers->backend->evict(buffers->data, buffers->count, player->evict_by_writing);
    player->seed = ask->seed;
    error = backend_finish(buffers->backend, error);
    read_question(player, made); /* what the host makes it has made when a queue is held */
    return player_end(player, OUTCOME_GAVE_UP, "no new inputs: ", error);
}

enum outcome player_go(struct player *player, const struct rung *rung, const struct ask *ask, struct reply *reply)
{
    const struct rung nothing = {.run = calibration_spin};
    struct buffers buffers = player->buffers;
    struct spin_problem spin = {buffers.backend, ask->spin_ns};
    struct mode_context context = context_of(player, rung ? rung : &nothing);
    struct sample sample = {.seconds = NAN};
    if (!rung)
        memcpy(buffers.problem, &spin, sizeof spin);
    context.buffers = &buffers;
    context.prepare = put_question;
    context.self = player;
    hand_over_forget();
    reply->ahead_s = ahead_s(player);
    (void)pthread_sigmask(SIG_SETMASK, &player->signals, NULL);
    const char *error = (asks_before(player) ? &mode_hot : &mode_cold)->take(&context, 1, &sample);
    player_allow_writing(player, false);
    player_note_whose_kernel_ran(player, rung);
    if (!error && !player->is_on_board)
        error = buffers_download(&buffers, player->board_host);
    reply->seconds = sample.seconds;
    reply->cpu_s = sample.cpu_s;
    player->lapses = rung && sample.launch_bound ? player->lapses + 1 : 0;
    if (!error && player->lapses > 1)
        return player_end(player, OUTCOME_FAILED, "", player_waits);
    return player_end(player, OUTCOME_FAILED, "failed while timed: ", error);
}

enum outcome player_time_ceiling(struct player *player, const struct backend_entry *backend, const struct ask *ask,
                                 struct reply *reply)
{
    struct bench bench = {.device = devices_find(&player->devices, backend),
                          .clock = &player->clock,
                          .evict_by_writing = player->evict_by_writing,
                          .buffers = &player->buffers,
                          .host = player->host};
    struct ceiling ceiling = {
        .kind = ask->ceiling.kind, .amount = ask->ceiling.amount, .variant = ask->ceiling.variant, .seconds = NAN};
    player_begin_row(backend->backend); /* threads of a library that was timed before may spin still */
    snprintf(ceiling.mode, sizeof ceiling.mode, "%s", modes[ask->mode]->name);
    if (ceiling.kind != CEILING_TRANSFER || !make_copies(player, true))
        ceiling_time(&bench, ask->ceiling.min_time_s, &ceiling);
    end_copies(player);
    reply->seconds = ceiling.seconds;
    reply->variant = ceiling.variant;
    return OUTCOME_DONE;
}

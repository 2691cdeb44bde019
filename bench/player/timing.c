/* Times: rows of rungs, answers to questions, ceilings. */
#include "bench/base/host.h"
#include "bench/measure/ceilings.h"
#include "bench/measure/conditions.h"
#include "bench/measure/slowdown.h"
#include "bench/table/registry.h"
#include "player.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

static void unpin_first(const struct player *player, size_t count)
{
    for (size_t i = 0; i < count && player->buffers.backend->unpin; i++)
        player->buffers.backend->unpin(player->host[i]);
}

static const char *pin_all(const struct player *player)
{
    const struct buffers *buffers = &player->buffers;
    for (size_t i = 0; i < buffers->count && buffers->backend->pin; i++) {
        const char *error = buffers->backend->pin(player->host[i], buffers->data[i].bytes);
        if (error) {
            unpin_first(player, i);
            return error;
        }
    }
    return NULL;
}

static const char *set_pinned(struct player *player, bool pins)
{
    const char *error = NULL;
    if (player->is_pinned == pins)
        return NULL;
    if (pins)
        error = pin_all(player);
    else
        unpin_first(player, player->buffers.count);
    player->is_pinned = pins && !error;
    return error;
}

void player_forget_copies(struct player *player)
{
    if (!player->op)
        return;
    (void)set_pinned(player, false); /* unpinning cannot fail */
    for (size_t i = 0; i < player->buffers.count; i++) {
        free(player->host[i]);
        player->host[i] = NULL;
    }
}

/* Copies of the buffers in memory that this process alone has, as a caller of a library has them. */
static const char *make_copies(struct player *player)
{
    for (size_t i = 0; i < player->buffers.count && !player->host[i]; i++) {
        player->host[i] = host_allocate_pages(player->buffers.data[i].bytes);
        if (!player->host[i])
            return "no memory for copies on the host";
    }
    for (size_t i = 0; i < player->buffers.count; i++)
        if (!player->buffers.is_output[i])
            memcpy(player->host[i], player->board_host[i], player->buffers.data[i].bytes);
    return NULL;
}

static bool transfers(const struct mode *mode)
{
    return mode->transfer[0] != '\0';
}

/* Rows that transfer nothing leave pinning as it is: pinning a large buffer takes longer than such a row. */
static const char *prepare_copies(struct player *player, bool pins)
{
    TRY_CALL(make_copies(player));
    return set_pinned(player, pins);
}

static struct mode_context context_of(struct player *player, const struct rung *rung)
{
    return (struct mode_context){.rung = rung,
                                 .buffers = &player->buffers,
                                 .host = player->host,
                                 .evict_by_writing = player->evict_by_writing,
                                 .now = player->clock.now};
}

static struct measure_settings settings_of(const struct player *player, const struct rung *rung, const struct ask *ask)
{
    return (struct measure_settings){.min_time_s = ask->timing.min_time_s,
                                     .samples = ask->timing.samples,
                                     .interval_s = ask->timing.interval_s,
                                     .tick_s = devices_find(&player->devices, rung->backend)->info.tick_s,
                                     .interrupted = player->clock.interrupted};
}

static const char *slow_down(struct player *player, const struct mode *mode, struct mode_context *context,
                             const struct ask *ask)
{
    const struct measure_settings settings = settings_of(player, context->rung, ask);
    player->board->slowdown_pct = NAN;
    if (!(ask->timing.slowdown_pct > 0))
        return NULL;
    return slowdown_calibrate(mode, context, &settings, ask->timing.slowdown_pct, &player->board->slowdown_pct);
}

/* With the state of the device before and after. */
static const char *measure_watched(struct player *player, const struct mode *mode, const struct mode_context *context,
                                   const struct ask *ask, struct measurement *measured)
{
    const struct backend *backend = player->buffers.backend;
    const struct measure_settings settings = settings_of(player, context->rung, ask);
    bool may_take_long = conditions_have_energy(STOPPING_BUDGET_FACTOR * settings.min_time_s);
    if (backend->read_state)
        backend->read_state(&player->board->before, !may_take_long);
    double start_s = player->clock.now();
    const char *error = measure_row(mode, context, &settings, measured);
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

/* A call is long if it takes more than this share of min_time_s, and more than so many seconds. */
static const double long_call = 0.1, long_call_s = 10e-3;

static bool is_long(double call_s, double min_time_s)
{
    return call_s > fmax(long_call * min_time_s, long_call_s);
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

static void keep(struct board *board, const struct measurement *measured)
{
    board->measured = *measured;
    board->measured.sample_s = NULL;
    memcpy(board->sample_s, measured->sample_s, measured->statistics.count * sizeof *measured->sample_s);
}

/* To the board. */
static const char *time_calls(struct player *player, const struct mode *mode, struct mode_context *context,
                              const struct ask *ask)
{
    struct measurement measured;
    TRY_CALL(slow_down(player, mode, context, ask));
    if (player->clock.interrupted()) { /* a call may take long */
        player->board->measured = (struct measurement){.stop_reason = STOP_INTERRUPTED};
        return NULL;
    }
    TRY_CALL(buffers_poison(&player->buffers));
    const char *error = measure_watched(player, mode, context, ask, &measured);
    if (!error)
        keep(player->board, &measured);
    measurement_free(&measured);
    return error;
}

static void measure_placed(struct player *player, const struct mode *mode, struct mode_context *context,
                           const struct ask *ask, struct reply *reply)
{
    const struct measurement *measured = &player->board->measured;
    const char *error = time_calls(player, mode, context, ask);
    context->is_slowed = false;
    if (error) {
        player_fail(player, reply, OUTCOME_FAILED, "failed while timed: ", error);
        return;
    }
    if (measured->statistics.count == 0)
        return;
    bool repeats = !is_long(measured->statistics.median, ask->timing.min_time_s);
    error = repeats ? repeat_on_poison(mode, context, measured->iterations) : NULL;
    if (error) {
        player_fail(player, reply, OUTCOME_FAILED, "failed after it was timed: ", error);
        return;
    }
    error = take_answer(player, mode);
    if (error)
        player_fail(player, reply, OUTCOME_FAILED, "correct before it was timed, then wrong: ", error);
}

void player_measure(struct player *player, const struct rung *rung, const struct ask *ask, struct reply *reply)
{
    const struct backend *backend = player->buffers.backend;
    const struct mode *mode = modes[ask->mode];
    struct mode_context context = context_of(player, rung);
    const char *error = transfers(mode) ? prepare_copies(player, mode->pins) : NULL;
    if (!error && ask->timing.uploads)
        error = buffers_transfer(&player->buffers, false, player->board_host);
    if (error) {
        player_fail(player, reply, OUTCOME_GAVE_UP, "cannot be timed: ", error);
        return;
    }
    if (backend->name_range)
        backend->name_range(rung->variant);
    measure_placed(player, mode, &context, ask, reply);
    if (backend->name_range)
        backend->name_range(NULL);
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

/* Memory from which copies wait for nothing but the queue that they are in. */
static void *allocate_pinned(const struct backend *backend, size_t bytes)
{
    void *memory = host_allocate_pages(bytes);
    if (memory && backend->pin && backend->pin(memory, bytes)) {
        free(memory);
        memory = NULL;
    }
    return memory;
}

void player_forget_given(struct player *player)
{
    for (size_t i = 0; i < OP_BUFFERS_MAX; i++) {
        if (player->given[i] && player->buffers.backend->unpin)
            player->buffers.backend->unpin(player->given[i]);
        free(player->given[i]);
        player->given[i] = NULL;
    }
}

static const char *upload_given(struct player *player, size_t number, const struct made *made)
{
    const struct backend *backend = player->buffers.backend;
    const struct span *to = &player->buffers.data[number];
    if (!player->given[number])
        player->given[number] = allocate_pinned(backend, to->bytes);
    if (!made->rows || !player->given[number])
        return "no memory for inputs that the host makes";
    memcpy(player->given[number], made->rows, to->bytes);
    return backend->upload(to->start, player->given[number], to->bytes);
}

static void read_question(const struct player *player, struct made made[OP_BUFFERS_MAX])
{
    const struct input_source source = {.seed = player->seed, .real = player->real, .asks = true};
    struct input_note note;
    op_made(player->op, &player->workload, &source, made, &note);
}

/* New inputs, and poison for the outputs. */
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
            TRY_CALL(upload_given(player, i, &made[i]));
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

/* Threads may spin for a while after a call. Those that never rest are not waited for. */
static void wait_for_others(const struct player *player)
{
    const double long_s = 0.05, end_s = player->clock.now() + long_s;
    for (long wait_ns = 50000; !host_others_rest() && player->clock.now() < end_s; wait_ns *= 2)
        nanosleep(&(struct timespec){.tv_nsec = wait_ns}, NULL);
}

/* From the question on until the call nothing of the kernel runs on this thread: no handler of it, and what would fault
 * for it ends the process. */
static void block_signals(struct player *player)
{
    sigset_t all;
    sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &player->signals);
}

/* Processes of its own may share its memory. */
static bool has_children(void)
{
    siginfo_t info;
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0 || errno != ECHILD;
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
    return is_waited_for || has_children() ? INFINITY : host_others_s(false) - player->others_s;
}

void player_prepare_question(struct player *player, const struct ask *ask, struct reply *reply)
{
    struct buffers *buffers = &player->buffers;
    struct made made[OP_BUFFERS_MAX] = {0};
    wait_for_others(player);
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
    if (error)
        player_fail(player, reply, OUTCOME_GAVE_UP, "no new inputs: ", error);
}

void player_go(struct player *player, const struct rung *rung, const struct ask *ask, struct reply *reply)
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
    if (error)
        player_fail(player, reply, OUTCOME_FAILED, "failed while timed: ", error);
}

void player_time_ceiling(struct player *player, const struct backend_entry *backend, const struct ask *ask,
                         struct reply *reply)
{
    struct bench bench = {.device = devices_find(&player->devices, backend),
                          .clock = &player->clock,
                          .evict_by_writing = player->evict_by_writing,
                          .buffers = &player->buffers,
                          .host = player->host};
    struct ceiling ceiling = {
        .kind = ask->ceiling.kind, .amount = ask->ceiling.amount, .variant = ask->ceiling.variant, .seconds = NAN};
    wait_for_others(player); /* threads of a library that was timed before may spin still */
    snprintf(ceiling.mode, sizeof ceiling.mode, "%s", modes[ask->mode]->name);
    bool has_copies = ceiling.kind != CEILING_TRANSFER || !prepare_copies(player, true);
    if (has_copies)
        ceiling_time(&bench, ask->ceiling.min_time_s, &ceiling);
    reply->seconds = ceiling.seconds;
    reply->variant = ceiling.variant;
}

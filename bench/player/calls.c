/* Calls for verification. What is right, the judge decides. */
#include "bench/base/host.h"
#include "bench/measure/mode.h"
#include "bench/table/registry.h"
#include "player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PEEK_BYTES_MAX = 65536, PEEK_AFTER_NS = 200000, LATE_WORK_NS = 2000000 };
/* Freezing inputs takes longer than a small call on a device: there, one in so many calls finds them frozen. A rung
 * cannot foresee which, and gets hundreds on ragged sizes. */
enum { CALLS_PER_FROZEN = 8 };

/* Sets `early` if an output is no longer its poison. */
static const char *find_early_writes(const struct buffers *buffers, bool *early)
{
    static unsigned char seen[PEEK_BYTES_MAX];
    nanosleep(&(struct timespec){.tv_nsec = PEEK_AFTER_NS}, NULL);
    for (size_t i = 0; i < buffers->count; i++) {
        if (!buffers->is_output[i])
            continue;
        struct span data = buffers->data[i];
        size_t bytes = data.bytes < sizeof seen ? data.bytes : sizeof seen;
        TRY_CALL(buffers->backend->peek(seen, data.start, bytes));
        if (buffers_poison_is_gone(buffers, i, seen, bytes))
            *early = true;
    }
    return NULL;
}

/* After the return nothing of a call may go on: a thread that still uses the buffers faults. Where the memory is not
 * the host's, it does nothing. */
static void look_for_late_work(const struct buffers *buffers)
{
    if (!buffers_protect(buffers, false))
        return;
    nanosleep(&(struct timespec){.tv_nsec = LATE_WORK_NS}, NULL);
    (void)buffers_protect(buffers, true);
}

static const char *prepare(struct player *player, enum call_kind kind)
{
    struct buffers *buffers = &player->buffers;
    TRY_CALL(buffers_transfer(buffers, false, player->board_host));
    if (kind == CALL_ON_NAN && !buffers->poison_is_finite)
        buffers_choose_nan(buffers);
    TRY_CALL(kind == CALL_REPEATED || kind == CALL_ON_NAN ? buffers_poison_again(buffers) : buffers_poison(buffers));
    return buffers->backend->finish();
}

static const char *queue_held(const struct buffers *buffers, const struct rung *rung, bool *early)
{
    TRY_CALL(buffers->backend->hold());
    TRY_CALL(rung->run(buffers->problem, buffers->backend->stream()));
    return find_early_writes(buffers, early);
}

const char player_waits[] = "waits for the GPU inside its call; a rung may only queue work";

/* Sets `lapsed` if the hold ended by itself: the rung's call waited for the device, or the machine was too busy. */
static enum outcome run_held(const struct player *player, const struct rung *rung, bool *lapsed)
{
    const struct buffers *buffers = &player->buffers;
    bool early = false;
    const char *error = queue_held(buffers, rung, &early);
    const char *not_let_go = buffers->backend->let_go(lapsed);
    error = backend_finish(buffers->backend, error ? error : not_let_go);
    *lapsed = *lapsed && !error;
    if (error)
        return player_end(player, OUTCOME_FAILED, "failed while the stream was held: ", error);
    if (*lapsed)
        return player_end(player, OUTCOME_FAILED, "", player_waits);
    return player_end(player, OUTCOME_FAILED, "",
                      early ? "puts work on another stream than the one it was given, so it cannot be timed" : NULL);
}

static enum outcome run_recorded(struct player *player, const struct rung *rung)
{
    const struct backend *backend = player->buffers.backend;
    struct mode_context context = {.rung = rung, .buffers = &player->buffers};
    player->board->launches = (struct kernel_launches){0};
    const char *error = mode_begin(&mode_graph, &context, 1);
    if (error)
        return player_end(
            player, OUTCOME_FAILED,
            "cannot be recorded in a graph, as all its work must be on the stream that it is given: ", error);
    error = backend_finish(backend, backend->graphs->queue());
    backend->graphs->describe(&player->board->launches);
    return player_end(player, OUTCOME_FAILED, "in a graph: ", error);
}

static enum outcome run_unheld(const struct player *player, const struct rung *rung, bool is_awaited)
{
    const struct buffers *buffers = &player->buffers;
    const char *error = rung->run(buffers->problem, buffers->backend->stream());
    const char *failed = buffers->backend->finish();
    if (is_awaited)
        look_for_late_work(buffers);
    if (error) /* the simulator lacks nothing */
        return player_end(player, rung->backend->simulates ? OUTCOME_FAILED : OUTCOME_GAVE_UP,
                          rung->load ? "" : "failed to launch: ", error);
    return player_end(player, OUTCOME_FAILED, "failed while running: ", failed);
}

static enum outcome prepare_and_run(struct player *player, const struct rung *rung, enum call_kind kind, bool *lapsed)
{
    const struct buffers *buffers = &player->buffers;
    const bool freezes = kind != CALL_RECORDED && (!buffers->backend->hold || entropy_bits() % CALLS_PER_FROZEN == 0);
    const char *error = prepare(player, kind);
    if (error)
        return player_end(player, OUTCOME_GAVE_UP, "cannot prepare its buffers: ", error);
    if (freezes)
        buffers_freeze_inputs(buffers, true);
    enum outcome outcome;
    if (kind == CALL_HELD && buffers->backend->hold)
        outcome = run_held(player, rung, lapsed);
    else if (kind == CALL_RECORDED)
        outcome = run_recorded(player, rung);
    else
        outcome = run_unheld(player, rung, kind == CALL_AWAITED);
    if (freezes)
        buffers_freeze_inputs(buffers, false);
    return outcome;
}

static const char *take_answer(const struct player *player)
{
    TRY_CALL(buffers_check_guards(&player->buffers));
    TRY_CALL(buffers_check_inputs(&player->buffers, player->board_host));
    return buffers_download(&player->buffers, player->board_host);
}

static enum outcome call(struct player *player, const struct rung *rung, enum call_kind kind)
{
    bool lapsed = false;
    enum outcome outcome = prepare_and_run(player, rung, kind, &lapsed);
    if (lapsed) /* the first time it may be a busy machine, the second time it is the rung */
        outcome = prepare_and_run(player, rung, kind, &lapsed);
    if (outcome != OUTCOME_DONE)
        return outcome;
    return player_end(player, OUTCOME_FAILED, kind == CALL_RECORDED ? "in a graph: " : "", take_answer(player));
}

/* Finds the block that writes this part of a buffer last, and what it does wrong. */
static enum outcome trace(struct player *player, const struct rung *rung, const struct ask *ask)
{
    const struct simulator *simulator = player->buffers.backend->simulator;
    struct board *board = player->board;
    /* The outputs are poisoned first; that is not a block's write. */
    simulator->watch((char *)player->buffers.data[ask->watched.buffer].start + ask->watched.offset, ask->watched.bytes);
    (void)call(player, rung, CALL_REPEATED);
    const char *writer = simulator->writer();
    snprintf(board->writer, sizeof board->writer, "%s", writer ? writer : "no block");
    enum outcome outcome = call(player, rung, CALL_REPEATED);
    const char *found = simulator->found();
    snprintf(board->found, sizeof board->found, "%s", found ? found : "");
    simulator->watch(NULL, 0);
    return outcome;
}

enum outcome player_call(struct player *player, const struct rung *rung, const struct ask *ask)
{
    const struct simulator *simulator = player->buffers.backend->simulator;
    if (simulator)
        (void)simulator->use_order((size_t)ask->order);
    if (simulator && ask->counts)
        simulator->begin_count();
    hand_over_forget();
    enum outcome outcome = ask->watched.bytes > 0 ? trace(player, rung, ask) : call(player, rung, ask->call);
    player_note_whose_kernel_ran(player, rung);
    if (simulator && ask->counts)
        simulator->end_count(&player->board->warps);
    if (simulator)
        (void)simulator->use_order(0);
    return outcome;
}

enum { REPEATS = 1100 };

static const char *call_on_poison(struct player *player, const struct rung *rung)
{
    struct buffers *buffers = &player->buffers;
    TRY_CALL(buffers_poison_outputs(buffers));
    TRY_CALL(buffers_begin(buffers, player->board_host));
    return rung->run(buffers->problem, buffers->backend->stream());
}

enum outcome player_repeat(struct player *player, const struct rung *rung, int64_t *other_at)
{
    const struct span outputs = board_outputs(player->op, &player->workload, player->board_host);
    void *first = malloc(outputs.bytes);
    const char *error = NULL;
    if (!first)
        return player_end(player, OUTCOME_GAVE_UP, "", "no memory for its answer");
    memcpy(first, outputs.start, outputs.bytes);
    for (int64_t calls = 1; !error && *other_at == 0 && calls <= REPEATS; calls++) {
        error = call_on_poison(player, rung);
        const char *failed = buffers_download(&player->buffers, player->board_host);
        error = error ? error : failed;
        if (!error && memcmp(first, outputs.start, outputs.bytes) != 0)
            *other_at = calls;
    }
    free(first);
    return player_end(player, OUTCOME_FAILED,
                      "in one of many calls: ", error ? error : buffers_check_guards(&player->buffers));
}

/* Others allocate too: threads of libraries, and on a GPU other processes. Only a leak grows every time, and each time
 * by as much, within a page of a GPU's memory. */
enum { BATCHES = 8, GRANULE = 2 << 20 };

static const char *call_often(const struct buffers *buffers, const struct rung *rung, int times)
{
    const char *error = NULL;
    for (int i = 0; i < times && !error; i++)
        error = rung->run(buffers->problem, buffers->backend->stream());
    return backend_finish(buffers->backend, error);
}

enum outcome player_look_for_leaks(const struct player *player, const struct rung *rung)
{
    const struct backend *backend = player->buffers.backend;
    if (!backend->held_memory)
        return OUTCOME_DONE;
    size_t first = backend->held_memory(), before = first, least = SIZE_MAX, most = 0;
    for (int batch = 0; batch < BATCHES; batch++) {
        const char *error = call_often(&player->buffers, rung, backend->leak_calls);
        if (error)
            return player_end(player, OUTCOME_FAILED, "failed: ", error);
        size_t now = backend->held_memory();
        if (now <= before)
            return OUTCOME_DONE;
        least = now - before < least ? now - before : least;
        most = now - before > most ? now - before : most;
        if (most - least > GRANULE)
            return OUTCOME_DONE;
        before = now;
    }
    char kept[96];
    snprintf(kept, sizeof kept, "%zu bytes more are allocated after %d calls", before - first,
             BATCHES * backend->leak_calls);
    return player_end(player, OUTCOME_FAILED, "leaks memory: ", kept);
}

enum { CHUNK_BYTES = 256, FAR_POISON = 0xFF };

/* A far problem: inputs are there only where the end of its answer needs them. */
struct far {
    const struct op *op;
    const struct buffers *buffers;
    struct made made[OP_BUFFERS_MAX];
    size_t there[OP_BUFFERS_MAX]; /* where the last chunk that was uploaded ends */
    const char *error;
};

static void need_element(void *self, size_t input, int64_t element)
{
    struct far *far = self;
    const struct span to = far->buffers->data[input];
    const size_t at = (size_t)element * element_bytes(far->op->args[input].type) / CHUNK_BYTES * CHUNK_BYTES;
    const size_t bytes = to.bytes - at < CHUNK_BYTES ? to.bytes - at : CHUNK_BYTES;
    unsigned char chunk[CHUNK_BYTES];
    if (far->error || far->there[input] == at + bytes)
        return;
    made_fill(chunk, bytes, &far->made[input], at);
    far->error = far->buffers->backend->upload((char *)to.start + at, chunk, bytes);
    far->there[input] = at + bytes;
}

static struct span end_of(const struct player *player)
{
    const struct span output = player->buffers.data[op_output(player->op)];
    const enum element_type type = player->op->args[op_output(player->op)].type;
    const size_t bytes = (size_t)op_end(player->op, &player->workload) * element_bytes(type);
    return (struct span){(char *)output.start + output.bytes - bytes, bytes};
}

/* Poisons the end of the answer, and brings there what it needs. */
static const char *place_end(struct player *player, uint64_t seed)
{
    const struct op *op = player->op;
    const int64_t count = op_end(op, &player->workload), first = op_elements(op, &player->workload) - count;
    const struct span end = end_of(player);
    const struct input_source source = {.seed = seed};
    struct far far = {.op = op, .buffers = &player->buffers};
    struct input_note note;
    op_made(op, &player->workload, &source, far.made, &note);
    memset(player->board->end, FAR_POISON, sizeof player->board->end);
    TRY_CALL(far.buffers->backend->upload(end.start, player->board->end, end.bytes));
    if (!op_visit_inputs(op, &player->workload, NULL, op_output(op), first, count, need_element, &far))
        return "no memory";
    return far.error ? far.error : far.buffers->backend->finish();
}

enum outcome player_call_far(struct player *player, const struct rung *rung, const struct ask *ask, int64_t *missed)
{
    const struct backend *backend = player->buffers.backend;
    const struct simulator *simulator = backend->simulator;
    const struct span end = end_of(player);
    const char *error = place_end(player, ask->seed);
    if (error)
        return player_end(player, OUTCOME_GAVE_UP, "cannot prepare its buffers: ", error);
    if (simulator)
        (void)simulator->edges((uint64_t)op_elements(player->op, &player->workload), ask->multiprocessors);
    const char *says = rung->run(player->buffers.problem, backend->stream());
    error = backend->finish();
    enum edges_reached reached = simulator ? simulator->edges(0, 0) : EDGES_END;
    *missed = reached == EDGES_MISSED;
    if (says && !error && reached == EDGES_END)
        return player_end(player, OUTCOME_REFUSED, "", says);
    error = says ? says : error ? error : backend->download(player->board->end, end.start, end.bytes);
    return player_end(player, OUTCOME_FAILED, "failed to run: ", error);
}

#include "verify_far.h"

#include "bench/base/host.h"
#include "bench/place/buffers.h"
#include "verify_once.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Larger problems are for the simulator, where untouched memory costs nothing. */
#define FAR_DEVICE_BYTES_MAX ((size_t)32 << 30)
/* No device has so much. A rung may refuse such problems. */
#define REFUSABLE_BYTES ((size_t)1 << 40)

enum {
    POISON = 0xFF,
    MANY_MULTIPROCESSORS = 1 << 23,
};

/* A far problem: all of it on the backend, its end on the host. */
struct far {
    const struct rung *rung;
    const struct workload *workload;
    struct workload end;
    struct window windows[OP_BUFFERS_MAX];
    struct buffers buffers;
    void *host[OP_BUFFERS_MAX];
    void *reference;
};

typedef const char *copy_function(const struct far *far, size_t buffer, size_t row);

static char *host_row(const struct far *far, size_t i, size_t row)
{
    return (char *)far->host[i] + row * far->windows[i].row_bytes;
}

static char *device_row(const struct far *far, size_t i, size_t row)
{
    const struct window *window = &far->windows[i];
    return (char *)far->buffers.data[i].start + window->offset + row * window->stride;
}

static const char *upload_row(const struct far *far, size_t i, size_t row)
{
    return far->buffers.backend->upload(device_row(far, i, row), host_row(far, i, row), far->windows[i].row_bytes);
}

static const char *download_row(const struct far *far, size_t i, size_t row)
{
    return far->buffers.backend->download(host_row(far, i, row), device_row(far, i, row), far->windows[i].row_bytes);
}

/* Copies the ends of all inputs, or of all outputs. */
static const char *copy_ends(const struct far *far, bool outputs, copy_function *copy)
{
    const char *error = NULL;
    for (size_t i = 0; i < far->buffers.count; i++)
        for (size_t row = 0; far->buffers.is_output[i] == outputs && row < far->windows[i].rows && !error; row++)
            error = copy(far, i, row);
    return error ? error : far->buffers.backend->finish();
}

static bool make_host(struct far *far)
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    size_t count = far->rung->op->buffers(&far->end, specs);
    bool ok = true;
    for (size_t i = 0; i < count; i++)
        ok = (far->host[i] = host_allocate_pages(specs[i].bytes)) && ok;
    return ok;
}

static void poison(struct far *far)
{
    for (size_t i = 0; i < far->buffers.count; i++)
        if (far->buffers.is_output[i])
            memset(far->host[i], POISON, far->windows[i].rows * far->windows[i].row_bytes);
}

static uint64_t output_elements(const struct far *far)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < far->buffers.count; i++)
        if (far->buffers.is_output[i])
            bytes += far->buffers.data[i].bytes;
    return bytes / far->rung->op->element_bytes;
}

/* What became of a call. */
enum outcome { ANSWERED, FAILED, MISSED, REFUSED };

/* `says` is the launcher's error; with FAILED, the check has the reason. */
static enum outcome run(struct far *far, int multiprocessors, const char **says, struct check *check)
{
    const struct backend *backend = far->buffers.backend;
    poison(far);
    const char *error = copy_ends(far, true, upload_row);
    error = error ? error : copy_ends(far, false, upload_row);
    if (error) {
        verify_give_up(check, "cannot prepare its buffers: ", error);
        return FAILED;
    }
    if (backend->simulator)
        (void)backend->simulator->edges(output_elements(far), multiprocessors);
    *says = far->rung->run(far->buffers.problem, backend->stream());
    error = backend->finish();
    enum edges_reached reached = backend->simulator ? backend->simulator->edges(0, 0) : EDGES_END;
    if (*says && !error && reached == EDGES_END)
        return REFUSED;
    error = *says ? *says : error ? error : copy_ends(far, true, download_row);
    if (error)
        verify_fail(check, "failed to run: ", error);
    if (!error)
        far->rung->op->check(far->reference, far->rung->precision, far->host, check);
    return check->correct ? ANSWERED : reached == EDGES_MISSED ? MISSED : FAILED;
}

/* Where few threads go through all of the problem, there may be a block for each part of it if there are enough
 * multiprocessors. Other rungs would cut sums into parts for so many, which would not all run. */
static enum outcome run_somehow(struct far *far, const char **says, struct check *check)
{
    enum outcome outcome = run(far, 0, says, check);
    if (outcome != MISSED)
        return outcome;
    *check = (struct check){.correct = true};
    return run(far, MANY_MULTIPROCESSORS, says, check);
}

static enum outcome answer(struct far *far, uint64_t seed, const char **says, struct check *check)
{
    const struct op *op = far->rung->op;
    struct input_source source = {.seed = seed};
    struct input_note note;
    if (make_host(far)) {
        op->fill(&far->end, &source, far->host, &note);
        far->reference = op->reference_make(&far->end, &note, far->host);
    }
    if (far->reference)
        return run_somehow(far, says, check);
    verify_give_up(check, "", "no memory for its input and reference");
    return FAILED;
}

static void name_size(struct check *check, const struct workload *workload)
{
    char reason[sizeof check->reason];
    memcpy(reason, check->reason, sizeof reason);
    snprintf(check->reason, sizeof check->reason, "at the end of size %s: %.*s", workload->name,
             (int)(sizeof reason - sizeof workload->name - 32), reason);
}

static void leave_out(struct error *note, const struct rung *rung, const struct workload *workload, const char *why)
{
    (void)error_set(note, "%s/%s is not verified at size %s: %s", rung->op->name, rung->variant, workload->name, why);
}

static void verify_one(const struct rung *rung, const struct workload *workload, uint64_t seed, struct check *check,
                       struct error *note)
{
    struct far far = {.rung = rung, .workload = workload};
    const struct placement placement = {.edge = EDGE_END};
    const char *says = NULL;
    rung->op->far_end(workload, &far.end, far.windows);
    const char *error = buffers_make_placed(&far.buffers, rung->backend->backend, rung->op, workload, &placement);
    if (error) {
        leave_out(note, rung, workload, error);
        return;
    }
    struct check found = {.correct = true};
    enum outcome outcome = answer(&far, seed, &says, &found);
    buffers_free(&far.buffers);
    rung->op->reference_free(far.reference);
    for (size_t i = 0; i < OP_BUFFERS_MAX; i++)
        free(far.host[i]);
    if (outcome == FAILED) {
        *check = found;
        name_size(check, workload);
    } else if (outcome == MISSED) {
        leave_out(note, rung, workload, "the simulator does not come to the end of its answer");
    } else if (outcome == REFUSED && buffers_bytes(rung->op, workload) < REFUSABLE_BYTES) {
        leave_out(note, rung, workload, says);
    }
}

/* Whether there is memory enough. */
static bool is_feasible(const struct rung *rung, const struct workload *workload, struct error *note)
{
    size_t needed = buffers_bytes(rung->op, workload), there = rung->backend->backend->free_memory();
    char why[96];
    if (rung->backend->simulates || needed <= there)
        return true;
    snprintf(why, sizeof why, "needs %.3g GB of memory, %.3g GB are free", (double)needed * 1e-9, (double)there * 1e-9);
    leave_out(note, rung, workload, why);
    return false;
}

void verify_far(const struct rung *rung, uint64_t seed, struct check *check, struct error *note)
{
    note->text[0] = '\0';
    if (!rung->backend->simulates && !rung->backend->separate_memory)
        return;
    for (size_t i = 0; i < rung->op->far_count && check->correct; i++) {
        const struct workload *workload = &rung->op->far[i];
        if ((rung->traits & RUNG_INT_SIZES) != 0) {
            leave_out(note, rung, workload, "it takes sizes as int");
            continue;
        }
        bool too_large = buffers_bytes(rung->op, workload) > FAR_DEVICE_BYTES_MAX;
        if ((rung->backend->simulates || !too_large) && is_feasible(rung, workload, note))
            verify_one(rung, workload, seed, check, note);
    }
    if (note->text[0] != '\0')
        snprintf(check->mark, sizeof check->mark, "far-unverified");
}

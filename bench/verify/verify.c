#include "verify.h"

#include "bench/base/host.h"
#include "verify_once.h"
#include "verify_orders.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_once(const struct rung *rung, struct buffers *buffers, void *const host[], const void *reference,
                       bool held, struct check *check)
{
    if (verify_once(rung, buffers, host, held ? CALL_HELD : CALL_FRESH, check))
        rung->op->check(reference, rung->precision, host, check);
}

void verify_run(const struct rung *rung, struct buffers *buffers, void *const host[], const void *reference, bool held,
                struct check *check)
{
    const struct backend *backend = buffers->backend;
    if (!held && backend->order_count && backend->order_count() > 1)
        verify_orders(rung, buffers, host, reference, check);
    else
        check_once(rung, buffers, host, reference, held, check);
}

/* Allocates host copies of a problem's buffers. */
static bool make_host(const struct op *op, const struct workload *workload, void *host[OP_BUFFERS_MAX])
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    size_t count = op->buffers(workload, specs);
    bool ok = true;
    for (size_t i = 0; i < OP_BUFFERS_MAX; i++)
        host[i] = NULL;
    for (size_t i = 0; i < count; i++)
        ok = (host[i] = host_allocate_pages(specs[i].bytes)) && ok;
    return ok;
}

/* How the rung is run on an input. */
enum run_kind { IN_ALL_ORDERS, HELD, ONCE };

/* Generates new input and verifies the rung on it. */
static void verify_input(const struct rung *rung, const struct workload *workload, uint64_t seed,
                         struct buffers *buffers, void *const host[], enum run_kind kind, struct check *check)
{
    const struct op *op = rung->op;
    struct input_source source = {.seed = seed};
    struct input_note note;
    op->fill(workload, &source, host, &note);
    void *reference = op->reference_make(workload, &note, host);
    if (!reference)
        verify_fail(check, "", "no memory for the reference");
    else if (kind == ONCE)
        check_once(rung, buffers, host, reference, false, check);
    else
        verify_run(rung, buffers, host, reference, kind == HELD, check);
    op->reference_free(reference);
}

/* Verifies the rung once on buffers of which one is misaligned, or twice if none is (OP_BUFFERS_MAX). */
static void verify_on_buffers(const struct rung *rung, const struct workload *workload, uint64_t seed,
                              size_t misaligned, void *const host[], struct check *check)
{
    bool all_aligned = misaligned == OP_BUFFERS_MAX;
    struct buffers buffers;
    struct placement placement = {.edge = all_aligned ? EDGE_END : EDGE_START};
    if (!all_aligned)
        placement.shift[misaligned] = rung->op->element_bytes;
    const char *error = buffers_make_placed(&buffers, rung->backend->backend, rung->op, workload, &placement);
    if (error) {
        verify_fail(check, "cannot prepare its buffers: ", error);
        return;
    }
    verify_input(rung, workload, seed, &buffers, host, all_aligned ? IN_ALL_ORDERS : ONCE, check);
    if (all_aligned && check->correct)
        verify_input(rung, workload, seed + 1, &buffers, host, HELD, check);
    buffers_free(&buffers);
}

static void verify_size(const struct rung *rung, const struct workload *workload, uint64_t seed, struct check *check)
{
    void *host[OP_BUFFERS_MAX];
    struct buffer_spec specs[OP_BUFFERS_MAX];
    size_t count = rung->op->buffers(workload, specs);
    if (make_host(rung->op, workload, host))
        verify_on_buffers(rung, workload, seed, OP_BUFFERS_MAX, host, check);
    else
        verify_fail(check, "cannot prepare its buffers: ", "no memory");
    for (size_t misaligned = 0; misaligned < count && check->correct; misaligned++)
        verify_on_buffers(rung, workload, seed, misaligned, host, check);
    for (size_t i = 0; i < OP_BUFFERS_MAX; i++)
        free(host[i]);
}

void verify_ragged(const struct rung *rung, uint64_t seed, struct check *check)
{
    struct check worst = {.correct = true, .max_abs_err = 0, .err_bound = NAN, .rms_err = NAN};
    for (size_t i = 0; i < rung->op->ragged_count; i++) {
        const struct workload *workload = &rung->op->ragged[i];
        verify_size(rung, workload, seed, check);
        if (!check->correct) {
            char reason[sizeof check->reason];
            memcpy(reason, check->reason, sizeof reason);
            snprintf(check->reason, sizeof check->reason, "at size %s: %.*s", workload->name,
                     (int)(sizeof reason - sizeof workload->name - 16), reason);
            return;
        }
        if (check->max_abs_err > worst.max_abs_err) {
            worst.max_abs_err = check->max_abs_err;
            worst.err_bound = check->err_bound;
        }
        worst.rms_err = fmax(worst.rms_err, check->rms_err); /* fmax() ignores NAN */
    }
    *check = worst;
}

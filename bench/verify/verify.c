#include "verify.h"

#include "bench/base/host.h"
#include "verify_once.h"
#include "verify_orders.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void judge_once(const struct rung *rung, const struct buffers *buffers, void *const host[],
                       const void *reference, bool held, struct check *check)
{
    if (verify_once(rung, buffers, host, held, check))
        rung->op->check(reference, rung->precision, host, check);
}

void verify_run(const struct rung *rung, const struct buffers *buffers, void *const host[], const void *reference,
                bool held, struct check *check)
{
    const struct backend *backend = buffers->backend;
    if (!held && backend->order_count && backend->order_count() > 1)
        verify_orders(rung, buffers, host, reference, check);
    else
        judge_once(rung, buffers, host, reference, held, check);
}

/* Host copies of a problem's buffers. */
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

/* How often the rung is called on an input, and how. */
enum way { IN_ALL_ORDERS, HELD, ONCE };

/* Fills the inputs anew, and sees what the rung makes of them. */
static void verify_input(const struct rung *rung, const struct workload *workload, uint64_t seed,
                         const struct buffers *buffers, void *const host[], enum way way, struct check *check)
{
    const struct op *op = rung->op;
    struct input_source source = {.seed = seed};
    struct input_note note;
    op->fill(workload, &source, host, &note);
    void *reference = op->reference_make(workload, &note, host);
    if (!reference)
        verify_fail(check, "", "no memory for the reference");
    else if (way == ONCE)
        judge_once(rung, buffers, host, reference, false, check);
    else
        verify_run(rung, buffers, host, reference, way == HELD, check);
    op->reference_free(reference);
}

/* On buffers of which one, `odd`, starts at an odd element: once. On even ones twice. */
static void verify_placed(const struct rung *rung, const struct workload *workload, uint64_t seed, size_t odd,
                          void *const host[], struct check *check)
{
    bool is_even = odd == OP_BUFFERS_MAX;
    struct buffers buffers;
    const char *error = buffers_make_odd(&buffers, rung->backend->backend, rung->op, workload, odd);
    if (error) {
        verify_fail(check, "cannot prepare its buffers: ", error);
        return;
    }
    verify_input(rung, workload, seed, &buffers, host, is_even ? IN_ALL_ORDERS : ONCE, check);
    if (is_even && check->correct)
        verify_input(rung, workload, seed + 1, &buffers, host, HELD, check);
    buffers_free(&buffers);
}

static void verify_size(const struct rung *rung, const struct workload *workload, uint64_t seed, struct check *check)
{
    void *host[OP_BUFFERS_MAX];
    struct buffer_spec specs[OP_BUFFERS_MAX];
    size_t count = rung->op->buffers(workload, specs);
    if (make_host(rung->op, workload, host))
        verify_placed(rung, workload, seed, OP_BUFFERS_MAX, host, check);
    else
        verify_fail(check, "cannot prepare its buffers: ", "no memory");
    for (size_t odd = 0; odd < count && check->correct; odd++)
        verify_placed(rung, workload, seed, odd, host, check);
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
        worst.rms_err = fmax(worst.rms_err, check->rms_err); /* fmax passes over NAN */
    }
    *check = worst;
}

#include "verify_once.h"

#include "bench/base/entropy.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

enum { PEEK_BYTES_MAX = 65536, PEEK_AFTER_NS = 200000, LATE_WORK_NS = 2000000 };
/* Freezing inputs takes longer than a small call on a device: there, one in so many calls finds them frozen. A rung
 * cannot foresee which, and gets hundreds on ragged sizes. */
enum { CALLS_PER_FROZEN = 8 };

void verify_fail(struct check *check, const char *what, const char *reason)
{
    *check = (struct check){.correct = false, .max_abs_err = NAN, .err_bound = NAN, .rms_err = NAN};
    snprintf(check->reason, sizeof check->reason, "%s%s", what, reason);
}

void verify_give_up(struct check *check, const char *what, const char *reason)
{
    verify_fail(check, what, reason);
    check->is_unjudged = true;
}

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
        const char *error = buffers->backend->peek(seen, data.start, bytes);
        if (error)
            return error;
        if (buffers_poison_is_gone(buffers, i, seen, bytes))
            *early = true;
    }
    return NULL;
}

static bool must_freeze(const struct buffers *buffers)
{
    return !buffers->backend->hold || entropy_bits() % CALLS_PER_FROZEN == 0;
}

/* After the return nothing of a call may go on: a thread that still uses the buffers faults. Where the memory is not the
 * host's, it does nothing. */
static void look_for_late_work(const struct buffers *buffers)
{
    if (!buffers_protect(buffers, false))
        return;
    nanosleep(&(struct timespec){.tv_nsec = LATE_WORK_NS}, NULL);
    (void)buffers_protect(buffers, true);
}

static bool run_unheld(const struct rung *rung, struct buffers *buffers, enum call_kind kind, struct check *check)
{
    bool frozen = must_freeze(buffers);
    if (frozen)
        buffers_freeze_inputs(buffers, true);
    const char *error = rung->run(buffers->problem, buffers->backend->stream());
    const char *failed = buffers->backend->finish();
    if (kind == CALL_AWAITED)
        look_for_late_work(buffers);
    if (frozen)
        buffers_freeze_inputs(buffers, false);
    if (error && !rung->backend->simulates)
        verify_give_up(check, "failed to launch: ", error);
    else if (error) /* the simulator lacks nothing */
        verify_fail(check, "failed to launch: ", error);
    else if (failed)
        verify_fail(check, "failed while running: ", failed);
    return !error && !failed;
}

/* `lapsed`: the hold ended by itself, because the rung's call waited for the device or the machine was too busy. */
static bool run_held(const struct rung *rung, struct buffers *buffers, struct check *check, bool *lapsed)
{
    const struct backend *backend = buffers->backend;
    bool early = false, frozen = must_freeze(buffers);
    *lapsed = false;
    if (frozen)
        buffers_freeze_inputs(buffers, true);
    const char *error = backend->hold();
    error = error ? error : rung->run(buffers->problem, backend->stream());
    error = error ? error : find_early_writes(buffers, &early);
    const char *let_go_error = backend->let_go(lapsed);
    const char *finish_error = backend->finish();
    if (frozen)
        buffers_freeze_inputs(buffers, false);
    if (error || let_go_error || finish_error)
        verify_fail(check, "failed while the stream was held: ",
                    error          ? error
                    : let_go_error ? let_go_error
                                   : finish_error);
    else if (*lapsed)
        verify_fail(check, "", "waits for the GPU inside its call; a rung may only queue work");
    else if (early)
        verify_fail(check, "", "puts work on another stream than the one it was given, so it cannot be timed");
    return !error && !let_go_error && !finish_error && !*lapsed && !early;
}

/* Again if the hold lapsed: the first time may be a busy machine, the second is the rung. */
static bool run_held_twice(const struct rung *rung, struct buffers *buffers, struct check *check)
{
    bool lapsed, ran = run_held(rung, buffers, check, &lapsed);
    if (ran || !lapsed)
        return ran;
    const char *error = buffers_poison(buffers);
    error = error ? error : buffers->backend->finish();
    if (!error)
        return run_held(rung, buffers, check, &lapsed);
    verify_give_up(check, "cannot prepare its buffers: ", error);
    return false;
}

bool verify_once(const struct rung *rung, struct buffers *buffers, void *const host[], enum call_kind kind,
                 struct check *check)
{
    const char *error = buffers_upload(buffers, host);
    error = error ? error : kind == CALL_REPEATED ? buffers_poison_again(buffers) : buffers_poison(buffers);
    error = error ? error : buffers->backend->finish();
    if (error) {
        verify_give_up(check, "cannot prepare its buffers: ", error);
        return false;
    }
    bool ran = kind == CALL_HELD && buffers->backend->hold ? run_held_twice(rung, buffers, check)
                                                           : run_unheld(rung, buffers, kind, check);
    if (!ran)
        return false;
    error = buffers_check_guards(buffers);
    error = error ? error : buffers_check_inputs(buffers, host);
    error = error ? error : buffers_download(buffers, host);
    if (error)
        verify_fail(check, "", error);
    return !error;
}

void verify_answer(const struct rung *rung, struct buffers *buffers, void *const host[], const void *reference,
                   enum call_kind kind, struct check *check)
{
    if (verify_once(rung, buffers, host, kind, check))
        rung->op->check(reference, rung->precision, host, check);
}

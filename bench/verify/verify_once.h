/* Runs a rung once for verification. */
#pragma once

#include "bench/place/buffers.h"
#include "bench/table/op.h"
#include "bench/table/registry.h"

enum call_kind {
    CALL_FRESH,    /* on new poison */
    CALL_REPEATED, /* on the same poison as the call before */
    CALL_HELD,     /* on new poison, while the stream is held: see verify_run() */
    CALL_AWAITED,  /* on new poison, and afterwards none of its threads may go on computing */
};

/* Uploads the inputs in `host`, poisons the outputs and runs the rung. True: its outputs are in `host` and not yet
 * checked. False: `check` has the error. */
bool verify_once(const struct rung *rung, struct buffers *buffers, void *const host[], enum call_kind kind,
                 struct check *check);

/* The same, and compares the outputs with the reference. */
void verify_answer(const struct rung *rung, struct buffers *buffers, void *const host[], const void *reference,
                   enum call_kind kind, struct check *check);

/* Sets the check of a rung that gave no answer. Its reason is `what` followed by `reason`. */
void verify_fail(struct check *check, const char *what, const char *reason);

/* The same for a rung that could not be run, so that nobody knows what it computes. */
void verify_give_up(struct check *check, const char *what, const char *reason);

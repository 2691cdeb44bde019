/* Inputs that a rung has not seen, with known answers: those of the problem, rotated. While a rung is timed its inputs
 * change at the same addresses, so that nothing kept from an earlier call is worth anything. */
#pragma once

#include "buffers.h"
#include "host_problem.h"

struct renewal {
    const struct buffers *buffers;
    const struct host_problem *host_problem;
    void *original[OP_BUFFERS_MAX]; /* on the backend: inputs as they are in host_problem, and outputs that were kept */
    uint64_t turn;                  /* how the inputs are rotated (op->rotate) after all queued work; 0: not */
    uint64_t noise;                 /* or of which noise they are */
    size_t touched, offset;         /* an element: the buffer, and its byte there */
    uint64_t touch;                 /* the seed of what overwrites it */
    void *saved;                    /* on the backend: that element */
    void *answer;                   /* on the host: an output before it is rotated back */
};

/* Bytes of backend memory that renewal_make() allocates. */
size_t renewal_bytes(const struct op *op, const struct workload *workload);

/* Copies the inputs and the answer in `host_problem`, which must stay as they are, to the backend. NULL, or an error
 * message; then nothing stays allocated. */
const char *renewal_make(struct renewal *renewal, const struct buffers *buffers,
                         const struct host_problem *host_problem);
void renewal_free(struct renewal *renewal);

/* Queued: rotates the inputs by `turn`. */
const char *renewal_turn(struct renewal *renewal, uint64_t turn);

/* Queued: writes noise to the inputs, which no cheap rule derives from earlier ones. The answer is known in a few
 * elements: renewal_spot_check(). Until the next renewal_turn(). */
const char *renewal_noise(struct renewal *renewal, uint64_t seed);

/* Checks downloaded outputs as the answer to the noise that was written last. */
void renewal_spot_check(const struct renewal *renewal, enum precision precision, void *const host[],
                        struct check *check);

/* Queued: chooses an element of the inputs as they are now and saves it; renewal_touch() overwrites it with noise,
 * another with each `number`, and renewal_mend() writes it again. For so little, a rung has no time to see that its
 * inputs changed. */
const char *renewal_choose(struct renewal *renewal);
const char *renewal_touch(const struct renewal *renewal, uint64_t number);
const char *renewal_mend(const struct renewal *renewal);

/* Queued: keeps the outputs as they are now. */
const char *renewal_keep(const struct renewal *renewal);

/* Queued: writes the outputs that were kept, rotated by `turn`: other outputs that look like an answer. */
const char *renewal_spoil(const struct renewal *renewal, uint64_t turn);

/* Downloads the inputs to the host's copy, for modes that upload them, and waits. The host's caches then hold them as
 * they do after an upload. */
const char *renewal_to_host(const struct renewal *renewal);

/* Waits, and downloads the outputs, rotated back: the answer for inputs that are not rotated. */
const char *renewal_download(const struct renewal *renewal, void *const host[]);

/* The same for outputs that were downloaded already. */
void renewal_turn_back(const struct renewal *renewal, void *const host[]);

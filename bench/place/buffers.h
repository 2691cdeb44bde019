/* The buffers of a problem on a backend, each between two guard zones. */
#pragma once

#include "bench/table/backend.h"
#include "bench/data/made.h"
#include "bench/table/op.h"

#include <stdalign.h>

/* On each side of a buffer, where the backend does not guard memory itself. Where it does, so much of the rest of a
 * buffer's pages is its zones, and beyond the pages an access faults. */
enum { BUFFERS_GUARD_BYTES = 4 << 10 };

/* Larger inputs are not compared: each rung runs on smaller ones, too. */
enum { BUFFERS_COMPARED_BYTES = 4 << 20 };

struct buffers {
    const struct backend *backend;
    size_t count;
    struct span data[OP_BUFFERS_MAX];
    struct span guard[OP_BUFFERS_MAX][2]; /* directly before and directly behind the data */
    bool is_output[OP_BUFFERS_MAX];
    bool begins; /* there is an output, the last buffer, that holds an input before each call: */
    size_t beginning;
    void *block[OP_BUFFERS_MAX]; /* the allocation; NULL: memory of somebody else */
    alignas(16) unsigned char problem[OP_PROBLEM_BYTES_MAX];
    /* What was last put there. Nobody can foresee the seeds. */
    uint64_t guard_seed;
    struct made poison[OP_BUFFERS_MAX]; /* all of one kind */
    bool poison_is_finite;              /* a rung multiplies it by 0 and adds it */
};

static inline bool buffers_begins(const struct buffers *buffers, size_t i)
{
    return buffers->begins && i + 1 == buffers->count;
}

/* How buffers lie in memory. */
struct placement {
    enum edge edge;               /* which side of all buffers an access faults on, where the backend guards memory */
    size_t shift[OP_BUFFERS_MAX]; /* each buffer starts so many bytes behind an aligned address; with EDGE_START, but a
                                     buffer for which this leads to the end of a page lies there */
};

/* Bytes of backend memory that buffers_make() allocates. */
size_t buffers_bytes(const struct op *op, const struct workload *workload);

/* Allocates the buffers, so placed, and binds the problem to them. `outputs`: memory for those, by buffer; NULL: they
 * are allocated, too. NULL, or an error message; then nothing stays allocated. */
const char *buffers_make(struct buffers *buffers, const struct backend *backend, const struct op *op,
                         const struct workload *workload, const struct placement *placement, void *const outputs[]);
void buffers_free(struct buffers *buffers);

/* Queues the upload of all inputs, of one that the output begins as to the output, or the download of all outputs. */
const char *buffers_transfer(const struct buffers *buffers, bool outputs, void *const host[]);

/* Queues the upload to the output that begins as an input. */
const char *buffers_begin(const struct buffers *buffers, void *const host[]);

/* Lets the host's threads touch the buffers, or makes each access fault. False: such memory cannot be protected. */
bool buffers_protect(const struct buffers *buffers, bool accessible);

/* Makes a rung's writes to the inputs fault, where the backend can, or allows them again. */
void buffers_freeze_inputs(const struct buffers *buffers, bool read_only);

/* The next poison that is put again has all bits set: NaN, of floats. */
void buffers_choose_nan(struct buffers *buffers);

/* Queues the poisoning of all outputs, but for one that begins as an input, with noise of another kind than the last
 * time, and of the guard zones with random bits: a rung's write outside must not be reported again for the next rung.
 */
const char *buffers_poison(struct buffers *buffers);
/* The same for the outputs alone. */
const char *buffers_poison_outputs(struct buffers *buffers);
/* Queues the same poison as the last time. */
const char *buffers_poison_again(const struct buffers *buffers);

/* Downloads all outputs and waits. */
const char *buffers_download(const struct buffers *buffers, void *const host[]);

/* Whether the first bytes of output `i`, BUFFERS_COMPARED_BYTES at most, as they were downloaded to `seen`, are no
 * longer the poison alone. False for one that begins as an input. */
bool buffers_poison_is_gone(const struct buffers *buffers, size_t i, const void *seen, size_t bytes);

/* NULL if all inputs of at most BUFFERS_COMPARED_BYTES still equal `host`, otherwise a message that names the input
 * that was written to. */
const char *buffers_check_inputs(const struct buffers *buffers, void *const host[]);

/* NULL if all guard zones are as buffers_poison() left them, otherwise a message that names the zone that was written
 * to. */
const char *buffers_check_guards(const struct buffers *buffers);

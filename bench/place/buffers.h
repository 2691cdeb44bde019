/* The buffers of a problem on a backend, each between two guard zones. */
#pragma once

#include "bench/table/backend.h"
#include "bench/table/op.h"

#include <stdalign.h>

enum {
    BUFFERS_GUARD_BYTES = 4096, /* on each side; the second zone starts right behind the last byte */
    BUFFERS_GUARD_BYTE = 0xA5,
};

struct buffers {
    const struct backend *backend;
    size_t guard_bytes; /* BUFFERS_GUARD_BYTES; 0 if the backend guards its memory itself */
    size_t count;
    struct span data[OP_BUFFERS_MAX];
    bool is_output[OP_BUFFERS_MAX];
    void *block[OP_BUFFERS_MAX]; /* the allocation: guard zone, data, guard zone */
    alignas(16) unsigned char problem[OP_PROBLEM_BYTES_MAX];
};

/* Bytes of backend memory that buffers_make() allocates. */
size_t buffers_bytes(const struct op *op, const struct workload *workload);

/* Allocates the buffers and binds the problem to them. NULL, or an error message; then nothing stays allocated. */
const char *buffers_make(struct buffers *buffers, const struct backend *backend, const struct op *op,
                         const struct workload *workload);
/* The same, but buffer number `misaligned` starts one element later than aligned memory; OP_BUFFERS_MAX: none does. */
const char *buffers_make_misaligned(struct buffers *buffers, const struct backend *backend, const struct op *op,
                                    const struct workload *workload, size_t misaligned);
void buffers_free(struct buffers *buffers);

/* Queues the upload of all inputs. */
const char *buffers_upload(const struct buffers *buffers, void *const host[]);

/* Queues the filling of all outputs with OP_POISON, and of the guard zones with their pattern: a rung's write outside
 * must not be reported again for the next rung. */
const char *buffers_poison(const struct buffers *buffers);

/* Downloads all outputs and waits. */
const char *buffers_download(const struct buffers *buffers, void *const host[]);

/* NULL if all inputs still equal `host`, otherwise a message that names the input that was written to. */
const char *buffers_check_inputs(const struct buffers *buffers, void *const host[]);

/* NULL if all guard zones are intact, otherwise a message that names the zone that was written to. */
const char *buffers_check_guards(const struct buffers *buffers);

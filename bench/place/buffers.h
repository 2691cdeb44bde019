/* The buffers of one problem on one backend, each between two guard zones. */
#ifndef RUNGBENCH_BUFFERS_H
#define RUNGBENCH_BUFFERS_H

#include "bench/table/backend.h"
#include "bench/table/op.h"

#include <stdalign.h>

enum {
    BUFFERS_GUARD_BYTES = 4096, /* on either side; the second starts right behind the last byte */
    BUFFERS_GUARD_BYTE = 0xA5,
};

struct buffers {
    const struct backend *backend;
    size_t guard_bytes; /* BUFFERS_GUARD_BYTES, or 0 where the backend guards its memory itself */
    size_t count;
    struct span data[OP_BUFFERS_MAX];
    bool is_output[OP_BUFFERS_MAX];
    void *block[OP_BUFFERS_MAX]; /* what the backend gave: guard, data, guard */
    alignas(16) unsigned char problem[OP_PROBLEM_BYTES_MAX];
};

/* Bytes that buffers_make() takes from the backend. */
size_t buffers_bytes(const struct op *op, const struct workload *workload);

/* NULL, or what went wrong; then nothing is kept. */
const char *buffers_make(struct buffers *buffers, const struct backend *backend, const struct op *op,
                         const struct workload *workload);
/* Buffer `odd` then starts one element behind the address that the backend chose; OP_BUFFERS_MAX: none does. */
const char *buffers_make_odd(struct buffers *buffers, const struct backend *backend, const struct op *op,
                             const struct workload *workload, size_t odd);
void buffers_free(struct buffers *buffers);

/* Copies all inputs. */
const char *buffers_upload(const struct buffers *buffers, void *const host[]);

/* Fills all outputs with OP_POISON, and makes the guard zones whole again: a rung that broke one is not to be found out
 * twice, the second time in the next one's name. */
const char *buffers_poison(const struct buffers *buffers);

/* Copies all outputs to the host, and waits. */
const char *buffers_download(const struct buffers *buffers, void *const host[]);

/* NULL if all inputs are still as they were uploaded, else which was written to. */
const char *buffers_check_inputs(const struct buffers *buffers, void *const host[]);

/* NULL if all guard zones are whole, else which was written to. */
const char *buffers_check_guards(const struct buffers *buffers);

#endif

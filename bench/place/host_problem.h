/* A workload's input on the host, its reference, and memory for answers. */
#pragma once

#include "bench/table/op.h"

struct host_problem {
    const struct op *op;
    const struct workload *workload;
    size_t count;
    struct buffer_spec specs[OP_BUFFERS_MAX];
    void *host[OP_BUFFERS_MAX];     /* inputs, and the downloaded outputs */
    void *verified[OP_BUFFERS_MAX]; /* outputs only: the answer that was verified */
    struct input_note note;
    void *reference;
};

/* Bytes of host memory that host_problem_make() allocates. */
size_t host_problem_bytes(const struct op *op, const struct workload *workload);

/* Generates input and reference. False: out of memory; then nothing stays allocated. */
bool host_problem_make(struct host_problem *host_problem, const struct op *op, const struct workload *workload,
                       const struct input_source *source);
void host_problem_free(struct host_problem *host_problem);

/* Copies the outputs in `host` to `verified`. */
void host_problem_keep_answer(struct host_problem *host_problem);

/* Whether the outputs in `host` equal the verified answer bit for bit. */
bool host_problem_same_answer(const struct host_problem *host_problem);

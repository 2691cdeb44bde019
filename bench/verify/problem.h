/* A workload as the judge has it: its input and the answers to it on the board, and the reference. */
#pragma once

#include "bench/player/link.h"

struct problem {
    const struct op *op;
    const struct workload *workload;
    size_t count;
    struct buffer_spec specs[OP_BUFFERS_MAX];
    void *host[OP_BUFFERS_MAX];     /* on the board: inputs, and the outputs of the last call */
    void *verified[OP_BUFFERS_MAX]; /* outputs only: an answer that was kept; NULL: none */
    struct input_note note;
    struct reference *reference;
    bool has_answer; /* one was verified and kept */
};

/* Bytes of host memory that problem_make() takes, with an answer that is kept. */
size_t problem_bytes(const struct op *op, const struct workload *workload);

/* Generates input and reference. False: out of memory; then nothing stays allocated. */
bool problem_make(struct problem *problem, struct link *link, const struct op *op, const struct workload *workload,
                  const struct input_source *source);
void problem_free(struct problem *problem);

/* Keeps the answer that is on the board, which was verified. False: no memory. */
bool problem_keep_answer(struct problem *problem);

/* Whether the answer on the board equals the one that was kept bit for bit. */
bool problem_same_answer(const struct problem *problem);

/* A digest of the answer that was kept. */
uint64_t problem_answer_digest(const struct problem *problem);

/* A workload made ready: its input on the host, its reference, and room for answers. */
#ifndef RUNGBENCH_PREPARED_H
#define RUNGBENCH_PREPARED_H

#include "bench/table/op.h"

struct prepared {
    const struct op *op;
    const struct workload *workload;
    size_t count;
    struct buffer_spec specs[OP_BUFFERS_MAX];
    void *host[OP_BUFFERS_MAX];     /* inputs, and where outputs are downloaded to */
    void *verified[OP_BUFFERS_MAX]; /* outputs only: the answer that was checked */
    struct input_note note;
    void *reference;
};

/* Bytes of host memory that prepared_make() takes. */
size_t prepared_bytes(const struct op *op, const struct workload *workload);

/* False if memory runs out; then nothing is kept. */
bool prepared_make(struct prepared *prepared, const struct op *op, const struct workload *workload,
                   const struct input_source *source);
void prepared_free(struct prepared *prepared);

/* Makes what is in `host` the verified answer. */
void prepared_keep_answer(struct prepared *prepared);

/* Whether what is in `host` is the verified answer, bit for bit. */
bool prepared_same_answer(const struct prepared *prepared);

#endif

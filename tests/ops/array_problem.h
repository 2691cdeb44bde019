/* Problems of operations on arrays, for their tests, in memory of the host. */
#pragma once

#include "bench/table/op.h"

struct array_problem {
    const struct op *op;
    const struct workload *workload;
    void *host[OP_BUFFERS_MAX];
    size_t count, elements[OP_BUFFERS_MAX];
    struct input_note note;
    struct reference *reference; /* NULL: each check makes its own */
};

/* With that input, and zeros as the answer. */
struct array_problem array_problem_of(const struct op *op, const struct workload *workload,
                                      const struct input_source *source);
struct array_problem array_problem_make(const struct op *op, const struct workload *workload, enum input_kind kind);
void array_problem_fill(struct array_problem *problem, const struct input_source *source);
void array_problem_free(struct array_problem *problem);

/* Makes the reference of the input that is there, for all checks that follow. */
void array_problem_refer(struct array_problem *problem);

/* What the operation says of the answer that is there. */
struct check array_problem_check(const struct array_problem *problem);
void assert_answer_right(const struct array_problem *problem);
void assert_answer_wrong(const struct array_problem *problem, const char *reason);

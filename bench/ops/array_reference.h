/* The right answer of an operation on arrays, in double precision, and what answers are compared with it. */
#pragma once

#include "array_rule.h"

struct array_reference {
    size_t inputs; /* the answer is the buffer behind them */
    struct array_shape shape;
    double *value, *bound; /* of each element */
};

size_t array_reference_bytes(const struct array_rule *rule, const struct workload *workload);

/* NULL: out of memory. */
struct array_reference *array_reference_make(const struct array_rule *rule, const struct workload *workload,
                                             void *const host[]);
void array_reference_free(struct array_reference *reference);

/* Every element must be within its bound; 0 and -0 are equal. */
void array_check(const struct array_reference *reference, void *const outputs[], struct check *check);

/* Checks some pieces, chosen by `choice`, of an answer to noise of these seeds. They are few where they take long. */
void array_spot_check(const struct array_rule *rule, const struct workload *workload, const uint64_t noise[],
                      void *const outputs[], uint64_t choice, struct check *check);

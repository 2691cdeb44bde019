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

/* One element of the answer to made inputs, as struct op has it. */
bool array_element(const struct array_rule *rule, const struct workload *workload, const struct made made[],
                   int64_t element, enum precision precision, struct exact *exact);
double array_element_reads(const struct array_rule *rule, const struct workload *workload);

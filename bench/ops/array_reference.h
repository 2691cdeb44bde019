/* The right answer of an operation on arrays, in double precision, and what answers are compared with it. */
#pragma once

#include "known.h"

struct array_reference {
    size_t inputs; /* the answer is the buffer behind them */
    struct array_shape shape;
    struct known known; /* all of it; the scale of an element is its bound */
};

size_t array_reference_bytes(const struct array_rule *rule, const struct workload *workload);

/* NULL: out of memory. */
struct array_reference *array_reference_make(const struct array_rule *rule, const struct workload *workload,
                                             void *const host[]);
void array_reference_free(void *reference);

/* As in struct op, of a struct array_reference. */
void array_check(const void *reference, enum precision precision, void *const outputs[], struct check *check);

/* One element of the answer to made inputs, as struct op has it. */
bool array_element(const struct array_rule *rule, const struct workload *workload, const struct made made[],
                   int64_t element, enum precision precision, struct exact *exact);
double array_element_reads(const struct array_rule *rule, const struct workload *workload);

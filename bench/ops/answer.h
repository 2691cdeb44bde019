/* The right answer of a problem, which a rung's answer is compared with. */
#pragma once

#include "freivalds.h"

#include <stdatomic.h>

/* Up to this size the reference of sums has every element. Above, where they have a weighed axis, it has sampled rows,
 * and Freivalds' check covers the rest. */
#define REFERENCE_FULL_FLOPS 2e9

enum {
    REFERENCE_SAMPLED_ROWS = 16,       /* at least */
    REFERENCE_SAMPLED_ELEMENTS = 4096, /* at least: enough for the precision test */
    REFERENCE_PRECISE_ELEMENTS = 16,   /* at least, for the precision test */
    REFERENCE_JOB_ELEMENTS = 128,      /* that are computed together, where the operation says nothing else */
};

struct reference {
    const struct op *op;
    struct workload workload;
    struct input_note note;
    struct sums sums;
    bool is_sum, is_precise; /* sums that the precision test applies to */
    size_t input_count, output;
    struct reference *next; /* of the next output; NULL: it is the last */
    enum element_type type;
    int64_t rows, columns;       /* that are known, of each row along the output's last extent */
    int64_t *index;              /* their numbers in the answer, which no rung can foresee; NULL: all rows in order */
    double *value, *bound;       /* of each element, and how far FP32 may be off, one array behind the other; */
    double *scale;               /* M, behind them, where the precision test applies; */
    void *exact;                 /* or these instead, in the output's type */
    struct freivalds *freivalds; /* NULL: all rows are known */
    /* While it is made: */
    struct op_reader inputs[OP_BUFFERS_MAX];
    const void *memory[OP_BUFFERS_MAX];
    float *converted[OP_BUFFERS_MAX]; /* inputs of sums that have another type; NULL: they have not */
    int64_t piece;                    /* elements that are only computed together */
    int64_t job, run;                 /* elements of a job, and of what several jobs make: a row of sums, or all */
    atomic_bool failed;
};

static inline int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Where element `known` of those that are known is in the answer. */
static inline int64_t reference_place(const struct reference *r, int64_t known)
{
    return r->index ? r->index[known / r->columns] * r->columns + known % r->columns : known;
}

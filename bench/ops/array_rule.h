/* The rule of an operation on arrays of FP32 numbers: what its answer is, element by element, in double precision. An
 * operation states it, and array_op.h makes its input, reference and checks of it. */
#pragma once

#include "bench/table/op.h"

#include <string.h>

enum { ARRAY_RANK_MAX = 4 };

/* Row-major, without padding. */
struct array_shape {
    const char *name; /* in messages */
    int rank;
    int64_t size[ARRAY_RANK_MAX];
};

/* An input, in memory or made (made.h). */
struct array_reader {
    const float *memory; /* NULL: it is made */
    const struct made *made;
};

static inline double array_at(const struct array_reader *reader, int64_t element)
{
    if (reader->memory)
        return reader->memory[element];
    uint32_t word = made_word(reader->made, (uint64_t)element);
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

/* Functions get a workload of the operation. */
struct array_rule {
    struct op_flag flag; /* adds a workload; what it takes, "MxN", are the sizes in the order of struct workload */
    const char *sizes;   /* where the last may be a word: in "Mx(tall|wide)" they stand for 1 and 2. NULL elsewhere */
    bool takes_any;      /* infinities and NaN spoil no more than the elements that they belong to: inputs have some */

    /* Describes the inputs and then the answer, which are the buffers, and returns how many they are together. */
    size_t (*shapes)(const struct workload *workload, struct array_shape shapes[OP_BUFFERS_MAX]);

    double (*flops)(const struct workload *workload); /* NULL: nothing is added or multiplied */

    /* Where each element is a sum of elements of one input, or of products of two: how many terms it has, where in an
     * input its first one lies, and how far behind that one term `p`. Bounds are those of array_sum.h, and of sharp.h.
     * NULL elsewhere. */
    int64_t (*terms)(const struct workload *workload);
    int64_t (*start)(const struct workload *workload, size_t input, int64_t element);
    int64_t (*step)(const struct workload *workload, size_t input, int64_t p);

    /* Computes elements `first` to `first` + `count` - 1, a piece, in double precision, and for each of them the most
     * that an FP32 rung may be off (the operation cites how it is derived). Values beyond FP32 are set to infinity; an
     * infinity must be met exactly, and NaN by NaN. From several threads. False: out of memory. NULL: terms are summed
     * one by one. */
    bool (*compute)(const struct workload *workload, const struct array_reader inputs[], int64_t first, int64_t count,
                    double *value, double *bound);
    /* Elements of a piece that share work, a row; the last may be shorter. NULL: each is computed by itself. */
    int64_t (*piece)(const struct workload *workload);

    /* As in struct op. NULL: sharp terms or factors of sums, elsewhere uniform in [-1, 1]. Where it is given,
     * array_op.h also fills what is measured so; otherwise that is uniform. */
    void (*question)(const struct workload *workload, const struct input_source *source,
                     struct made made[OP_BUFFERS_MAX], struct input_note *note);
};

static inline int64_t array_elements(const struct array_shape *shape)
{
    int64_t elements = 1;
    for (int i = 0; i < shape->rank; i++)
        elements *= shape->size[i];
    return elements;
}

/* The rule of an operation on arrays of FP32 numbers: what its answer is, element by element, in double precision. An
 * operation states it, and array_op.h makes its input, reference and checks of it. */
#pragma once

#include "known.h"

#include <string.h>

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
    struct op_flag flag;      /* adds a workload; what it takes, "MxN", are the sizes in the order of struct workload */
    const char *const *words; /* those that stand for the last size, from 1 on, ended by NULL; NULL: it is a number */
    const char *sizes;        /* what it takes if so, "Mx(tall|wide)" */
    bool takes_any; /* infinities and NaN spoil no more than the elements that they belong to: inputs have some */

    /* Describes the inputs and then the answer, which are the buffers, and returns how many they are together. */
    size_t (*shapes)(const struct workload *workload, struct array_shape shapes[OP_BUFFERS_MAX]);

    double (*flops)(const struct workload *workload); /* NULL: those of the sums, if each element is one; else none */

    /* Where each element is a sum of elements of one input, or of products of two: how many terms it has, where in an
     * input its first one lies, and how far behind that one term `p` (NULL: `p` elements). Bounds are those of
     * array_sum.h, and of sharp.h. NULL elsewhere. */
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

/* Fills the inputs, each from a stream of its own:
 *   random        uniform in [-1, 1], or what the operation makes of it
 *   zeros         zeros of both signs, and few integers between: what is skipped because it is zero
 *   ones          a sum counts its terms
 *   powers of two of either sign, 2^-20 to 2^20: what mixes elements that have nothing to do with each other
 *   integers      from -15 to 15: FP32 holds long sums of their products
 *   sparse        one of 16 is random, the others zeros; where the operation takes any number also NaN, infinities,
 *                 subnormal numbers and the largest
 *   equal rows    rows are the first, or differ from it in one element: what is remembered of a row before */
void array_input_fill(const struct array_rule *rule, const struct workload *workload, const struct input_source *source,
                      void *const host[], struct input_note *note);

/* How the inputs of a question are made (struct op). */
void array_input_question(const struct array_rule *rule, const struct workload *workload,
                          const struct input_source *source, struct made made[OP_BUFFERS_MAX], struct input_note *note);

/* The right answer of a problem. */
struct array_reference {
    size_t inputs; /* the answer is the buffer behind them */
    struct array_shape shape;
    struct known known; /* all of it; the scale of an element is its bound */
};

/* Floating-point operations. */
double array_flops(const struct array_rule *rule, const struct workload *workload);

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

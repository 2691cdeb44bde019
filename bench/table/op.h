/* The interface of an operation: its workloads, its input and its correct answer. The harness uses operations only
 * through it. */
#pragma once

#include "backend.h"
#include "bench/base/error.h"
#include "bench/base/files.h"
#include "made.h"
#include "rung.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    OP_BUFFERS_MAX = 4,
    OP_PROBLEM_BYTES_MAX = 128,
    OP_SIZE_LIMIT = 1 << 30, /* a product of two sizes then fits in 64 bits */
    OP_SIZES_MAX = 6,
};

struct mnist;

/* The suites that a workload belongs to: a set of bits. */
enum suite_member {
    SUITE_MNIST = 1 << 0,
    SUITE_LECTURE = 1 << 1,
    SUITE_SWEEP = 1 << 2,
    SUITE_SMOKE = 1 << 3,
    SUITE_GATE_SHORT = 1 << 4, /* suite gate: a few microseconds on a GPU */
    SUITE_GATE_LONG = 1 << 5,  /* suite gate: longer */
    SUITE_GATE_FEW = 1 << 6,   /* with one of these: on a GPU rungs that lead and the library alone */
    SUITE_GATE_CPU = 1 << 7,   /* with one of these: the CPU's rungs too */
    SUITE_NETWORK = 1 << 8,
};

/* An operation at a named size. The operation defines what the sizes are: m, k, n or images, height, width. */
struct workload {
    char name[48];
    int64_t size[OP_SIZES_MAX]; /* 0 behind the last that the operation has */
    unsigned suites;            /* bits of enum suite_member; 0 for a workload that the user added */
};

struct buffer_spec {
    size_t bytes;
    bool is_output;
};

struct op_cost {
    double flops; /* 0: no floating-point operations */
    double bytes; /* least memory traffic: each input read once, each output written once */
};

/* What the elements of an input are. Real input takes the place of INPUT_RANDOM only. Each operation says what mistakes
 * each kind finds. */
enum input_kind {
    INPUT_RANDOM, /* 0: what is measured */
    INPUT_ZEROS,
    INPUT_ONES,
    INPUT_POWERS_OF_TWO,
    INPUT_EQUAL_ROWS,
    INPUT_INTEGERS,
    INPUT_SPARSE,
    INPUT_KINDS,
};

struct input_source {
    uint64_t seed;
    const struct mnist *mnist; /* NULL: random input */
    enum input_kind kind;
};

/* The input that was generated. */
struct input_note {
    char text[96];  /* column `input` */
    bool zero_mean; /* seeded random numbers with mean 0: the precision test applies */
    int64_t terms;  /* of each sum are not zero; 0: any number */
    bool exact;     /* no sum is rounded, in any order: the answer must be exact */
};

/* The result of comparing a rung's answer with the reference. */
struct check {
    bool correct;
    bool is_unjudged; /* not correct, but not wrong either: it could not be run */
    double max_abs_err;
    double err_bound; /* error bound of the element with the largest error */
    double rms_err;   /* in units of roundoff, see matmul_check.h; NAN where not applicable */
    char mark[16];    /* of its rows: something was not checked; empty: nothing */
    char reason[512]; /* if wrong: first wrong index, value, expected value, bound, how many are wrong */
};

/* The right value of an element. */
struct exact {
    double value, bound; /* in double precision, and the most that an FP32 rung may be off */
    double scale;        /* of the precision test; NAN: it does not count there */
    bool is_dense;       /* a sum of which no term is small */
};

/* A part of a buffer: `rows` pieces of `row_bytes` bytes, `stride` bytes apart. */
struct window {
    size_t offset, rows, row_bytes, stride;
};

struct op_flag {
    const char *name;
    const char *syntax;
    const char *help;
    /* Handles the flag's value. A flag that adds a workload fills `workload` and sets `added`. */
    bool (*set)(const char *value, struct workload *workload, bool *added, struct error *error);
    enum file_use file; /* what its value is the path of */
};

struct op {
    const char *name;
    size_t element_bytes; /* of all buffers, and their alignment */
    const struct workload *workloads;
    size_t workload_count;
    /* A covering set of ragged sizes; every rung is verified on all of them. */
    const struct workload *ragged;
    size_t ragged_count;
    /* Problems with indexes beyond 2^32. Their last elements are the answer of a small problem, `end`, whose buffers
     * are these windows of theirs. */
    const struct workload *far;
    size_t far_count;
    void (*far_end)(const struct workload *workload, struct workload *end, struct window windows[OP_BUFFERS_MAX]);
    const struct op_flag *flags;
    size_t flag_count;

    void (*shape)(const struct workload *workload, char *text, size_t size); /* "50000x784x10" */
    struct op_cost (*cost)(const struct workload *workload);

    /* Describes the buffers of a problem and returns their number. All functions use this order. */
    size_t (*buffers)(const struct workload *workload, struct buffer_spec specs[OP_BUFFERS_MAX]);
    void (*bind)(const struct workload *workload, void *const memory[], void *problem);
    void (*fill)(const struct workload *workload, const struct input_source *source, void *const host[],
                 struct input_note *note);

    /* The reference for the input in `host`, in double precision or exact. NULL: out of memory. */
    size_t (*reference_bytes)(const struct workload *workload);
    void *(*reference_make)(const struct workload *workload, const struct input_note *note, void *const host[]);
    void (*reference_free)(void *reference);
    void (*check)(const void *reference, enum precision precision, void *const outputs[], struct check *check);

    /* Says in the order of buffers how the inputs are made of which the source's seed asks the answer; outputs are left
     * as they are. Real data are permuted: images, or rows of the photo. Random factors of products, and terms of sums,
     * are sharp (made.h); other random inputs are what is measured. `note` is as fill() sets it. */
    void (*question)(const struct workload *workload, const struct input_source *source,
                     struct made made[OP_BUFFERS_MAX], struct input_note *note);

    /* Computes what element `element` of output `buffer` should be for inputs that are made so; rows of `made` are the
     * host's memory. From one thread at a time. False: out of memory. */
    bool (*element)(const struct workload *workload, const struct made made[OP_BUFFERS_MAX], size_t buffer,
                    int64_t element, enum precision precision, struct exact *exact);
    double (*element_reads)(const struct workload *workload); /* elements of inputs that this takes, about */

    /* The most that sqrt(mean((error / (u * scale))^2)) may be over so many elements, chosen at random, dense or not,
     * with u as the precision has it. NULL: there is no precision test. */
    double (*rms_limit)(const struct workload *workload, enum precision precision, int64_t elements, bool dense);

    /* Hooks, may be NULL: before anything is measured, after each correct answer, and at the end. */
    bool (*begin)(struct error *error);
    void (*verified)(const struct workload *workload, void *const outputs[]);
    bool (*finish)(struct error *error);
};

#define OP_COUNT(array) (sizeof(array) / sizeof(array)[0])

#define OP_FAR .far = far, .far_count = OP_COUNT(far), .far_end = far_end

/* Defines an operation of what each defines under the same names, and of fields of its own; OP_FAR: has far sizes. */
#define OP_DEFINE(operation, ...)                                                                                    \
    static_assert(sizeof(struct operation##_problem) <= OP_PROBLEM_BYTES_MAX, "a problem must fit into its memory"); \
    const struct op operation##_op = {.name = #operation,                                                            \
                                      .workloads = workloads,                                                        \
                                      .workload_count = OP_COUNT(workloads),                                         \
                                      .ragged = ragged,                                                              \
                                      .ragged_count = OP_COUNT(ragged),                                              \
                                      .bind = bind,                                                                  \
                                      __VA_ARGS__}

#define OP(name) extern const struct op name##_op;
#include "rungs.def"

/* What the kinds of input are called. */
extern const char *const input_kind_names[INPUT_KINDS];

/* Parses sizes such as 5x784x10: `count` integers from 1 to OP_SIZE_LIMIT, separated by x. */
bool op_parse_sizes(const char *text, size_t count, int64_t *sizes);

/* How much there is to do: floating-point operations and bytes, each counted as one. */
double op_work(const struct op *op, const struct workload *workload);

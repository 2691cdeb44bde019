/* The interface of an operation: its workloads, its input, and what its right answer is. The harness knows operations
 * through this alone. */
#ifndef RUNGBENCH_OP_H
#define RUNGBENCH_OP_H

#include "bench/base/error.h"
#include "rung.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    OP_BUFFERS_MAX = 4,
    OP_PROBLEM_BYTES_MAX = 128,
    OP_SIZE_LIMIT = 1 << 30, /* so that a product of two sizes fits 64 bits */
    OP_POISON = 0xFF,        /* the byte that fills outputs before a run: NaN as FP32 */
};

struct mnist;

/* A workload carries the suites that it belongs to as a set of these. */
enum suite_member {
    SUITE_MNIST = 1 << 0,
    SUITE_LECTURE = 1 << 1,
    SUITE_SWEEP = 1 << 2,
    SUITE_SMOKE = 1 << 3,
    SUITE_GATE_SHORT = 1 << 4, /* work for the gate: of a few microseconds on a GPU, */
    SUITE_GATE_LONG = 1 << 5,  /* and of more */
};

/* An operation at a named size. What the sizes mean is the operation's: m, k, n or images, height, width. */
struct workload {
    char name[48];
    int64_t size[3];
    unsigned suites; /* a set of enum suite_member; 0 for a user's own */
};

struct buffer_spec {
    size_t bytes;
    bool is_output;
};

struct op_cost {
    double flops; /* 0: counts no floating-point operations */
    double bytes; /* the fewest that must move: each input read once, each output written once */
};

/* Where input comes from. */
struct input_source {
    uint64_t seed;
    const struct mnist *mnist; /* NULL: random input */
};

/* What input was made. */
struct input_note {
    char text[96];  /* the `input` column */
    bool zero_mean; /* seeded random numbers around zero: the test of precision applies */
};

/* How a rung's answer compares with the reference. */
struct check {
    bool correct;
    double max_abs_err;
    double err_bound; /* allowed at the element with the largest error */
    double rms_err;   /* in units of roundoff, see matmul_check.h; NAN where it means nothing */
    char reason[448]; /* if wrong: first wrong index, got, expected, bound, how many */
};

/* A flag of the command line that only this operation knows. */
struct op_flag {
    const char *name;
    const char *syntax;
    const char *help;
    /* Takes the flag's value. A flag that describes a further workload sets `added` and fills `workload`. */
    bool (*set)(const char *value, struct workload *workload, bool *added, struct error *error);
};

struct op {
    const char *name;
    size_t element_bytes; /* of all buffers; they are aligned to so much, and no more */
    const struct workload *workloads;
    size_t workload_count;
    /* A covering set of awkward sizes, on which every rung is verified. */
    const struct workload *ragged;
    size_t ragged_count;
    const struct op_flag *flags;
    size_t flag_count;

    void (*shape)(const struct workload *workload, char *text, size_t size); /* "50000x784x10" */
    struct op_cost (*cost)(const struct workload *workload);

    /* The buffers of a problem, in the order in which bind() and the rest take them; returns how many. */
    size_t (*buffers)(const struct workload *workload, struct buffer_spec specs[OP_BUFFERS_MAX]);
    void (*bind)(const struct workload *workload, void *const memory[], void *problem);
    void (*fill)(const struct workload *workload, const struct input_source *source, void *const host[],
                 struct input_note *note);

    /* The truth for the input in `host`, in double precision or exact; NULL if memory runs out. */
    size_t (*reference_bytes)(const struct workload *workload);
    void *(*reference_make)(const struct workload *workload, const struct input_note *note, void *const host[]);
    void (*reference_free)(void *reference);
    void (*check)(const void *reference, enum precision precision, void *const outputs[], struct check *check);

    /* May be NULL: told before anything is measured, of each answer that proved right, and at the end. */
    bool (*begin)(struct error *error);
    void (*verified)(const struct workload *workload, void *const outputs[]);
    bool (*finish)(struct error *error);
};

/* Sizes as in 5x784x10: reads `count` integers from 1 to OP_SIZE_LIMIT, separated by x. */
bool op_parse_sizes(const char *text, size_t count, int64_t *sizes);

#endif

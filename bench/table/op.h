/* An operation: its arguments, its sizes, and what is right. bench/ops/NAME_op.c describes one; all that the harness
 * does with operations follows from the description. */
#pragma once

#include "bench/base/error.h"
#include "element.h"
#include "bench/data/made.h"
#include "rung.h"

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    OP_BUFFERS_MAX = 6,
    OP_PROBLEM_BYTES_MAX = 128,
    OP_SIZE_LIMIT = 1 << 30, /* a product of two sizes then fits in 64 bits */
    OP_SIZES_MAX = 6,
    OP_RANK_MAX = 4,
};

struct mnist;
struct photo;

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
    SUITE_OWN = 1 << 9,        /* what kernels of the user's own get where no size is asked for */
    SUITE_OWN_SMALL = 1 << 10, /* the same on a simulator */
    SUITE_SCALING = 1 << 11,   /* several GPUs on one problem, and one GPU beside them */
};

/* An operation at a named size. */
struct workload {
    char name[48];
    int64_t size[OP_SIZES_MAX]; /* 0 behind the last that the operation has */
    unsigned suites;            /* bits of enum suite_member; 0 for a workload that the user added */
};

struct buffer_spec {
    size_t bytes;
    bool is_output;
    enum element_type type;
};

struct op_cost {
    double flops; /* 0: no floating-point operations */
    double bytes; /* least memory traffic: each input read once, each output written once */
    /* Of a collective, NAN of others: what each card gets, and what must pass its links, each way. */
    double message_bytes, passed_bytes;
};

/* What the elements of an input are. Real input takes the place of INPUT_RANDOM only. bench/ops/input.c says what
 * mistakes each kind finds. */
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

extern const char *const input_kind_names[INPUT_KINDS];

/* What was given to be the input; NULL: nothing. */
struct real_input {
    const struct mnist *mnist;
    const struct photo *photo; /* of the workload that is called as photo.h says */
};

struct input_source {
    uint64_t seed;
    struct real_input real;
    enum input_kind kind;
    bool asks; /* a question, of which the seed asks the answer. Real data are permuted. Random factors of products, and
                  terms of sums, are sharp or dense (sums.h); other random inputs are what is measured */
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
    double err_bound;    /* error bound of the element with the largest error */
    double rms_err;      /* in units of roundoff, see sums.h; NAN where not applicable */
    double max_err;      /* the largest of these, where there are any */
    size_t wrong_buffer; /* of the first wrong element; 0: none is known */
    int64_t wrong_element;
    char mark[16];    /* of its rows: something was not checked; empty: nothing */
    char reason[512]; /* if wrong: first wrong index, value, expected value, bound, how many are wrong */
};

/* The right value of an element. */
struct exact {
    double value, bound; /* in double precision, and the most that a rung may be off */
    double scale;        /* of the precision test; NAN: it does not count there */
    bool is_dense;       /* a sum of which no term is small */
};

/* The unit roundoff of what the precision test measures. */
static inline double precision_unit(enum precision precision)
{
    return precision == PRECISION_TF32 ? 0x1p-11 : 0x1p-24;
}

/* Whether a value is right, and how far it is off; an infinity must be met exactly, and NaN by NaN. */
static inline bool exact_is_met(const struct exact *exact, double value, double *error)
{
    const bool is_same = value == exact->value || (value != value && exact->value != exact->value);
    *error = is_same ? 0 : value > exact->value ? value - exact->value : exact->value - value;
    return is_same || (*error <= exact->bound && *error <= DBL_MAX); /* NAN: false */
}

/* Real data that an input takes where they are given and have its size. */
enum real_data {
    REAL_NONE,
    REAL_IMAGES, /* rows of MNIST_PIXELS numbers from 0 to 1 */
    REAL_LABELS, /* rows of MNIST_CLASSES numbers, of which one is 1: those of the first input's images; of random input
                    as many numbers and a random one */
    REAL_PLANES, /* planes of MNIST_SIDE x MNIST_SIDE bytes, or the three of a photo */
};

enum op_order {
    ORDER_NONE,
    ORDER_SORTED,   /* the first is `from`, the last `to`, and none is smaller than the one before: offsets of rows */
    ORDER_PERMUTED, /* each number once */
};

/* Writes `count` elements that follow from the sizes and from random bits of the seed (made_bits()). */
typedef void op_make(const int64_t *size, uint64_t seed, int64_t count, void *to);

/* A buffer: a row-major array without padding. */
struct op_arg {
    const char *name; /* in the formula and in messages */
    /* "m,h-r+1": of the named sizes and integers, with + - * / (rounded down) and parentheses. Where there are words
     * for the last size, there may be one for each, separated by |. */
    const char *extents;
    bool is_output;
    /* Of an output that is read, too: the input that it holds before each call, which rungs are not given. A copy of
     * it in the problem would be no use to them. Such rungs have rows in cold and e2e alone. Of the last output only.
     * NULL: it is only written. */
    const char *begins_as;
    bool is_split; /* several cards have a share of its rows each: cards.h */
    enum element_type type;
    enum real_data real;
    /* Of an INT32 input: its elements are from the first expression up to but without the second, in no order or one of
     * these. NULL: from -1000 to 1000. */
    const char *from, *to;
    enum op_order order;
    /* Of a float: random ones lie within 1 / sqrt() of that, as weights do before a network is trained. NULL: they
     * follow from what is computed. */
    const char *fan_in;
    op_make *make; /* of an input that is none of these: the host makes it, and uploads it; NULL: a device makes it */
};

/* Inputs, in the host's memory or made. */
typedef void op_visit(void *self, size_t input, int64_t element);

struct op_reader {
    const void *memory; /* NULL: it is made */
    const struct made *made;
    enum element_type type;
    op_visit *visit; /* is told what is read of `input`, which is 0 where it is not made; NULL: nobody is */
    void *self;
    size_t input;
};

static inline double op_read(const struct op_reader *reader, int64_t element)
{
    if (reader->visit) {
        reader->visit(reader->self, reader->input, element);
        if (!reader->made)
            return 0;
    }
    if (reader->memory)
        return element_value(reader->type, reader->memory, element);
    const size_t bytes = element_bytes(reader->type), word = sizeof(uint32_t);
    const uint64_t at = (uint64_t)element * bytes;
    if (reader->made->kind == MADE_GIVEN && at >= reader->made->row_length)
        return 0;
    uint32_t words[2] = {made_word(reader->made, at / word), bytes > word ? made_word(reader->made, at / word + 1) : 0};
    unsigned char memory[sizeof words];
    memcpy(memory, (unsigned char *)words + at % word, bytes);
    return element_value(reader->type, memory, 0);
}

/* Some of an output's elements, which follow each other, to be computed. */
struct op_piece {
    const int64_t *size;            /* of the workload */
    const struct op_reader *inputs; /* in the order of the arguments */
    size_t output;                  /* the number of the argument */
    int64_t first, count;
    double *value, *bound;
};

struct op {
    const char *name;
    size_t problem_bytes; /* of the struct in bench/table/NAME.h that its rungs see; 0: int64_t sizes, then pointers */
    const char *sizes;    /* "m k n": their names, in the order of workloads' names, "5x784x10" */
    const char *const *words;  /* those that stand for the last size, from 1 on, ended by NULL; NULL: a number */
    const char *members;       /* what a rung's problem has instead, "m n z_row z_column"; NULL: the sizes */
    const char *member_values; /* as extents are written: "m,n,n,1|m,n,0,1" */
    bool has_int_sizes;        /* its problem does, and an even number of them */
    bool is_batched;           /* a first size of 1 is not written: "150x216" */
    struct op_arg args[OP_BUFFERS_MAX + 1]; /* inputs, then outputs; ended by one without a name */

    /* What is right. Either a formula: each element is a sum of elements of an input, or of products of two, over all
     * letters that the output lacks: "c[i,j] = a[i,p] b[p,j]". A letter runs through the extent where it stands alone.
     * Bounds follow (sums.h). */
    const char *formula;
    /* Or a function that computes a piece in double precision, and for each element the most that a rung may be off
     * (the operation cites how that is derived). Values beyond FP32 are set to infinity; an infinity must be met
     * exactly, and NaN by NaN. From several threads. False: out of memory. */
    bool (*compute)(const struct op_piece *piece);
    const char *piece;      /* elements that are computed together, "n": a row; NULL: any */
    bool in_parts;          /* tensor cores may multiply factors in parts: bounds leave room for it */
    bool is_exact;          /* nothing is rounded: all bounds are 0 */
    const char *operations; /* floating-point ones, as an extent; NULL: those of the formula, or none */
    /* Of a collective: the bytes that each card gets, and how many times as many, times its first size, the cards, must
     * pass a card's links at least, each way. NULL: it is none. */
    const char *message, *passed;
    bool takes_any; /* infinities and NaN spoil no more than the elements that they belong to: inputs have some */

    const struct workload *workloads;
    size_t workload_count;
    /* A covering set of ragged sizes; every rung is verified on all of them. */
    const int64_t (*ragged)[OP_SIZES_MAX];
    size_t ragged_count;
    /* Problems with more than 2^32 elements: an index of 32 bits, or a grid made of one, begins again near 0. */
    const int64_t (*far)[OP_SIZES_MAX];
    int64_t far_end; /* elements of their ends; 0: as many as op_end() takes */
    size_t far_count;

    /* Hooks, each may be NULL: */
    /* Sizes that the arguments allow, but no rung takes: false, with the reason. */
    bool (*accepts)(const struct workload *workload, struct error *error);
    /* Fills an input of bytes with what is hard to round: integers that INPUT_INTEGERS says nothing new of. */
    void (*ties)(const struct workload *workload, uint64_t seed, void *to);
};

#define OP_COUNT(array) (sizeof(array) / sizeof(array)[0])
#define OP_LIST(of) .of = of, .of##_count = OP_COUNT(of)
#define OP_WORKLOADS .workloads = workloads, .workload_count = OP_COUNT(workloads), OP_LIST(ragged)
#define OP_NAME(of) .name = #of, .problem_bytes = sizeof(struct of##_problem)

#define OP(name) extern const struct op name##_op;
#include "rungs.def"

/* Its ragged and far sizes as workloads, named by their sizes. */
struct workload op_ragged(const struct op *op, size_t number);
struct workload op_far(const struct op *op, size_t number);

/* An array's member of the problem: its name in small letters. */
enum { OP_MEMBER_BYTES = 64 };
void op_member(const struct op_arg *arg, char member[OP_MEMBER_BYTES]);

/* "50000x784x10" */
void op_shape(const struct op *op, const struct workload *workload, char *text, size_t size);
struct op_cost op_cost(const struct op *op, const struct workload *workload);

/* How much there is to do: floating-point operations and bytes, each counted as one. */
double op_work(const struct op *op, const struct workload *workload);

/* That a problem of these sizes can be made: extents of at least 1, alike where they have one letter, ranges that hold
 * numbers, arrays that memory might hold. False, with the reason. */
bool op_takes(const struct op *op, const struct workload *workload, struct error *error);

/* Names, as of sizes, stand with a space between. Where the one behind that at `at` begins, or the end. */
static inline const char *op_name_after(const char *at)
{
    at += strcspn(at, " ");
    return at + (*at == ' ');
}

/* The number of a name among them, be its letters small or not; -1: it is not there. */
int op_find_name(const char *names, const char *name, size_t length);

/* How many extents are written there; -1: they are no expressions of the operation's sizes. */
int op_rank(const struct op *op, const char *extents);

/* Sets those sizes that others determine: "m=k=n,batch=1" makes m, k and n the smallest of the three,
 * and batch 1. */
void op_fit(const struct op *op, const char *only, struct workload *workload);

/* Whether its sizes are so; any are where `only` is NULL. */
bool op_fits(const struct op *op, const char *only, const struct workload *workload);

/* The value of an expression of the sizes. */
double op_value(const struct op *op, const struct workload *workload, const char *expression);

/* The extents of an argument; returns how many there are. */
int op_extents(const struct op *op, const struct workload *workload, size_t arg, int64_t extent[OP_RANK_MAX]);

/* Describes the buffers of a problem and returns their number. All functions use this order. */
size_t op_buffers(const struct op *op, const struct workload *workload, struct buffer_spec specs[OP_BUFFERS_MAX]);

int64_t op_elements(const struct op *op, const struct workload *workload); /* of the first output */
int64_t op_elements_of(const struct op *op, const struct workload *workload, size_t arg);

/* The last ones of the first output: so many are looked at in far problems. Of few rows, and few where each takes a
 * block, since a simulator runs the last blocks only. */
enum { OP_END_MAX = 24 };
int64_t op_end(const struct op *op, const struct workload *workload);

/* The number of the first output, and that behind the last. */
static inline size_t op_output(const struct op *op)
{
    size_t i = 0;
    while (!op->args[i].is_output)
        i++;
    return i;
}

static inline size_t op_args_end(const struct op *op)
{
    size_t i = op_output(op);
    while (op->args[i].name)
        i++;
    return i;
}

/* The input that the last output begins as, OP_BUFFERS_MAX: none. */
size_t op_beginning(const struct op *op);

/* The element size that all buffers are multiples of. */
size_t op_element_bytes(const struct op *op);

/* Describes the problem to rungs: its sizes, then its pointers, as the arguments have them but for one that an output
 * begins as. Returns how many bytes it has. */
size_t op_bind(const struct op *op, const struct workload *workload, void *const memory[], void *problem);

/* The other way, of an operation whose problems have its sizes, no other members. */
void op_unbind(const struct op *op, const void *problem, struct workload *workload, void *memory[OP_BUFFERS_MAX]);

/* Fills the inputs. */
void op_fill(const struct op *op, const struct workload *workload, const struct input_source *source,
             void *const host[], struct input_note *note);

/* Says in the order of buffers how random inputs are made, by op_fill() too; outputs are left as they are. */
void op_made(const struct op *op, const struct workload *workload, const struct input_source *source,
             struct made made[OP_BUFFERS_MAX], struct input_note *note);

/* The reference for the input in `host`, in double precision or exact. NULL: out of memory. */
struct reference;
size_t op_reference_bytes(const struct op *op, const struct workload *workload);
struct reference *op_reference_make(const struct op *op, const struct workload *workload, const struct input_note *note,
                                    void *const host[]);
void op_reference_free(struct reference *reference);

/* Compares an answer with it. */
void op_check(const struct reference *reference, enum precision precision, void *const host[], struct check *check);

/* Computes what an element of an output should be for inputs that are made so; rows of `made` are the host's memory.
 * From one thread at a time. False: out of memory. */
bool op_element(const struct op *op, const struct workload *workload, const struct made made[OP_BUFFERS_MAX],
                size_t output, int64_t element, enum precision precision, struct exact *exact);
double op_element_reads(const struct op *op, const struct workload *workload); /* elements that this takes, about */

/* Calls `visit` with each element of inputs that `count` elements of an output from `first` on need; with some more
 * than once. Where an element says which others are read, it is that of `made`; NULL: all are 0. */
bool op_visit_inputs(const struct op *op, const struct workload *workload, const struct made made[], size_t output,
                     int64_t first, int64_t count, op_visit *visit, void *self);

/* The most that sqrt(mean((error / (u * scale))^2)) may be over so many elements, chosen at random, dense or not, with
 * u as the precision has it. INFINITY: there is no precision test. */
double op_rms_limit(const struct op *op, const struct workload *workload, enum precision precision, int64_t elements,
                    bool dense);

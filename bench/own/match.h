/* How a function or kernel of the user's own is called with an operation's problem: which argument each parameter is,
 * by names, types and what is done with them. What people call sizes: meanings.def. */
#pragma once

#include "source.h"

#include "bench/base/error.h"
#include "bench/table/op.h"

/* How a function is called. */
enum { CALL_BYTES = 4096 };

struct call {
    bool is_cuda;          /* else C */
    size_t which;          /* of the functions that can be called, from 0 */
    bool size_is_said;     /* the user has asked for a size: it may be one that the file does not name */
    char names[512];       /* directives before it: macros that would stand in its way */
    char text[CALL_BYTES]; /* statements, with the problem as `rungbench_p` */
    char shown[512];       /* the call in the operation's own names, for people */
    char function[48];     /* the one that is called */
    size_t alternatives;   /* so many could be meant */
    char only[48];         /* what its sizes must be, "m=k=n,batch=1"; empty: anything */
    bool adds_output;      /* it has beta, and gets 0 */
    bool has_int_sizes;    /* sizes are given as int */
};

/* `launch` is how the user says that it is called, in the names of the operation, or which function is meant; NULL:
 * found out. False, with what stands in the way and the flag that decides. */
bool call_make(const struct source *source, const struct op *op, const char *launch, const char *label,
               struct call *call, struct error *error);

/* Adds to its text, and a name that this declares to its directives; whether that is there. */
__attribute__((format(printf, 2, 3))) void call_add(struct call *call, const char *format, ...);
void call_add_name(struct call *call, struct part name);
bool call_has_name(const struct call *call, struct part name);

/* "height*width" with the members of the problem. */
void call_write_sizes(struct part expression, char *text, size_t size);

enum { ARGS_MAX = OP_BUFFERS_MAX };

/* What is given for a parameter: as an expression, and for people. */
struct given {
    char text[256], shown[64];
    size_t arg; /* of an array: the operation's */
};

/* A function that is to be called, and what is given for its parameters. */
struct match {
    const struct source *source;
    const struct op *op;
    const struct function *function;
    struct call *call; /* gets what follows for its sizes and its output */
    struct given given[PARAMETERS_MAX];
    size_t sizes[PARAMETERS_MAX], size_count; /* the parameters that are */
    const char *why;                          /* it cannot be called: "has fewer arrays" */
    bool fits;                                /* its parameters are those of the operation */
};

/* Fills `given`. False, with `why`. */
bool match_parameters(struct match *match);

/* Sets `why`, and returns false. */
bool match_fail(struct match *match, const char *why);

/* Whether it has a beta, by which it multiplies what the output holds. */
bool match_adds_output(const struct op *op, const struct function *function);

bool match_is_solve(const struct function *function);

/* Whether its name has a word that names of the operation's kernels have. */
bool match_is_named(const struct op *op, const struct function *function);

/* The names that solve() has for the sizes of an operation, where they are not its own, and which sizes those are.
 * NULL: they are its own. */
const char *match_solve_names(const struct op *op, const char **sizes);

/* The operation's arrays in the order of its problem: inputs, then one output. */
size_t match_list_args(const struct op *op, size_t args[ARGS_MAX]);

/* The names of the sizes that a problem has. */
const char *match_sizes_of(const struct op *op);

/* Number `i` of words with a space between. */
struct part match_word(const char *words, size_t i);

/* What an integer parameter is, whatever the sizes are: "int block_size". NULL: nobody knows. */
const char *match_number(const struct op *op, const struct parameter *parameter);

/* Of a kernel that no function of the user's launches: as another function of the file does, such as main(), or as what
 * its threads do with their numbers asks for. Writes "kernel<<<grid, block>>>(" with what it needs before it. False: it
 * is not known. */
bool launching_write(const struct source *source, const struct op *op, const struct function *kernel,
                     const struct given given[], struct call *call);

/* What a function does with its arrays, as far as the text of its kernels shows it. Whether "name[...] =" stands in it,
 * or in a kernel that it launches with the array: */
bool array_is_written(const struct source *source, const struct function *function, size_t parameter);

/* How a kernel indexes an array with a variable: times something, as with the number of a row, or plainly. */
enum index_use { INDEX_NOT, INDEX_TIMES, INDEX_PLAIN };
enum index_use array_index_use(const struct function *kernel, size_t parameter, struct part variable);

/* The integer parameter by which the array's first index is multiplied, as k is in "a[row * k + i]", there or in such a
 * kernel: the length of its rows. SIZE_MAX: none is seen. */
size_t array_row_length(const struct source *source, const struct function *function, size_t parameter);

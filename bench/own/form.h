/* In which form a file defines its kernel. */
#pragma once

#include "bench/base/error.h"
#include "bench/table/op.h"
#include "bench/table/registry.h"

enum form_kind {
    FORM_RUNG,      /* const char *matmul_NAME(const void *problem, void *stream), as the project's own rungs */
    FORM_SOLUTION,  /* void solution(...), with the arguments that the operation's header documents */
    FORM_OPERATION, /* no kernel: const struct op rungbench_op (own_op.h) */
};

enum { FORM_FUNCTION_BYTES = 128 };

struct form {
    enum form_kind kind;
    const struct op *op;
    char function[FORM_FUNCTION_BYTES]; /* of FORM_RUNG */
};

/* The operation that a function's name begins with; NULL: none. */
const struct op *form_op(const struct registry *registry, const char *function);

/* Finds the form of a source file. `op` is the operation that was asked for; NULL: that of the function's name, or the
 * first one for a solution. `name` is what errors call the file. */
bool form_find(const char *source, const char *name, const struct registry *registry, const struct op *op,
               struct form *form, struct error *error);

/* The same for the name of a function. */
bool form_of_function(const char *function, const char *name, const struct registry *registry, const struct op *op,
                      struct form *form, struct error *error);

/* Source as code alone: makes a space of each character of a comment, a string or a character constant; lines and
 * places stay. */
void blanked_make(char *source);

/* Whether it is part of names and numbers. */
bool blanked_is_word(char c);

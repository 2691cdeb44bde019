/* In which form a file defines its kernel. */
#pragma once

#include "match.h"

#include "bench/table/registry.h"

enum form_kind {
    FORM_RUNG,      /* const char *matmul_NAME(const void *problem, void *stream), as the project's own rungs */
    FORM_CALL,      /* another function or kernel, which match.h says how to call */
    FORM_PROGRAM,   /* no kernel, but a main() that launches some */
    FORM_OPERATION, /* no kernel: const struct op rungbench_op (own_op.h) */
};

enum { FORM_FUNCTION_BYTES = 128 };

struct form {
    enum form_kind kind;
    const struct op *op;
    char function[FORM_FUNCTION_BYTES]; /* of FORM_RUNG */
    struct call call;                   /* of FORM_CALL; its is_cuda is given */
};

/* The operation that a function's name begins with; NULL: none. */
const struct op *form_op(const struct registry *registry, const char *function);

/* Finds the form of a source file: in its text, of which what is not needed becomes blank. `op` is the operation that
 * was asked for; NULL: that of the function's name, or the first one for a function of another. `launch` is what
 * call_make() takes. `name` is what errors call the file. */
bool form_find(char *text, const char *name, const struct registry *registry, const struct op *op, const char *launch,
               struct form *form, struct error *error);

/* The form of a shared object: that of its function. */
bool form_of_function(const char *function, const char *name, const struct registry *registry, const struct op *op,
                      struct form *form, struct error *error);

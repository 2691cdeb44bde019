/* Functions of Python (--kernel=FILE.py). Python is the process that runs them, and has this program in it as a
 * library: scripts/python/rungbench/player.py. */
#pragma once

#include "own_kernel.h"

bool python_is(const char *path);

/* Finds the function in the text of the file, whose parameters are names of the operation's arrays, in small letters,
 * and of its sizes, and the backend: that of a GPU where the text names a package for one. */
bool python_read(const struct registry *registry, const struct own_request *request, struct own_kernel *kernel,
                 struct error *error);

enum { PYTHON_ARGUMENTS = 6 };

/* How Python is started for a file: what stands before the flags, ended by a NULL. It stays until the next call. */
char *const *python_arguments(const char *file);

/* What became of a function that Python was asked for. */
enum python_outcome {
    PYTHON_FOUND,
    PYTHON_MISSING, /* a module that the file imports */
    PYTHON_FAILED,
};

/* Asks for a function of the file that Python has read, as a rung of the operation. Where it is not found, the reason,
 * which stays. */
typedef enum python_outcome python_find(const struct op *op, const char *function, rung_function **run,
                                        const char **reason);

/* This process is Python's. */
void python_host(python_find *find);

/* Of the library: rungbench itself, as a player in the process of Python, which finds functions. */
int rungbench_play(int argc, char **argv, python_find *find);

/* Makes `run` the function, or NULL where a module is missing, with the reason in `unavailable`. Returns NULL, or why
 * it cannot be loaded. */
const char *python_load(const struct own_kernel *kernel, rung_function **run, const char **unavailable);

/* What a problem has, for Python. */
struct python_array {
    char name[OP_MEMBER_BYTES];
    void *memory;
    int64_t extent[OP_RANK_MAX];
    int rank, type; /* type: enum element_type */
};

/* Its sizes, in the order of their names in `names`, and its arrays; returns how many these are. */
size_t rungbench_arrays(const struct op *op, const void *problem, const char **names, int64_t size[OP_SIZES_MAX],
                        struct python_array array[OP_BUFFERS_MAX]);

/* How many bytes a problem has. */
size_t rungbench_problem_bytes(const struct op *op);

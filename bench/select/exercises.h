/* The exercises of docs/exercises/: each is a file, a workload, and what is wanted of it besides right answers. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct exercise {
    int number;
    const char *name, *op, *size; /* the value of --size, without the operation */
    bool is_general;              /* right at all sizes, too */
    bool is_lean;                 /* no line takes many more sectors or turns than it needs, nor do registers spill */
    double loads;                 /* of each byte of the input, at most, about; 0: any number */
};

/* That with this number, "3"; NULL: there is none. */
const struct exercise *exercise_find(const char *number);
/* That behind it, or the first; NULL: there is none. */
const struct exercise *exercise_next(const struct exercise *exercise);

/* Its file, relative to the working directory where it lies in that. */
void exercise_path(const struct exercise *exercise, char path[PATH_MAX]);

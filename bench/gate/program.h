/* One process of another program: started, listened to, and asked to end when this one is. */
#ifndef RUNGBENCH_PROGRAM_H
#define RUNGBENCH_PROGRAM_H

#include "bench/base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* How it ended, and what it wrote. */
struct program_end {
    int status;   /* its exit status; 128 + the signal that ended it */
    char how[96]; /* "ended with exit status 2", "was ended by signal 11 (Segmentation fault)" */
    char *output; /* its stdout, with a zero behind it; free() it */
    size_t bytes;
    char complaint[512]; /* the last line of its stderr; empty: none */
};

/* Runs `argv[0]`, found as execvp() finds it, to its end. A signal that `interrupted` tells of is passed on; if this
 * process dies, the other is told to end. False: it could not be started, or memory ran out. */
bool program_run(char *const *argv, int (*interrupted)(void), struct program_end *end, struct error *error);

#endif

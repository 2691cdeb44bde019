/* How a kernel of the user's own (bench/own/) becomes a shared object for a backend. */
#pragma once

#include <stdbool.h>

struct toolchain {
    const char *suffix; /* of the files that it compiles: ".cu" */
    /* Of these the first that is there is used. A name without a slash is looked for on the PATH; "$NAME/..." begins
     * with the value of an environment variable. Ended by a NULL, as the flags are. */
    const char *const *compilers;
    const char *const *flags;
    /* Headers around a file in the plain form, as paths in the source tree: they make a rung of its solution(). */
    const char *before_solution, *after_solution; /* NULL: none */
    bool spells_launches; /* launches and shared memory become words of kernels/device.h in every file */
    bool adds_streams;    /* launches do in files in the plain form: they need the stream of the call */
    /* A section or a symbol that its shared objects have, and no other's; NULL: there is none. */
    const char *sign;
    /* A further flag, which says what it compiles for, valid until the next call; NULL: there is no such device. The
     * function is NULL where no flag is needed. `device` is that of the backend's settings. Opens no device. */
    const char *(*target)(int device);
};

/* The mix of instructions of a kernel, from the machine code in a program, as cuobjdump prints it (NVIDIA, "CUDA Binary
 * Utilities"). */
#pragma once

#include "bench/base/error.h"
#include "bench/base/host.h"

enum instruction {
    MIX_ARITHMETIC, /* floating point, a tensor core's too */
    MIX_LOADS,      /* of global memory */
    MIX_WIDE_LOADS, /* of these, 8 or 16 bytes */
    MIX_READ_ONLY,  /* of these, by the path for what nobody writes */
    MIX_STORES,
    MIX_COPIES, /* asynchronous, to shared memory */
    MIX_SHARED_LOADS,
    MIX_SHARED_STORES,
    MIX_LOCAL, /* loads and stores of local memory */
    MIX_BARRIERS,
    MIX_ALL,
    INSTRUCTIONS
};
extern const char *const instruction_names[INSTRUCTIONS];

struct mix {
    size_t all[INSTRUCTIONS];
    size_t loop[INSTRUCTIONS]; /* of the loop that itself, without loops in it, computes and loads most */
    size_t loops;
};

/* From what cuobjdump has printed of one function; the last one counts. False: there is none. */
bool mix_read(const char *sass, struct mix *mix);

/* Of a kernel by its name in C++, "scale<4>". False, with the reason: cuobjdump is not there, or knows no such one. */
bool mix_of_kernel(const char *program, const char *kernel, const struct host_clock *clock, struct mix *mix,
                   struct error *error);

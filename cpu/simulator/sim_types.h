/* Small types of the simulator, for C and C++. */
#ifndef RUNGBENCH_SIM_TYPES_H
#define RUNGBENCH_SIM_TYPES_H

struct uint3 { /* as in CUDA */
    unsigned x, y, z;
};

/* A line of a kernel's source. */
struct sim_place {
    const char *file;
    int line; /* 0: unknown */
};

#endif

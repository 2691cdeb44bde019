/* Small types of the simulator, for C and C++. */
#pragma once

struct uint3 { /* as in CUDA */
    unsigned x, y, z;
};

/* A line of a kernel's source. */
struct sim_place {
    const char *file;
    int line; /* 0: unknown */
};

/* A line of a kernel's source. */
#ifndef RUNGBENCH_SIM_PLACE_H
#define RUNGBENCH_SIM_PLACE_H

struct sim_place {
    const char *file;
    int line; /* 0: unknown */
};

#endif

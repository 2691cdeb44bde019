/* uint3 of CUDA, for C and C++. */
#ifndef RUNGBENCH_SIM_INDEX_H
#define RUNGBENCH_SIM_INDEX_H

struct uint3 {
    unsigned x, y, z;
};

#endif

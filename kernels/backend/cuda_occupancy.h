/* How many blocks of a kernel a multiprocessor holds, and why not more: the calculator of the CUDA toolkit. */
#pragma once

#include <cuda_occupancy.h>

#include <stdbool.h>
#include <stddef.h>

/* What a launch asks for. */
struct cuda_block {
    int threads, registers; /* registers per thread */
    int barriers;           /* that its threads wait at; 1: __syncthreads() alone */
    size_t static_shared_bytes, dynamic_shared_bytes;
};

struct cuda_occupancy {
    int blocks; /* 0: not one fits */
    double pct; /* of the warps that it can hold */
    const char *limit;
};

/* False: the calculator does not know this GPU. */
bool cuda_occupancy(const cudaOccDeviceProp *device, const struct cuda_block *block, struct cuda_occupancy *occupancy);

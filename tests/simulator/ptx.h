/* What kernels with inline PTX share. */
#pragma once

#include "kernels/launch.h"

#if !defined __CUDA_ARCH__ || defined __CUDA_ARCH_FEAT_SM90_ALL
#define HAS_HOPPER 1
#define IN_PAIRS __cluster_dims__(2, 1, 1)
#else
#define HAS_HOPPER 0
#define IN_PAIRS
#endif

[[maybe_unused]] static __device__ uint32_t shared_of(const void *memory)
{
    return (uint32_t)__cvta_generic_to_shared(memory);
}

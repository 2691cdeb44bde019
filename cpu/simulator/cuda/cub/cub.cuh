/* What kernels use most of CUB (https://nvidia.github.io/cccl/cub): of warps and of blocks, in the same words. A result
 * that CUB gives to the first thread alone, other threads do not have here either. */
#pragma once

#include "simt_cub_block.h"
#include "simt_cub_warp.h"

/* Numbers of 16 bits: bfloat16, the upper half of a float. */
#pragma once

#include "simt_small_float.h"

#define SIMT_T __nv_bfloat16
#define SIMT_T2 __nv_bfloat162
#define SIMT_NAME bfloat16
#define SIMT_NAME2 bfloat162
#define SIMT_2 2bfloat162
#define SIMT_FORMAT bf16
#include "simt_small_float_type.h"

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

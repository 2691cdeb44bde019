/* Numbers of 16 bits: FP16. */
#pragma once

#include "simt_small_float.h"

#define SIMT_T __half
#define SIMT_T2 __half2
#define SIMT_NAME half
#define SIMT_NAME2 half2
#define SIMT_2 2half2
#define SIMT_FORMAT fp16
#include "simt_small_float_type.h"

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

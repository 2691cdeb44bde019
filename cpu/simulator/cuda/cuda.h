/* Of the driver's API, the types and what is always asked first. */
#pragma once

#include "cuda_runtime.h"

#define CUDA_VERSION CUDART_VERSION

typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef enum cudaError_enum { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1 } CUresult;

SIMT_RETURNS(CUresult, cuInit, (unsigned), CUDA_SUCCESS)

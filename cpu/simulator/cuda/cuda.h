/* Of the driver's API, the types, what is always asked first, and tensor maps. */
#pragma once

#include "cpu/simulator/sim_tensor.h"
#include "cuda_runtime.h"

#include <cstring>

#define CUDA_VERSION CUDART_VERSION

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef enum cudaError_enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_SUPPORTED = 801
} CUresult;

SIMT_RETURNS(CUresult, cuInit, (unsigned), CUDA_SUCCESS)

inline CUresult cuGetErrorString(CUresult status, const char **text)
{
    *text = cudaGetErrorString(static_cast<cudaError_t>(status));
    return CUDA_SUCCESS;
}

struct alignas(128) CUtensorMap {
    cuuint64_t opaque[16];
};

typedef enum CUtensorMapDataType_enum {
    CU_TENSOR_MAP_DATA_TYPE_UINT8,
    CU_TENSOR_MAP_DATA_TYPE_UINT16,
    CU_TENSOR_MAP_DATA_TYPE_UINT32,
    CU_TENSOR_MAP_DATA_TYPE_INT32,
    CU_TENSOR_MAP_DATA_TYPE_UINT64,
    CU_TENSOR_MAP_DATA_TYPE_INT64,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
    CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ,
    CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B,
    CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B,
    CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B
} CUtensorMapDataType;

typedef enum CUtensorMapInterleave_enum {
    CU_TENSOR_MAP_INTERLEAVE_NONE,
    CU_TENSOR_MAP_INTERLEAVE_16B,
    CU_TENSOR_MAP_INTERLEAVE_32B
} CUtensorMapInterleave;

typedef enum CUtensorMapSwizzle_enum {
    CU_TENSOR_MAP_SWIZZLE_NONE,
    CU_TENSOR_MAP_SWIZZLE_32B,
    CU_TENSOR_MAP_SWIZZLE_64B,
    CU_TENSOR_MAP_SWIZZLE_128B,
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B,
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B,
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B
} CUtensorMapSwizzle;

typedef enum CUtensorMapL2promotion_enum {
    CU_TENSOR_MAP_L2_PROMOTION_NONE,
    CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_256B
} CUtensorMapL2promotion;

typedef enum CUtensorMapFloatOOBfill_enum {
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
} CUtensorMapFloatOOBfill;

inline CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *data,
                                       const cuuint64_t *sizes, const cuuint64_t *strides, const cuuint32_t *box,
                                       const cuuint32_t *steps, CUtensorMapInterleave interleave,
                                       CUtensorMapSwizzle swizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill fill)
{
    const sim_tensor_form form = {type, interleave, swizzle, fill, rank, data, sizes, strides, box, steps};
    return sim_tensor_make(map, &form) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Functions of the driver by their names: those that a program is not linked with. */
typedef enum CUdriverProcAddressQueryResult_enum {
    CU_GET_PROC_ADDRESS_SUCCESS,
    CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND,
    CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
} CUdriverProcAddressQueryResult;
enum cudaDriverEntryPointQueryResult {
    cudaDriverEntryPointSuccess,
    cudaDriverEntryPointSymbolNotFound,
    cudaDriverEntryPointVersionNotSufficent
};
enum { cudaEnableDefault, cudaEnableLegacyStream, cudaEnablePerThreadDefaultStream };

inline CUresult cuGetProcAddress(const char *name, void **function, int, cuuint64_t,
                                 CUdriverProcAddressQueryResult *status)
{
    *function = std::strcmp(name, "cuTensorMapEncodeTiled") == 0 ? reinterpret_cast<void *>(cuTensorMapEncodeTiled)
                : std::strcmp(name, "cuGetProcAddress") == 0     ? reinterpret_cast<void *>(cuGetProcAddress)
                                                                 : nullptr;
    if (status)
        *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

inline cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned, unsigned long long,
                                                    cudaDriverEntryPointQueryResult *status = nullptr)
{
    static char text[128];
    const CUresult found = cuGetProcAddress(name, function, 0, 0, nullptr);
    if (status)
        *status = found == CUDA_SUCCESS ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    snprintf(text, sizeof text, "the simulator has no function %s of the driver", name);
    return found == CUDA_SUCCESS ? cudaSuccess : simt::remember(cudaErrorNotSupported, text);
}

inline cudaError_t cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags,
                                           cudaDriverEntryPointQueryResult *status = nullptr)
{
    return cudaGetDriverEntryPointByVersion(name, function, 0, flags, status);
}

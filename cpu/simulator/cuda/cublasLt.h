/* As much as programs have that can do without it. */
#pragma once

#include "cublas_v2.h"

#include "cuda_bf16.h"
#include "cuda_fp16.h"

enum cublasComputeType_t { CUBLAS_COMPUTE_32F = 68, CUBLAS_COMPUTE_32F_FAST_TF32 = 77 };
typedef struct cublasLtContext *cublasLtHandle_t;

SIMT_RETURNS(cublasStatus_t, cublasLtCreate, (cublasLtHandle_t * handle), (*handle = nullptr, CUBLAS_STATUS_SUCCESS))
SIMT_RETURNS(cublasStatus_t, cublasLtDestroy, (cublasLtHandle_t), CUBLAS_STATUS_SUCCESS)

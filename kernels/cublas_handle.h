/* cuBLAS, as all cublas rungs call it: pointers to scalars on the host. */
#pragma once

#include "bench/table/backend.h"

#include <cublas_v2.h>

#if CUBLAS_VERSION < 120900
#define CUBLAS_FP32_EMULATED_BF16X9_MATH CUBLAS_PEDANTIC_MATH /* cuda_lacks() skips the row that asks for it */
#endif

/* Sets *cublas to the handle of the current device, whose work goes to the stream. `math` is CUBLAS_PEDANTIC_MATH,
 * which forbids all but FP32 arithmetic, CUBLAS_TF32_TENSOR_OP_MATH or CUBLAS_FP32_EMULATED_BF16X9_MATH. NULL, or an
 * error message that is valid until the next call of this file's functions. A setting that the caller changes it puts
 * back. */
const char *cublas_handle(cudaStream_t stream, cublasMath_t math, cublasHandle_t *cublas);

/* NULL, or the message of a call that failed: "cublasSgemm_64: ...". */
const char *cublas_check(const char *call, cublasStatus_t status);
#define TRY_CUBLAS(call, ...) TRY_CALL(cublas_check(#call, call(__VA_ARGS__)))

/* cuBLAS, as all cublas rungs call it: pointers to scalars on the host. */
#pragma once

#include <cublas_v2.h>

/* Sets *cublas to the handle, whose work goes to the stream. `math` is CUBLAS_PEDANTIC_MATH, which forbids all but FP32
 * arithmetic, or CUBLAS_TF32_TENSOR_OP_MATH. NULL, or an error message that is valid until the next
 * call of this file's functions. A setting that the caller changes it puts back. */
const char *cublas_handle(cudaStream_t stream, cublasMath_t math, cublasHandle_t *cublas);

/* The message of a call that failed: "cublasSgemm_64: ...". */
const char *cublas_error(const char *call, cublasStatus_t status);

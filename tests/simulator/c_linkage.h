/* Around what tests in C call of a file in CUDA. */
#pragma once

#ifdef __cplusplus
#define C_BEGIN extern "C" {
#define C_END }
#else
#define C_BEGIN
#define C_END
#endif

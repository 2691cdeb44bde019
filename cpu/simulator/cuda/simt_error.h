/* Errors of the runtime (CUDA Runtime API, "Error Handling"). */
#pragma once

#include "cpu/simulator/sim_launch.h"

/* X(name, number, what cudaGetErrorString() says) */
#define SIMT_ERRORS(X)                                                                                  \
    X(cudaSuccess, 0, "no error")                                                                       \
    X(cudaErrorInvalidValue, 1, "invalid argument")                                                     \
    X(cudaErrorMemoryAllocation, 2, "out of memory")                                                    \
    X(cudaErrorInitializationError, 3, "initialization error")                                          \
    X(cudaErrorCudartUnloading, 4, "driver shutting down")                                              \
    X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                               \
    X(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                                         \
    X(cudaErrorInvalidSymbol, 13, "invalid device symbol")                                              \
    X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                                      \
    X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                         \
    X(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version")  \
    X(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                                    \
    X(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                                     \
    X(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                            \
    X(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid")                               \
    X(cudaErrorNoKernelImageForDevice, 209, "no kernel image is available for execution on the device") \
    X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                                   \
    X(cudaErrorIllegalState, 401, "the operation cannot be performed in the present state")             \
    X(cudaErrorSymbolNotFound, 500, "named symbol not found")                                           \
    X(cudaErrorNotReady, 600, "device not ready")                                                       \
    X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")                         \
    X(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")                    \
    X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")                           \
    X(cudaErrorAssert, 710, "device-side assert triggered")                                             \
    X(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered")                       \
    X(cudaErrorMisalignedAddress, 716, "misaligned address")                                            \
    X(cudaErrorLaunchFailure, 719, "unspecified launch failure")                                        \
    X(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")                 \
    X(cudaErrorNotPermitted, 800, "operation not permitted")                                            \
    X(cudaErrorNotSupported, 801, "operation not supported")                                            \
    X(cudaErrorUnknown, 999, "unknown error")

enum cudaError {
#define SIMT_ERROR_NUMBER(name, number, text) name = number,
    SIMT_ERRORS(SIMT_ERROR_NUMBER)
};
typedef enum cudaError cudaError_t;

namespace simt
{
/* Of the last call that failed; `said` is what is wrong, if it is more than the error's text. */
struct failure {
    cudaError_t status;
    const char *said;
};
inline failure last, last_said;

inline cudaError_t remember(cudaError_t status, const char *said)
{
    last = last_said = {status, said};
    return status;
}
} // namespace simt

/* A function that never fails. */
#define SIMT_GIVES(name, parameters, ...) \
    inline cudaError_t name parameters    \
    {                                     \
        __VA_ARGS__;                      \
        return cudaSuccess;               \
    }

inline cudaError_t cudaPeekAtLastError()
{
    const char *said = sim_launch_error();
    return said ? simt::remember(cudaErrorLaunchFailure, said) : simt::last.status;
}

inline cudaError_t cudaGetLastError()
{
    const cudaError_t status = cudaPeekAtLastError();
    simt::last = {};
    return status;
}

inline const char *cudaGetErrorString(cudaError_t status)
{
    if (status != cudaSuccess && simt::last_said.status == status && simt::last_said.said)
        return simt::last_said.said;
    switch (status) {
#define SIMT_ERROR_TEXT(name, number, text) \
    case name: return text;
        SIMT_ERRORS(SIMT_ERROR_TEXT)
    }
    return "unrecognized error code";
}

inline const char *cudaGetErrorName(cudaError_t status)
{
    switch (status) {
#define SIMT_ERROR_NAME(name, number, text) \
    case name: return #name;
        SIMT_ERRORS(SIMT_ERROR_NAME)
    }
    return "unrecognized error code";
}

/* Streams and events (CUDA Runtime API). What is asked for is done before the call returns, so there is nothing to wait
 * for; an event is when it was recorded, by the host's clock. */
#pragma once

#include "simt_launch.h"
#include "simt_plain.h"

#include <time.h>

struct CUstream_st {
    unsigned flags;
    int priority;
};

struct CUevent_st {
    timespec when;
    bool is_recorded;
};
typedef struct CUevent_st *cudaEvent_t;

enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };
enum { cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2, cudaEventInterprocess = 4 };
enum { cudaEventRecordDefault = 0, cudaEventWaitDefault = 0 };

#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)

SIMT_PLAIN
SIMT_GIVES(cudaStreamCreateWithPriority, (cudaStream_t * stream, unsigned flags, int priority),
           *stream = new CUstream_st{flags, priority})
SIMT_RETURNS(cudaError_t, cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned flags),
             cudaStreamCreateWithPriority(stream, flags, 0))
SIMT_RETURNS(cudaError_t, cudaStreamCreate, (cudaStream_t * stream),
             cudaStreamCreateWithFlags(stream, cudaStreamDefault))
SIMT_GIVES(cudaStreamDestroy, (cudaStream_t stream), delete stream)
SIMT_RETURNS(cudaError_t, cudaStreamSynchronize, (cudaStream_t), simt::synchronized())
SIMT_RETURNS(cudaError_t, cudaStreamQuery, (cudaStream_t), cudaPeekAtLastError())
SIMT_RETURNS(cudaError_t, cudaStreamWaitEvent, (cudaStream_t, cudaEvent_t, unsigned = cudaEventWaitDefault),
             cudaSuccess)
SIMT_GIVES(cudaDeviceGetStreamPriorityRange, (int *least, int *greatest), *least = *greatest = 0)

#define CUDART_CB
typedef void (*cudaHostFn_t)(void *data);
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *data);
SIMT_GIVES(cudaLaunchHostFunc, (cudaStream_t, cudaHostFn_t function, void *data), function(data))
SIMT_GIVES(cudaStreamAddCallback, (cudaStream_t stream, cudaStreamCallback_t function, void *data, unsigned),
           function(stream, cudaPeekAtLastError(), data))

SIMT_GIVES(cudaEventCreateWithFlags, (cudaEvent_t * event, unsigned), *event = new CUevent_st{})
SIMT_GIVES(cudaEventDestroy, (cudaEvent_t event), delete event)
SIMT_RETURNS(cudaError_t, cudaEventCreate, (cudaEvent_t * event, unsigned flags = cudaEventDefault),
             cudaEventCreateWithFlags(event, flags))

inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t = nullptr)
{
    clock_gettime(CLOCK_MONOTONIC, &event->when);
    event->is_recorded = true;
    return cudaSuccess;
}

SIMT_RETURNS(cudaError_t, cudaEventSynchronize, (cudaEvent_t), simt::synchronized())
SIMT_RETURNS(cudaError_t, cudaEventQuery, (cudaEvent_t), cudaPeekAtLastError())

inline cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    if (!start->is_recorded || !end->is_recorded)
        return simt::remember(cudaErrorInvalidResourceHandle, "cudaEventElapsedTime: an event was not recorded");
    *ms = (float)(end->when.tv_sec - start->when.tv_sec) * 1e3f +
          (float)(end->when.tv_nsec - start->when.tv_nsec) * 1e-6f;
    return cudaSuccess;
}

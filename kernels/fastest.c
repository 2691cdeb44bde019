#include "fastest.h"

#include <math.h>
#include <stdbool.h>

struct timer {
    cudaStream_t stream;
    cudaEvent_t start, end;
    fastest_call *call;
    const void *self;
};

static void forget_timer(const struct timer *timer)
{
    if (timer->end)
        (void)cudaEventDestroy(timer->end);
    if (timer->start)
        (void)cudaEventDestroy(timer->start);
    if (timer->stream)
        (void)cudaStreamDestroy(timer->stream);
    (void)cudaGetLastError(); /* so that no later call reports it again */
}

/* Milliseconds between the two events, around a launch of the graph, or a plain call; INFINITY: it does not run. */
static float time_once(const struct timer *timer, int i, cudaGraphExec_t graph)
{
    float ms;
    bool ok = cudaEventRecord(timer->start, timer->stream) == cudaSuccess;
    ok = ok &&
         (graph ? cudaGraphLaunch(graph, timer->stream) == cudaSuccess : !timer->call(timer->self, i, timer->stream));
    ok = ok && cudaEventRecord(timer->end, timer->stream) == cudaSuccess &&
         cudaEventSynchronize(timer->end) == cudaSuccess &&
         cudaEventElapsedTime(&ms, timer->start, timer->end) == cudaSuccess;
    (void)cudaGetLastError(); /* so that no later call reports it again */
    return ok ? ms : INFINITY;
}

/* Milliseconds per call, of so many one behind the other: from a graph, since the host is slower than short kernels. */
static float time_calls(const struct timer *timer, int i, int calls)
{
    enum { TURNS = 4 }; /* the first is slow */
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    float least = INFINITY;
    bool ok = cudaStreamBeginCapture(timer->stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess;
    for (int call = 0; call < calls && ok; call++)
        ok = !timer->call(timer->self, i, timer->stream);
    ok = cudaStreamEndCapture(timer->stream, &graph) == cudaSuccess && ok &&
         cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess;
    for (int turn = 0; turn < TURNS && ok; turn++)
        least = fminf(least, time_once(timer, i, exec));
    if (exec)
        (void)cudaGraphExecDestroy(exec);
    if (graph)
        (void)cudaGraphDestroy(graph);
    (void)cudaGetLastError();
    return least / (float)calls;
}

static int find_fastest(const struct timer *timer, int count)
{
    enum { CALLS = 8 };
    const float long_ms = 1;
    float best = INFINITY;
    int fastest = 0;
    for (int i = 0; i < count; i++) {
        (void)time_once(timer, i, NULL); /* which loads its code */
        const float once = time_once(timer, i, NULL);
        const float ms = isinf(once) ? once : time_calls(timer, i, once < long_ms ? CALLS : 1);
        fastest = ms < best ? i : fastest;
        best = fminf(best, ms);
    }
    return fastest;
}

int fastest_of(int count, fastest_call *call, const void *self, cudaStream_t callers)
{
    struct timer timer = {.call = call, .self = self};
    enum cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    int fastest = 0;
    (void)cudaStreamIsCapturing(callers, &capture);
    if (count < 2 || capture != cudaStreamCaptureStatusNone)
        return 0;
    if (cudaStreamCreateWithFlags(&timer.stream, cudaStreamNonBlocking) == cudaSuccess &&
        cudaEventCreate(&timer.start) == cudaSuccess && cudaEventCreate(&timer.end) == cudaSuccess)
        fastest = find_fastest(&timer, count);
    forget_timer(&timer);
    return fastest;
}

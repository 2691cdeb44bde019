/* Which of several ways is fastest, on a pretended GPU whose time passes with the calls. */
#include "kernels/fastest.h"
#include "tests/unit.h"

enum { WAYS = 4 };
static float cost[WAYS]; /* NAN: it does not run */
static float now;        /* ms */
static bool is_callers_captured, is_captured, has_run[WAYS];
static float captured, at[2];
static int calls, graphs;

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    assert_null(stream); /* the caller's */
    *status = is_callers_captured ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    assert_int_equal(flags, cudaStreamNonBlocking);
    *stream = (cudaStream_t)&now;
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    static int next;
    *event = (cudaEvent_t)&at[next++ % 2];
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    assert_ptr_equal(stream, &now);
    *(float *)event = now;
    return cudaSuccess;
}

RUNTIME(cudaGetLastError, (void), (void)0)
RUNTIME(cudaStreamDestroy, (cudaStream_t stream), (void)0)
RUNTIME(cudaEventDestroy, (cudaEvent_t event), (void)0)
RUNTIME(cudaEventSynchronize, (cudaEvent_t event), (void)0)
RUNTIME(cudaEventElapsedTime, (float *ms, cudaEvent_t start, cudaEvent_t end),
        *ms = *(const float *)end - *(const float *)start)
RUNTIME(cudaStreamBeginCapture, (cudaStream_t stream, enum cudaStreamCaptureMode mode), is_captured = true,
        captured = 0)
RUNTIME(cudaStreamEndCapture, (cudaStream_t stream, cudaGraph_t *graph), is_captured = false, graphs++,
        *graph = (cudaGraph_t)&captured)
RUNTIME(cudaGraphInstantiate, (cudaGraphExec_t * exec, cudaGraph_t graph, unsigned long long flags),
        *exec = (cudaGraphExec_t)&captured)
RUNTIME(cudaGraphLaunch, (cudaGraphExec_t exec, cudaStream_t stream), now += captured)
RUNTIME(cudaGraphExecDestroy, (cudaGraphExec_t exec), graphs--)
RUNTIME(cudaGraphDestroy, (cudaGraph_t graph), (void)0)

/* The host queues slowly, and a first call loads code. */
static const char *call(const void *self, int i, cudaStream_t stream)
{
    assert_ptr_equal(self, cost);
    assert_ptr_equal(stream, &now);
    calls++;
    if (isnan(cost[i]))
        return "not made for this";
    if (is_captured)
        captured += cost[i];
    else
        now += fmaxf(has_run[i] ? cost[i] : 100, 0.01f);
    has_run[i] = true;
    return NULL;
}

static int choose(const float costs[WAYS], int count)
{
    memcpy(cost, costs, sizeof cost);
    memset(has_run, 0, sizeof has_run);
    calls = 0;
    const int fastest = fastest_of(count, call, cost, NULL);
    assert_int_equal(graphs, 0);
    return fastest;
}

TEST(the_fastest_that_runs_is_chosen_however_fast_the_host)
{
    assert_int_equal(choose((float[]){3e-3f, 1e-3f, 2e-3f, 4e-3f}, WAYS), 1);
    assert_int_equal(choose((float[]){3e-3f, NAN, 2e-3f, 1e-3f}, WAYS), 3);
    assert_int_equal(choose((float[]){NAN, NAN, 5, 4}, WAYS), 3);
    assert_int_equal(choose((float[]){2, 2, 3, 3}, WAYS), 0);
    assert_int_equal(choose((float[]){2, 0.9f, 3, 3}, WAYS), 1); /* a call at a time, and several */
    assert_int_equal(choose((float[]){NAN, NAN, NAN, NAN}, WAYS), 0);
}

TEST(a_single_way_is_not_timed_and_nothing_is_while_a_graph_is_made)
{
    assert_int_equal(choose((float[]){2, 1, 1, 1}, 1), 0);
    assert_int_equal(calls, 0);
    is_callers_captured = true;
    assert_int_equal(choose((float[]){2, 1, 1, 1}, WAYS), 0);
    assert_int_equal(calls, 0);
    is_callers_captured = false;
}

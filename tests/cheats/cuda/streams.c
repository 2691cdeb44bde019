/* Cheats that put work where no timer looks, and honest rungs with streams of their own. */
#define _GNU_SOURCE
#include "tests/cheats/cuda/cuda_cheat.h"

#include <pthread.h>
#include <stdbool.h>

/* A stream of a cheat's own, and an event; made in its first call. */
struct side {
    cudaStream_t stream;
    cudaEvent_t start, end;
    bool is_made;
};

static void make(struct side *side)
{
    if (side->is_made)
        return;
    (void)cudaStreamCreateWithFlags(&side->stream, cudaStreamNonBlocking);
    (void)cudaEventCreateWithFlags(&side->start, cudaEventDisableTiming);
    (void)cudaEventCreateWithFlags(&side->end, cudaEventDisableTiming);
    side->is_made = true;
}

/* The side stream waits for what is in the stream now. */
static void fork_from(struct side *side, cudaStream_t stream)
{
    make(side);
    (void)cudaEventRecord(side->start, stream);
    (void)cudaStreamWaitEvent(side->stream, side->start, 0);
}

static void join(struct side *side, cudaStream_t stream)
{
    (void)cudaEventRecord(side->end, side->stream);
    (void)cudaStreamWaitEvent(stream, side->end, 0);
}

HOST_MATMUL(side_stream)
{
    static struct side side;
    make(&side);
    multiply_rows(p, 0, p->m / 2, side.stream);
    multiply_rows(p, p->m / 2, p->m, stream);
}

HOST_MATMUL(side_stream_for_all)
{
    static struct side side;
    (void)stream;
    make(&side);
    multiply(p, side.stream);
}

HOST_MATMUL(side_stream_after_ours)
{
    static struct side side;
    fork_from(&side, stream);
    multiply_rows(p, 0, p->m / 2, side.stream);
    multiply_rows(p, p->m / 2, p->m, stream);
}

HOST_MATMUL(side_stream_for_last_row)
{
    static struct side side;
    fork_from(&side, stream);
    multiply_rows(p, 0, p->m - 1, stream);
    multiply_rows(p, p->m - 1, p->m, side.stream);
}

/* Joined in the next call. */
HOST_MATMUL(side_stream_until_next_call)
{
    static struct side side;
    static bool is_open;
    if (is_open)
        join(&side, stream);
    fork_from(&side, stream);
    multiply_rows(p, 0, p->m / 2, side.stream);
    multiply_rows(p, p->m / 2, p->m, stream);
    is_open = true;
}

static bool is_capturing(cudaStream_t stream)
{
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    (void)cudaStreamIsCapturing(stream, &status);
    return status != cudaStreamCaptureStatusNone;
}

/* Joined where somebody records a graph, and only there. */
HOST_MATMUL(side_stream_unless_recorded)
{
    static struct side side;
    fork_from(&side, stream);
    multiply_rows(p, 0, p->m / 2, side.stream);
    multiply_rows(p, p->m / 2, p->m, stream);
    if (is_capturing(stream))
        join(&side, stream);
}

/* Records half of the work only. */
HOST_MATMUL(half_if_recorded)
{
    multiply_rows(p, 0, is_capturing(stream) ? p->m / 2 : p->m, stream);
}

HOST_MATMUL(nothing_if_recorded)
{
    if (!is_capturing(stream))
        multiply(p, stream);
}

HOST_MATMUL(legacy_stream)
{
    (void)stream;
    multiply(p, cudaStreamLegacy);
}

HOST_MATMUL(thread_stream)
{
    (void)stream;
    multiply(p, cudaStreamPerThread);
}

HOST_MATMUL(waits_for_stream)
{
    multiply(p, stream);
    (void)cudaStreamSynchronize(stream);
}

HOST_MATMUL(waits_for_device)
{
    multiply(p, stream);
    (void)cudaDeviceSynchronize();
}

/* Another thread launches half of the work, when the call is over. */
static struct {
    struct matmul_problem problem;
    struct side side;
} left;

static void *launch_rest(void *unused)
{
    (void)unused;
    multiply(&left.problem, left.side.stream);
    return NULL;
}

HOST_MATMUL(thread_launches_half)
{
    pthread_t thread;
    int64_t half = p->m / 2;
    make(&left.side);
    left.problem = *p;
    left.problem.m = p->m - half;
    left.problem.a += half * p->k;
    left.problem.c += half * p->n;
    multiply_rows(p, 0, half, stream);
    if (pthread_create(&thread, NULL, launch_rest, NULL) == 0)
        pthread_detach(thread);
}

/* The host is told when the stream has come so far, and launches the rest then. */
static void CUDART_CB tell_thread(void *unused)
{
    pthread_t thread;
    (void)unused;
    if (pthread_create(&thread, NULL, launch_rest, NULL) == 0)
        pthread_detach(thread);
}

HOST_MATMUL(host_function_launches_half)
{
    int64_t half = p->m / 2;
    make(&left.side);
    left.problem = *p;
    left.problem.m = p->m - half;
    left.problem.a += half * p->k;
    left.problem.c += half * p->n;
    multiply_rows(p, 0, half, stream);
    (void)cudaLaunchHostFunc(stream, tell_thread, NULL);
}

HOST_MATMUL(honest_side_stream)
{
    static struct side side;
    fork_from(&side, stream);
    multiply_rows(p, 0, p->m / 2, side.stream);
    multiply_rows(p, p->m / 2, p->m, stream);
    join(&side, stream);
}

HOST_MATMUL(honest_side_stream_alone)
{
    static struct side side;
    fork_from(&side, stream);
    multiply(p, side.stream);
    join(&side, stream);
}

/* Its workspace is as old as its first call. */
HOST_MATMUL(honest_workspace)
{
    static void *workspace;
    enum { BYTES = 1 << 20 };
    if (!workspace)
        (void)cudaMalloc(&workspace, BYTES);
    (void)cudaMemsetAsync(workspace, 0, BYTES, stream);
    multiply(p, stream);
}

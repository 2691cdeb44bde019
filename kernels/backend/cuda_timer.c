/* Time on the GPU: CUDA events are the marks. Work that is queued behind a hold does not start until the host has
 * queued all of it. */
#include "cuda_parts.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

static cudaEvent_t marks[BACKEND_MARKS];
static uint64_t holds; /* the number of the latest hold */

const char *cuda_mark(int index)
{
    assert(index >= 0 && index < BACKEND_MARKS);
    return cuda_check(cudaEventRecord(marks[index], cuda.stream), "cudaEventRecord of mark %d", index);
}

/* CUDA returns milliseconds as a float, which rounds by at most 6e-8 of the time: 0.5 ns at 16 ms, 15 ns at half a
 * second.
 */
const char *cuda_elapsed(int from, int to, double *seconds)
{
    assert(from >= 0 && from < BACKEND_MARKS && to >= 0 && to < BACKEND_MARKS);
    float milliseconds;
    TRY(cudaEventElapsedTime(&milliseconds, marks[from], marks[to]), "cudaEventElapsedTime from mark %d to mark %d",
        from, to);
    *seconds = (double)milliseconds * 1e-3;
    return NULL;
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* All times between events are multiples of the tick. So the tick is the smallest difference between two of many times,
 * if their lengths differ enough. A kernel that spins makes lengths from 0 to 8 us in steps of 31 ns, and jitter does
 * the rest. */
static const char *measure_tick(void)
{
    enum { PAIRS = 256, STEP_NS = 31 };
    const double rounding_s = 0.5e-9;   /* the clock counts nanoseconds; smaller differences come from rounding */
    const double documented_s = 0.5e-6; /* "a resolution of around 0.5 microseconds" */
    double times_s[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        TRY_CALL(cuda_mark(0));
        TRY_CALL(cuda_spin(i * STEP_NS));
        TRY_CALL(cuda_mark(1));
        TRY_CALL(cuda_finish());
        TRY_CALL(cuda_elapsed(0, 1, &times_s[i]));
    }
    qsort(times_s, PAIRS, sizeof times_s[0], compare_doubles);
    cuda.tick_s = INFINITY;
    for (int i = 1; i < PAIRS; i++) {
        double difference_s = times_s[i] - times_s[i - 1];
        if (difference_s > rounding_s)
            cuda.tick_s = fmin(cuda.tick_s, difference_s);
    }
    if (isinf(cuda.tick_s))
        cuda.tick_s = documented_s;
    return NULL;
}

const char *cuda_open_timer(void)
{
    for (int i = 0; i < BACKEND_MARKS; i++)
        TRY(cudaEventCreateWithFlags(&marks[i], cudaEventDefault), "cudaEventCreateWithFlags");
    return measure_tick();
}

void cuda_close_timer(void)
{
    for (int i = 0; i < BACKEND_MARKS; i++) {
        if (marks[i])
            (void)cudaEventDestroy(marks[i]);
        marks[i] = NULL;
    }
}

const char *cuda_hold(void)
{
    holds++;
    return cuda_queue_hold(holds);
}

/* Reads `lapsed`, then releases. While `lapsed` is not set, no held work has started (see hold_kernel), so all of it
 * was queued in time. A hold that lapses between the two steps does no harm. */
const char *cuda_let_go(bool *lapsed)
{
    *lapsed = cuda.board->lapsed > cuda.board->released;
    atomic_thread_fence(memory_order_seq_cst);
    cuda.board->released = holds;
    return NULL;
}

void cuda_end_holds(void)
{
    if (cuda.board)
        cuda.board->released = holds;
}

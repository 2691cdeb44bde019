/* Time on the GPU: CUDA events as marks, their tick, and a kernel of known length. */
#include "cuda_parts.h"

#include <assert.h>
#include <stdlib.h>

static cudaEvent_t marks[BACKEND_MARKS];
static double tick_s;

const char *cuda_mark(int index)
{
    assert(index >= 0 && index < BACKEND_MARKS);
    return cuda_check(cudaEventRecord(marks[index], cuda.stream), "cudaEventRecord of mark %d", index);
}

/* CUDA gives milliseconds as a float of 24 bits: rounded by 0.5 ns at 16 ms, by 15 ns at half a second, and never by
 * more than 6e-8 of the time. */
const char *cuda_elapsed(int from, int to, double *seconds)
{
    assert(from >= 0 && from < BACKEND_MARKS && to >= 0 && to < BACKEND_MARKS);
    float milliseconds;
    TRY(cudaEventElapsedTime(&milliseconds, marks[from], marks[to]), "cudaEventElapsedTime from mark %d to mark %d",
        from, to);
    *seconds = (double)milliseconds * 1e-3;
    return NULL;
}

const char *cuda_spin(int64_t nanoseconds)
{
    return cuda_check(cuda_queue_spin(nanoseconds, cuda.stream), "launch of the kernel that spins");
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The tick: times of many pairs of events are all multiples of it, so it is the smallest difference between two
 * distinct ones, once they are of enough different lengths. A kernel that spins makes them so, from nothing to some
 * 8 us in steps of 31 ns, and the host's own jitter does the rest. */
static const char *measure_tick(void)
{
    enum { PAIRS = 256, STEP_NS = 31 };
    const double rounding_s = 0.5e-9;   /* the clock counts nanoseconds: less is rounding of the float */
    const double documented_s = 0.5e-6; /* "a resolution of around 0.5 microseconds" */
    double times_s[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        const char *error = cuda_mark(0);
        if (!error)
            error = cuda_spin(i * STEP_NS);
        if (!error)
            error = cuda_mark(1);
        if (!error)
            error = cuda_finish();
        if (!error)
            error = cuda_elapsed(0, 1, &times_s[i]);
        if (error)
            return error;
    }
    qsort(times_s, PAIRS, sizeof times_s[0], compare_doubles);
    tick_s = 0;
    for (int i = 1; i < PAIRS; i++) {
        double difference_s = times_s[i] - times_s[i - 1];
        if (difference_s > rounding_s && (tick_s == 0 || difference_s < tick_s))
            tick_s = difference_s;
    }
    if (tick_s == 0)
        tick_s = documented_s;
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

double cuda_tick(void)
{
    return tick_s;
}

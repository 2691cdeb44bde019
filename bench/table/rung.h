/* The vocabulary that every rung shares with the harness. cpu/ and kernels/ include this file, backend.h and the
 * operations' headers, and nothing else of bench/. */
#ifndef RUNGBENCH_RUNG_H
#define RUNGBENCH_RUNG_H

#ifdef __cplusplus
extern "C" {
#endif

/* One call of a rung.
 *
 * problem  the operation's problem struct (struct matmul_problem, struct grayscale_problem): sizes, and pointers into
 *          the memory of the rung's backend. Read only; its inputs may not be written.
 * stream   the backend's stream (a cudaStream_t for CUDA, NULL for the CPU). All work goes there, in order; a GPU rung
 *          only queues it and may not wait for it.
 *
 * Returns NULL, or a text that says what went wrong (a failed launch, say), valid until the rung's next call. Handles
 * and workspaces may be made in the first call, which is never timed. */
typedef const char *rung_function(const void *problem, void *stream);

/* The arithmetic that a rung promises; its answers are held to the unit roundoff of that format. */
enum precision {
    PRECISION_FP32, /* IEEE binary32, u = 2^-24 */
    PRECISION_TF32, /* 10 fraction bits in the factors, u = 2^-11; never called best */
    PRECISION_U8,   /* exact integers */
};

enum rung_traits {
    RUNG_BASELINE = 1 << 0,  /* a speed-up may be divided by it; the first that can serve a workload does */
    RUNG_SLOW = 1 << 1,      /* skipped above FEASIBLE_SLOW_FLOP_LIMIT operations */
    RUNG_LIBRARY = 1 << 2,   /* somebody else's code, to compare with */
    RUNG_UNORDERED = 1 << 3, /* sums in an order that may change from call to call (atomics) */
    RUNG_HOPPER = 1 << 4,    /* needs a GPU of compute capability 9.0 or more: kernels/hopper.h */
};

#define BACKEND(name, requires, separate_memory, simulates, label)
#define OP(name)
#define RUNG(op, variant, backend, requires, precision, traits, summary) rung_function op##_##variant;
#include "rungs.def"
#undef BACKEND
#undef OP
#undef RUNG

#ifdef __cplusplus
}
#endif

#endif

/* The interface of a rung. What else of bench/ cpu/ and kernels/ may include, tests/table/test_layers.sh says. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of a size, where the operation's header says nothing else. Products of two may exceed 2^32. */
#define RUNG_SIZE_MAX (INT64_C(1) << 30)

#ifdef __cplusplus
extern "C" {
#endif

/* Runs a rung once.
 *
 * problem  the operation's problem struct (struct matmul_problem, struct grayscale_problem): sizes, and pointers into
 *          the backend's memory. Read only, and so are the inputs that it points to. Sizes are at least 1. Arrays are
 *          row-major without padding, do not overlap, and are aligned as their elements are, no more.
 * stream   the backend's stream (a cudaStream_t for CUDA, NULL for the CPU). All work goes there. A GPU rung queues its
 *          work and must not wait for it.
 *
 * Returns NULL, or an error message (a failed launch, for example) that is valid until the rung's next call.
 *
 * Each call does all of its work, and all of it is done when it returns, or when the work that it queued is. Inputs
 * change between calls at the same addresses, and outputs hold anything. What may be kept from call to call: handles,
 * plans and workspaces, which may be created in a problem's first call (it is never timed; to choose a plan that call
 * may run some on a stream of its own, and wait for them), and threads that sleep. Not: what was computed from inputs,
 * packed operands included. Settings of the process and the device stay as they are. */
typedef const char *rung_function(const void *problem, void *stream);

/* Runs another rung of the table, where the calling rung's own kernel is not made for the problem, and returns what
 * that rung returns. A rung calls no rung but so, and as rung_run_part() does: the row then says whose kernel it ran
 * (column runs_as) and does not count as a result of its own. A kernel names the other kernel's CUDA rung; in its
 * simulated twin that name means the other's twin. */
const char *rung_hand_over(rung_function *other, const void *problem, void *stream);

/* Whether the open device can run that rung of the table, and it has none of these traits. */
bool rung_runs_here(rung_function *rung, unsigned without);

/* Runs a rung of another operation as a part of this one, and returns what it returns. The row stays this rung's own,
 * whatever the part hands over to. Names of kernels mean twins as above. */
const char *rung_run_part(rung_function *part, const void *problem, void *stream);

/* What a rung says it chose for this shape, or the library that serves it, in words that stay until it chooses again:
 * column `choice`. */
void rung_chose(const char *choice);

/* What calls a library says of itself: its kernel runs, as in the rung of that variant. */
void rung_runs_library(const char *variant);

/* The arithmetic that a rung promises. Its answers are checked with the unit roundoff u of that format. */
enum precision {
    PRECISION_FP32, /* IEEE binary32, u = 2^-24 */
    PRECISION_TF32, /* factors with 10 fraction bits, u = 2^-11; never listed as the best rung */
    PRECISION_U8,   /* exact integers */
    /* Of operations of the user's own, by their output: */
    PRECISION_FP16,
    PRECISION_BF16,
    PRECISION_FP64,
    PRECISION_INT, /* exact integers with a sign */
};

enum rung_traits {
    RUNG_BASELINE = 1 << 0,  /* may be the baseline of speed-ups: the first such rung that fits the workload is */
    RUNG_SLOW = 1 << 1,      /* skipped above FEASIBLE_SLOW_FLOP_LIMIT operations */
    RUNG_LIBRARY = 1 << 2,   /* a vendor's or other library, to compare with */
    RUNG_UNORDERED = 1 << 3, /* the order of summation may change between calls (atomics) */
    RUNG_HOPPER = 1 << 4,    /* needs a GPU of compute capability 9.0 or higher: kernels/matmul/hopper.h */
    /* Our fastest rung on a GPU on short, or long, workloads of which suite gate times few rungs. */
    RUNG_LEADS_SHORT = 1 << 5,
    RUNG_LEADS_LONG = 1 << 6,
    RUNG_INT_SIZES = 1 << 7, /* takes sizes as int: runs no problem with a buffer of 2^31 elements or more */
    /* Multiplies on tensor cores, kernels/mma.h, and needs a GPU of compute capability 8.0 or higher. Each
       multiplication takes one product in TF32, or three, in TF32 or in FP16: the ceiling that judges the row. */
    RUNG_TF32 = 1 << 8,
    RUNG_TF32X3 = 1 << 9,
    RUNG_FP16X3 = 1 << 10,
    RUNG_WGMMA = 1 << 11, /* needs the tensor core instructions that only compute capability 9.0 has: kernels/wgmma.h */
    RUNG_ADDS_OUTPUT = 1 << 13, /* of the user's own: adds beta times the output, with beta = 0: it holds numbers */
    RUNG_COMPARED = 1 << 12,    /* shown beside kernels of the user's own: our best for some size, or any */
    RUNG_OPENBLAS = 1 << 14,    /* calls OpenBLAS, of which the backend has notes */
    /* Calls a library that is opened for it: cpu/backend/opened_blas.h. */
    RUNG_MKL = 1 << 15,
    RUNG_BLIS = 1 << 16,
    RUNG_ONEDNN = 1 << 17,
    /* Hands over to the rung that should be the fastest, always the same for a shape: the row ranks as its own, with
       that rung in column `choice`. */
    RUNG_AUTO = 1 << 20,
    RUNG_CHOOSES = 1 << 18, /* by timing: another process may run another kernel, with sums in another order */
    RUNG_BF16X9 = 1 << 19,  /* cuBLAS multiplies FP32 by nine products in BF16, on a GPU that is made for that */
    RUNG_STEP = 1 << 21,    /* of a ladder, between its first and its best: brief suites leave it out */
    RUNG_GPUS = 1 << 22, /* several GPUs work on the problem; beside one in suite scaling alone, and of sizes that are
                            asked for */
};

#define RUNG(op, variant, backend, requires, precision, traits, summary) rung_function op##_##variant;
#include "rungs.def"

#ifdef __cplusplus
}
#endif

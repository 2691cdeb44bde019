/* Kernels that use what rungs use, each rightly, and what they answer: on a GPU and in the simulator, in every order.
 */
#pragma once

#include <stdint.h>

enum { RIGHT_INPUT = 4096 }; /* words */

/* X(name, words of output) */
#define RIGHT_KERNELS(X)     \
    X(indices, 720)          \
    X(shared_arrays, 576)    \
    X(dynamic_shared, 240)   \
    X(templates, 10)         \
    X(barriers, 400)         \
    X(half_warps, 64)        \
    X(votes, 320)            \
    X(early_exit, 123)       \
    X(lanes_in_space, 400)   \
    X(tensor_cores, 640)     \
    X(shuffles_4, 768)       \
    X(shuffles_8, 1536)      \
    X(shuffles_float, 768)   \
    X(shuffles_double, 1536) \
    X(atomics, 332)          \
    X(alignment, 60)         \
    X(vectors, 224)          \
    X(hints, 320)            \
    X(arithmetic, 448)       \
    X(copies, 704)           \
    X(pipeline, 64)          \
    X(zero_filled, 192)      \
    X(constants, 64)         \
    X(language, 128)         \
    X(early, 128)

#ifdef __cplusplus
/* Launches the kernel of that name on the stream. */
#define RIGHT(name, grid, block, shared)                                      \
    const char *right_##name(const uint32_t *in, uint32_t *out, void *stream) \
    {                                                                         \
        LAUNCH(name, grid, block, shared, (cudaStream_t)stream, in, out);     \
        return launch_error(__func__);                                        \
    }
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The launchers write all words of the output; expect_...() say which. */
#define RIGHT_KERNEL(name, words)                                              \
    const char *right_##name(const uint32_t *in, uint32_t *out, void *stream); \
    void expect_##name(const uint32_t *in, uint32_t *out);
RIGHT_KERNELS(RIGHT_KERNEL)
#undef RIGHT_KERNEL

#ifdef __cplusplus
}
#endif

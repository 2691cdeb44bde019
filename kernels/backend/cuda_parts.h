/* What the files of the CUDA backend share. A function that implements one of struct backend has its name, after cuda_,
 * and is described there. */
#pragma once

#include "bench/table/backend.h"
#include "cuda_kernels.h"

#include <cuda_runtime_api.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The GPU that is open. */
struct cuda_gpu {
    int device;
    int multiprocessors;
    int capability;   /* compute capability times 10: 90 */
    int compiled_for; /* the compute capability of the compiled kernels times 10; may be lower */
    bool has_wgmma;   /* the compiled kernels have Hopper's instructions for tensor cores */
    size_t l2_bytes;
    cudaStream_t stream;          /* what is measured */
    cudaGraph_t graph;            /* that was recorded; NULL: none */
    cudaStream_t side_stream;     /* for peek(), which does not wait for the other */
    struct cuda_board *board;     /* as the host sees it */
    struct cuda_board *gpu_board; /* as the GPU sees it */
    struct cuda_scratch *scratch; /* in the memory of the GPU */
};
extern struct cuda_gpu cuda;

/* cuda_error.c: NULL, or the text "what was done: what CUDA says". Clears CUDA's last error, so that finish() or a
 * launch does not report it again. */
__attribute__((format(printf, 2, 3))) const char *cuda_check(cudaError_t status, const char *format, ...);
__attribute__((format(printf, 1, 2))) const char *cuda_error(const char *format, ...);

#define TRY(...)                                         \
    do {                                                 \
        const char *try_error = cuda_check(__VA_ARGS__); \
        if (try_error)                                   \
            return try_error;                            \
    } while (0)

/* cuda_device.c */
int cuda_device_count(void);
const char *cuda_choose_device(int wanted); /* also makes the context */
void cuda_leave_device(void);
void cuda_describe(struct device_info *info);
const char *cuda_lacks(unsigned traits);
int cuda_other_processes(void); /* which use the device; -1: unknown */

/* cuda_gpu.c */
const char *cuda_open_gpu(void);
void cuda_close_gpu(void);
void *cuda_stream(void);
const char *cuda_upload(void *memory, const void *host, size_t bytes);
const char *cuda_download(void *host, const void *memory, size_t bytes);
const char *cuda_noise(void *memory, size_t bytes, uint64_t seed);
const char *cuda_rotate(void *to, const void *from, const struct rotation *rotation);
const char *cuda_peek(void *host, const void *memory, size_t bytes);
const char *cuda_finish(void);

/* cuda_memory.c */
void cuda_open_memory(bool plain);
void cuda_close_memory(void);
size_t cuda_free_memory(void);
size_t cuda_held_memory(void);
enum { CUDA_LEAK_CALLS = 4608 }; /* cudaMalloc() cuts pages of 2 MiB into pieces of 512 bytes: 4096 of them */
size_t cuda_guard_page(enum edge edge);
const char *cuda_allocate(size_t bytes, enum edge edge, void **memory);
void cuda_release(void *memory);
const char *cuda_pin(void *host, size_t bytes);
void cuda_unpin(void *host);

/* cuda_guarded_memory.c: blocks between addresses where no memory is, so that a kernel's access outside of them fails.
 * cuda_guarded_page(): the size of their pages; 0: this GPU, or its driver, cannot have them. */
void cuda_open_guarded(void);
void cuda_close_guarded(void);
size_t cuda_guarded_page(void);
const char *cuda_guarded_allocate(size_t bytes, enum edge edge, void **memory);
bool cuda_guarded_release(void *memory); /* false: it is another block */
void cuda_freeze(void *memory, bool read_only);

/* cuda_hold.c */
const char *cuda_hold(void);
const char *cuda_let_go(bool *lapsed);
const char *cuda_open_hold(void); /* after the board is made */
void cuda_end_holds(void);

/* cuda_timer.c */
const char *cuda_open_timer(void);
void cuda_close_timer(void);
const char *cuda_mark(int index);
const char *cuda_elapsed(int from, int to, double *seconds);
double cuda_tick(void);
const char *cuda_spin(int64_t nanoseconds);

/* cuda_state.c */
const char *cuda_open_state(void);
void cuda_read_state(struct device_state *state, bool brief);

/* cuda_put_back.c */
const char *cuda_open_put_back(void);
const char *cuda_put_back(void);

/* cuda_graph.c */
const char *cuda_graph_begin(void);
const char *cuda_graph_end(void);
const char *cuda_graph_queue(void);
void cuda_graph_drop(void);

/* cuda_launches.c */
void cuda_graph_launches(struct kernel_launches *launches);

/* cuda_ceilings.c */
const char *cuda_seed(void *memory, size_t bytes);
int cuda_ceiling_variants(enum ceiling_kind kind);
const char *cuda_ceiling(enum ceiling_kind kind, int variant, void *memory, double amount);

/* cuda_evict.c */
const char *cuda_open_evict(void);
void cuda_close_evict(void);
const char *cuda_evict(const struct span *spans, size_t count, bool by_writing);

/* cuda_profiler.c */
void cuda_range_begin(const char *name);
void cuda_range_end(void);
const char *cuda_profile_begin(void);
const char *cuda_profile_end(void);

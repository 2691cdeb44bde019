/* What the files of the CUDA backend share. A function that implements one of struct backend has its name, after cuda_,
 * and is described there. */
#pragma once

#include "bench/table/backend.h"
#include "bench/data/made.h"

#include <cuda_runtime_api.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Pinned host memory that host and GPU both see. Holds and looks at the clock are numbered 1, 2, 3 ..., so that an old
 * message is never taken for a new one. Each word has one writer. */
struct cuda_board {
    volatile uint64_t released; /* by the host: holds up to this number may end */
    volatile uint64_t lapsed;   /* by the GPU: the last hold that reached its time limit; 0: none */
    volatile uint64_t looked;   /* by the GPU: the last look at the clock, which read these: */
    volatile uint64_t cycles, time_ns;
};

/* Memory of the GPU that only the GPU uses. */
struct cuda_scratch {
    unsigned long long look_taken; /* the last look at the clock that a block has taken on */
    uint32_t sink;                 /* for results that nobody wants; never written */
};

/* Memory of which problems get pieces, one behind the other. The room of a piece is used again if it was the latest
 * one, or when all are given back. */
struct cuda_region {
    char *start; /* NULL: there is none */
    size_t bytes;
    size_t used;
    size_t last;   /* where the latest piece starts, unless it was given back */
    size_t pieces; /* in use */
};

/* A GPU that is open. */
struct cuda_gpu {
    int device;
    int multiprocessors;
    int capability;   /* compute capability times 10: 90 */
    int compiled_for; /* the compute capability of the compiled kernels times 10; may be lower */
    bool has_wgmma;   /* the compiled kernels have Hopper's instructions for tensor cores */
    size_t l2_bytes;
    double tick_s;                /* of struct device_info */
    cudaStream_t stream;          /* what is measured */
    cudaStream_t side_stream;     /* for peek(), which does not wait for the other */
    struct cuda_board *board;     /* at one address for both, as all that cudaHostAlloc() gives on 64-bit systems */
    struct cuda_scratch *scratch; /* in the memory of the GPU */
    struct span evicting;         /* is read, or written, to empty the caches */
    cudaEvent_t marks[BACKEND_MARKS];
    uint64_t holds; /* the number of the latest hold */
};

/* cuda_backend.c */
extern struct cuda_gpu *cuda; /* all functions here are about this one, which is CUDA's current device, too */
const char *cuda_finish(void);
const char *cuda_upload(void *memory, const void *host, size_t bytes);
const char *cuda_download(void *host, const void *memory, size_t bytes);
const char *cuda_peek(void *host, const void *memory, size_t bytes);
const char *cuda_hold(void);
const char *cuda_let_go(bool *lapsed);
const char *cuda_mark(int index);
const char *cuda_elapsed(int from, int to, double *seconds);
const char *cuda_profile(bool starts);

/* Streams, boards, events and what empties caches, once the device is chosen; cuda_close_gpu() also after an error. */
const char *cuda_open_gpu(void);
void cuda_close_gpu(void);

/* NULL, or the text "what was done: what CUDA says". Clears CUDA's last error, so that finish() or a launch does not
 * report it again. */
__attribute__((format(printf, 2, 3))) const char *cuda_check(cudaError_t status, const char *format, ...);
const char *cuda_launched(const char *what); /* the last kernel, which does that */

#define TRY(...) TRY_CALL(cuda_check(__VA_ARGS__))

/* A function of the driver's library, which is looked up when the program runs: a machine without a driver lacks it.
 * NULL: it is not there. */
#define CUDA_DRIVER(name) (__extension__((__typeof__(&name))cuda_driver(#name)))
void *cuda_driver(const char *name);

/* cuda_device.c */
int cuda_device_count(void);
const char *cuda_choose_device(int wanted);                              /* also makes the context */
const char *cuda_read_properties(int device, struct cudaDeviceProp *to); /* also those in `cuda`; makes none */
void cuda_describe(struct device_info *info);
const char *cuda_lacks(unsigned traits);
void cuda_read_state(struct device_state *state, bool brief);
void cuda_open_changed(void);
const char *cuda_changed(void);
void cuda_accept_stack(void); /* a stack that has grown is no rung's change */

/* cuda_memory.c */
void cuda_open_memory(bool plain);
const char *cuda_open_evict(void);
void cuda_close_memory(void);
size_t cuda_free_memory(void);
size_t cuda_held_memory(void);
enum { CUDA_LEAK_CALLS = 4608 }; /* cudaMalloc() cuts pages of 2 MiB into pieces of 512 bytes: 4096 of them */
const char *cuda_allocate(size_t bytes, enum edge edge, void **memory);
void cuda_release(void *memory);
size_t cuda_guard_page(enum edge edge); /* 0, too, where this GPU, or its driver, cannot have them */
void cuda_freeze(void *memory, bool read_only);
const char *cuda_pin(void *host, size_t bytes);
void cuda_unpin(void *host);
const char *cuda_evict(const struct span *spans, size_t count, bool by_writing);

/* cuda_region.c */
/* Aligned to 256 bytes; NULL: there is no room. */
void *cuda_region_take(struct cuda_region *region, size_t bytes);
void cuda_region_give(struct cuda_region *region, const void *piece); /* which is one of it */

/* cuda_graph.c */
extern const struct graphs cuda_graphs;
void cuda_drop_graph(void); /* if there is one */

/* cuda_ceilings.cu
 * cuda_wgmma_usable(): only builds for 9.0a on GPUs of compute capability 9.0 have Hopper's instructions. */
int cuda_ceiling_variants(enum ceiling_kind kind);
const char *cuda_ceiling(enum ceiling_kind kind, int variant, void *memory, double amount);
cudaError_t cuda_wgmma_usable(bool *usable);

/* cuda_kernels.cu
 * cuda_kernels_usable() fails if the device cannot load this code. `compiled_for`: the compute capability of the loaded
 * code times 10, at most the device's. */
cudaError_t cuda_kernels_usable(int *compiled_for);

enum { CUDA_HOLD_LIMIT_NS = 1000000000 };
const char *cuda_queue_hold(uint64_t number);

/* Keeps one thread busy until %globaltimer has advanced by so much. It starts somewhere within a tick of that clock, so
 * it runs up to one tick too short, half a tick on average; reading the clock makes it longer. 0 reads the clock twice,
 * a negative number does not read it. */
const char *cuda_spin(int64_t nanoseconds);

/* Look `number` at the clock of multiprocessor 0. Nothing else may run, or perhaps no block gets onto that one. */
const char *cuda_queue_look(uint64_t number);

const char *cuda_fill(void *memory, size_t bytes, const struct made *made);

/* Ways over memory, by their number. cuda_queue_read() reads memory that is MADE_POSITIVE. `bytes` is a multiple of 16.
 */
enum { CUDA_SWEEPS = 8, CUDA_SWEEP_OF_MUCH = 6 };
const char *cuda_queue_read(int of_sweeps, const void *memory, size_t bytes);
const char *cuda_queue_copy(int of_sweeps, void *to, const void *from, size_t bytes);

#ifdef __cplusplus
}
#endif

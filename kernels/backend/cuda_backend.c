/* The CUDA backend: opens and closes its parts, which are in the files beside this one; its streams, copies, errors and
 * timer; how kernels are compiled for it, and what profilers see. CUDA events are the marks of the timer. Work that is
 * queued behind a hold does not start until the host has queued all of it. */
#include "cuda_nvml.h"
#include "cuda_parts.h"

#include "bench/table/backend.h"

#include <assert.h>
#include <cuda_profiler_api.h>
#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static struct cuda_gpu one;
struct cuda_gpu *cuda = &one;

const char *cuda_check(cudaError_t status, const char *format, ...)
{
    static char text[512];
    if (status == cudaSuccess)
        return NULL;
    (void)cudaGetLastError();
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, ": %s", cudaGetErrorString(status));
    return text;
}

void *cuda_driver(const char *name)
{
    static void *library; /* the runtime has it open: it stays */
    library = library ? library : dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    return library ? dlsym(library, name) : NULL;
}

const char *cuda_launched(const char *what)
{
    return cuda_check(cudaGetLastError(), "launch of the kernel that %s", what);
}

static const char *make_streams(void)
{
    /* Non-blocking: CUDA's default stream and these do not wait for each other. */
    TRY(cudaStreamCreateWithFlags(&cuda->stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    TRY(cudaStreamCreateWithFlags(&cuda->side_stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    return NULL;
}

static const char *make_boards(void)
{
    TRY(cudaHostAlloc((void **)&cuda->board, sizeof *cuda->board, cudaHostAllocMapped), "cudaHostAlloc of the board");
    memset(cuda->board, 0, sizeof *cuda->board);
    TRY(cudaMalloc((void **)&cuda->scratch, sizeof *cuda->scratch), "cudaMalloc of the scratch memory");
    TRY(cudaMemsetAsync(cuda->scratch, 0, sizeof *cuda->scratch, cuda->stream), "fill of the scratch memory");
    return NULL;
}

static void *stream(void)
{
    return cuda->stream;
}

const char *cuda_upload(void *memory, const void *host, size_t bytes)
{
    return cuda_check(cudaMemcpyAsync(memory, host, bytes, cudaMemcpyHostToDevice, cuda->stream), "upload of %zu bytes",
                      bytes);
}

const char *cuda_download(void *host, const void *memory, size_t bytes)
{
    return cuda_check(cudaMemcpyAsync(host, memory, bytes, cudaMemcpyDeviceToHost, cuda->stream),
                      "download of %zu bytes", bytes);
}

const char *cuda_peek(void *host, const void *memory, size_t bytes)
{
    TRY(cudaMemcpyAsync(host, memory, bytes, cudaMemcpyDeviceToHost, cuda->side_stream), "peek at %zu bytes", bytes);
    TRY(cudaStreamSynchronize(cuda->side_stream), "peek at %zu bytes", bytes);
    return NULL;
}

const char *cuda_finish(void)
{
    TRY(cudaStreamSynchronize(cuda->stream), "work on the GPU");
    TRY(cudaGetLastError(), "an earlier CUDA call"); /* such as release(), which cannot report an error itself */
    return NULL;
}

const char *cuda_mark(int index)
{
    assert(index >= 0 && index < BACKEND_MARKS);
    return cuda_check(cudaEventRecord(cuda->marks[index], cuda->stream), "cudaEventRecord of mark %d", index);
}

/* CUDA returns milliseconds as a float, which rounds by at most 6e-8 of the time: 0.5 ns at 16 ms, 15 ns at half a
 * second.
 */
const char *cuda_elapsed(int from, int to, double *seconds)
{
    assert(from >= 0 && from < BACKEND_MARKS && to >= 0 && to < BACKEND_MARKS);
    float milliseconds;
    TRY(cudaEventElapsedTime(&milliseconds, cuda->marks[from], cuda->marks[to]),
        "cudaEventElapsedTime from mark %d to mark %d", from, to);
    *seconds = (double)milliseconds * 1e-3;
    return NULL;
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
    cuda->tick_s = INFINITY;
    for (int i = 0; i < PAIRS; i++) {
        TRY_CALL(cuda_mark(0));
        TRY_CALL(cuda_spin(i * STEP_NS));
        TRY_CALL(cuda_mark(1));
        TRY_CALL(cuda_finish());
        TRY_CALL(cuda_elapsed(0, 1, &times_s[i]));
        for (int j = 0; j < i; j++)
            if (fabs(times_s[i] - times_s[j]) > rounding_s)
                cuda->tick_s = fmin(cuda->tick_s, fabs(times_s[i] - times_s[j]));
    }
    if (isinf(cuda->tick_s))
        cuda->tick_s = documented_s;
    return NULL;
}

const char *cuda_hold(void)
{
    cuda->holds++;
    return cuda_queue_hold(cuda->holds);
}

/* Reads `lapsed`, then releases. While `lapsed` is not set, no held work has started (see hold_kernel), so all of it
 * was queued in time. A hold that lapses between the two steps does no harm. */
const char *cuda_let_go(bool *lapsed)
{
    *lapsed = cuda->board->lapsed > cuda->board->released;
    atomic_thread_fence(memory_order_seq_cst);
    cuda->board->released = cuda->holds;
    return NULL;
}

/* Launches each kernel once. CUDA may load a kernel at its first launch; by then no launch may be held back. */
static const char *try_kernels(void)
{
    TRY_CALL(cuda_queue_hold(0));
    TRY_CALL(cuda_queue_look(0));
    TRY_CALL(cuda_evict(NULL, 0, false));
    for (int kind = 0; kind < CEILING_KINDS; kind++)
        for (int variant = 0; variant < cuda_ceiling_variants((enum ceiling_kind)kind); variant++)
            TRY_CALL(cuda_ceiling((enum ceiling_kind)kind, variant, cuda->scratch, 0));
    return NULL;
}

const char *cuda_open_gpu(void)
{
    TRY_CALL(make_streams());
    TRY_CALL(make_boards());
    TRY_CALL(cuda_open_evict());
    for (int i = 0; i < BACKEND_MARKS; i++)
        TRY(cudaEventCreateWithFlags(&cuda->marks[i], cudaEventDefault), "cudaEventCreateWithFlags");
    TRY_CALL(try_kernels());
    return cuda_finish();
}

/* Frees only what there is: a call of CUDA would make a context. */
void cuda_close_gpu(void)
{
    if (cuda->board)
        cuda->board->released = cuda->holds; /* or the next line would wait until a hold ends by itself */
    if (cuda->stream)
        (void)cudaStreamSynchronize(cuda->stream);
    for (int i = 0; i < BACKEND_MARKS; i++)
        if (cuda->marks[i])
            (void)cudaEventDestroy(cuda->marks[i]);
    if (cuda->evicting.start)
        (void)cudaFree(cuda->evicting.start);
    if (cuda->side_stream)
        (void)cudaStreamDestroy(cuda->side_stream);
    if (cuda->stream)
        (void)cudaStreamDestroy(cuda->stream);
    if (cuda->scratch)
        (void)cudaFree(cuda->scratch);
    if (cuda->board)
        (void)cudaFreeHost(cuda->board);
    (void)cudaGetLastError();
    memset(cuda, 0, sizeof *cuda);
}

/* May follow an open() that failed halfway. */
static void cuda_close(void)
{
    cuda_drop_graph();
    cuda_close_memory();
    cuda_close_gpu();
    cuda_nvml_close();
}

static const char *open_parts(const struct backend_settings *settings)
{
    TRY_CALL(cuda_choose_device(settings->device));
    cuda_open_memory(settings->times_nothing);
    TRY_CALL(cuda_open_gpu());
    cuda_open_changed();
    return measure_tick();
}

static const char *cuda_open(const struct backend_settings *settings)
{
    const char *error = open_parts(settings);
    if (error)
        cuda_close();
    return error;
}

/* Kernels of the user's own in CUDA, compiled by nvcc for the GPU that is there, as the rungs are (FindCuda.cmake). */
static const char *const libraries[] = {"cublas", "cudnn", "cusparse", "cutensor", NULL};
static const char *const suffixes[] = {".cu", ".cuh", NULL};
static const char *const compilers[] = {"nvcc", "$CUDA_HOME/bin/nvcc", "/usr/local/cuda/bin/nvcc", NULL};
static const char *const flags[] = {
    "-x", "cu", "-std=c++17", "-O3", "--fmad=true", "-lineinfo", "-shared", "-Xcompiler=-fPIC", "-Xlinker=-Bsymbolic",
    NULL};

/* Queries that create no context. */
static const char *target(int device)
{
    static char text[64];
    int major = 0, minor = 0, chosen = device < 0 ? 0 : device;
    if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, chosen) != cudaSuccess ||
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, chosen) != cudaSuccess) {
        (void)cudaGetLastError();
        return NULL;
    }
    const char *specific = major >= 9 ? "a" : "";
    snprintf(text, sizeof text, "-gencode=arch=compute_%d%d%s,code=sm_%d%d%s", major, minor, specific, major, minor,
             specific); /* -arch=sm_90a makes PTX as well, which nobody reads */
    return text;
}

static const struct toolchain toolchain = {
    .suffixes = suffixes,
    .libraries = libraries,
    .compilers = compilers,
    .flags = flags,
    .before_solution = "kernels/solution_begin.h",
    .after_solution = "kernels/solution_end.h",
    .adds_streams = true,
    .sign = ".nv_fatbin",
    .target = target,
};

const char *cuda_profile(bool starts)
{
    return starts ? cuda_check(cudaProfilerStart(), "cudaProfilerStart")
                  : cuda_check(cudaProfilerStop(), "cudaProfilerStop");
}

const struct backend cuda_backend = {
    .toolchain = &toolchain,
    .open = cuda_open,
    .close = cuda_close,
    .device_count = cuda_device_count,
    .describe = cuda_describe,
    .free_memory = cuda_free_memory,
    .held_memory = cuda_held_memory,
    .leak_calls = CUDA_LEAK_CALLS,
    .allocate = cuda_allocate,
    .guard_page = cuda_guard_page,
    .freeze = cuda_freeze,
    .release = cuda_release,
    .pin = cuda_pin,
    .unpin = cuda_unpin,
    .lacks = cuda_lacks,
    .stream = stream,
    .upload = cuda_upload,
    .download = cuda_download,
    .fill = cuda_fill,
    .finish = cuda_finish,
    .changed = cuda_changed,
    .evict = cuda_evict,
    .hold = cuda_hold,
    .let_go = cuda_let_go,
    .peek = cuda_peek,
    .mark = cuda_mark,
    .elapsed = cuda_elapsed,
    .read_state = cuda_read_state,
    .graphs = &cuda_graphs,
    .spin = cuda_spin,
    .ceiling_variants = cuda_ceiling_variants,
    .ceiling = cuda_ceiling,
    .profile = cuda_profile,
};

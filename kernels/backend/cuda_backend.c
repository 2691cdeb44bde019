/* The CUDA backend: opens and closes its parts, which are in the files beside this one; how kernels are compiled for
 * it, and what profilers see. */
#include "cuda_nvml.h"
#include "cuda_parts.h"

#include "bench/table/toolchain.h"

#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>
#include <string.h>

/* Launches each kernel once. CUDA may load a kernel at its first launch; by then no launch may be held back. */
static const char *try_kernels(void)
{
    const char *failed = cuda_queue_hold(0);
    failed = failed ? failed : cuda_queue_look(0);
    failed = failed ? failed : cuda_evict(NULL, 0, false);
    if (failed)
        return failed;
    for (int kind = 0; kind < CEILING_KINDS; kind++) {
        for (int variant = 0; variant < cuda_ceiling_variants((enum ceiling_kind)kind); variant++) {
            const char *error = cuda_ceiling((enum ceiling_kind)kind, variant, cuda.scratch, 0);
            if (error)
                return error;
        }
    }
    return NULL;
}

/* May follow an open() that failed halfway. Frees only what there is: a call of CUDA would make a context. */
static void cuda_close(void)
{
    cuda_end_holds(); /* or the next line would wait until a hold ends by itself */
    if (cuda.stream)
        (void)cudaStreamSynchronize(cuda.stream);
    cuda_drop_graph();
    cuda_close_timer();
    cuda_close_memory();
    cuda_close_gpu();
    (void)cudaGetLastError();
    cuda_nvml_close();
    memset(&cuda, 0, sizeof cuda);
}

static const char *cuda_open(const struct backend_settings *settings)
{
    const char *error = cuda_choose_device(settings->device);
    if (!error)
        cuda_open_memory(settings->times_nothing);
    error = error ? error : cuda_open_gpu();
    if (!error)
        cuda_open_changed();
    error = error ? error : cuda_open_evict();
    error = error ? error : try_kernels();
    error = error ? error : cuda_finish();
    error = error ? error : cuda_open_timer();
    if (error)
        cuda_close();
    return error;
}

/* Kernels of the user's own in CUDA, compiled by nvcc for the GPU that is there, as the rungs are (FindCuda.cmake). */
static const char *const compilers[] = {"nvcc", "$CUDA_HOME/bin/nvcc", "/usr/local/cuda/bin/nvcc", NULL};
static const char *const flags[] = {
    "-std=c++17", "-O3", "--fmad=true", "-lineinfo", "-shared", "-Xcompiler=-fPIC", "-Xlinker=-Bsymbolic", NULL};

/* Queries that create no context. */
static const char *target(int device)
{
    static char text[32];
    int count = 0, major = 0, minor = 0;
    int chosen = device < 0 ? 0 : device;
    if (cudaGetDeviceCount(&count) != cudaSuccess || chosen >= count ||
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, chosen) != cudaSuccess ||
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, chosen) != cudaSuccess) {
        (void)cudaGetLastError();
        return NULL;
    }
    snprintf(text, sizeof text, "-arch=sm_%d%d%s", major, minor, major >= 9 ? "a" : "");
    return text;
}

static const struct toolchain toolchain = {
    .suffix = ".cu",
    .compilers = compilers,
    .flags = flags,
    .before_solution = "kernels/solution_begin.h",
    .after_solution = "kernels/solution_end.h",
    .adds_streams = true,
    .sign = ".nv_fatbin",
    .target = target,
};

/* NVTX costs next to nothing without a profiler. */
static nvtxDomainHandle_t domain(void)
{
    static nvtxDomainHandle_t made; /* NULL without a profiler; then the next call asks again, which is cheap */
    if (!made)
        made = nvtxDomainCreateA("rungbench");
    return made;
}

static void name_range(const char *name)
{
    nvtxEventAttributes_t range = {
        .version = NVTX_VERSION,
        .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
        .messageType = NVTX_MESSAGE_TYPE_ASCII,
        .message.ascii = name,
    };
    (void)(name ? nvtxDomainRangePushEx(domain(), &range) : nvtxDomainRangePop(domain()));
}

static const char *profile(bool starts)
{
    return starts ? cuda_check(cudaProfilerStart(), "cudaProfilerStart")
                  : cuda_check(cudaProfilerStop(), "cudaProfilerStop");
}

const struct backend cuda_backend = {
    .toolchain = &toolchain,
    .before_start = cuda_before_start,
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
    .stream = cuda_stream,
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
    .profile = profile,
    .name_range = name_range,
};

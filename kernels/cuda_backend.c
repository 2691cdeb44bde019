/* The CUDA backend: one GPU, one stream for the work, CUDA events as timers. */
#include "backend.h"
#include "cuda_backend_kernels.h"

#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How much is read to empty the caches: so many times the second-level cache, and at least so many bytes. */
enum { EVICT_TIMES_L2 = 4, EVICT_BYTES_MIN = 64 << 20 };

static struct {
    cudaStream_t stream;      /* what is measured */
    cudaStream_t side_stream; /* for peek(), past the first */
    cudaEvent_t marks[BACKEND_MARKS];
    struct cuda_hold_board *board;     /* as the host sees it */
    struct cuda_hold_board *gpu_board; /* as the GPU sees it */
    uint64_t holds;                    /* the number of the latest hold */
    void *evict_memory;                /* evict_bytes, and after them a word for cuda_queue_read() */
    size_t evict_bytes;
    double tick_s;
    int device;
    int multiprocessors;
} cuda;

static char error_text[512];

/* NULL, or the text "what was done: what CUDA says". The error is taken out of CUDA's own memory of the last one, so
 * that finish() or a launch does not report it once more. */
__attribute__((format(printf, 2, 3))) static const char *check(cudaError_t status, const char *format, ...)
{
    if (status == cudaSuccess)
        return NULL;
    (void)cudaGetLastError();
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(error_text, sizeof error_text, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length < sizeof error_text)
        snprintf(error_text + length, sizeof error_text - (size_t)length, ": %s", cudaGetErrorString(status));
    return error_text;
}

#define TRY(...)                                    \
    do {                                            \
        const char *try_error = check(__VA_ARGS__); \
        if (try_error)                              \
            return try_error;                       \
    } while (0)

/* A module that is loaded at its kernel's first launch waits for the GPU, hence for the hold that this launch was to be
 * queued behind. CUDA reads this when it starts; who has set the variable knows why. */
static void load_modules_early(void)
{
    setenv("CUDA_MODULE_LOADING", "EAGER", 0);
}

static const char *no_device_error(cudaError_t status)
{
    int driver = 0, runtime = 0;
    if (status == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess &&
        cudaRuntimeGetVersion(&runtime) == cudaSuccess && driver > 0)
        return check(status, "the CUDA driver is too old: it serves CUDA %d.%d, this build needs %d.%d", driver / 1000,
                     driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
    if (status == cudaErrorInsufficientDriver)
        return check(status, "no CUDA driver");
    return check(status, "no CUDA device");
}

static const char *choose_device(int wanted)
{
    int count = 0;
    cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess)
        return no_device_error(status);
    cuda.device = wanted == -1 ? 0 : wanted;
    if (cuda.device < 0 || cuda.device >= count) {
        snprintf(error_text, sizeof error_text, "no CUDA device %d: expected one from 0 to %d", wanted, count - 1);
        return error_text;
    }
    TRY(cudaSetDevice(cuda.device), "CUDA device %d", cuda.device);
    struct cudaDeviceProp properties;
    TRY(cudaGetDeviceProperties(&properties, cuda.device), "properties of CUDA device %d", cuda.device);
    cuda.multiprocessors = properties.multiProcessorCount;
    cuda.evict_bytes = (size_t)properties.l2CacheSize * EVICT_TIMES_L2;
    if (cuda.evict_bytes < EVICT_BYTES_MIN)
        cuda.evict_bytes = EVICT_BYTES_MIN;
    TRY(cuda_kernels_usable(), "this build cannot run on %s (compute capability %d.%d; see CMAKE_CUDA_ARCHITECTURES)",
        properties.name, properties.major, properties.minor);
    return NULL;
}

static const char *make_streams(void)
{
    /* Non-blocking: not even work on CUDA's default stream waits for these, nor they for it. */
    TRY(cudaStreamCreateWithFlags(&cuda.stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    TRY(cudaStreamCreateWithFlags(&cuda.side_stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    for (int i = 0; i < BACKEND_MARKS; i++)
        TRY(cudaEventCreateWithFlags(&cuda.marks[i], cudaEventDefault), "cudaEventCreateWithFlags");
    return NULL;
}

static const char *make_board(void)
{
    void *host, *gpu;
    TRY(cudaHostAlloc(&host, sizeof *cuda.board, cudaHostAllocMapped), "cudaHostAlloc of the hold's flags");
    cuda.board = host;
    memset(host, 0, sizeof *cuda.board);
    TRY(cudaHostGetDevicePointer(&gpu, host, 0), "cudaHostGetDevicePointer of the hold's flags");
    cuda.gpu_board = gpu;
    return NULL;
}

static uint32_t *evict_sink(void)
{
    return (uint32_t *)((char *)cuda.evict_memory + cuda.evict_bytes);
}

static const char *make_evict_memory(void)
{
    TRY(cudaMalloc(&cuda.evict_memory, cuda.evict_bytes + sizeof *evict_sink()),
        "cudaMalloc of %zu bytes to empty the caches with", cuda.evict_bytes);
    TRY(cuda_queue_seed(cuda.evict_memory, cuda.evict_bytes, cuda.multiprocessors, cuda.stream),
        "launch of the kernel that fills memory");
    return NULL;
}

static const char *cuda_finish(void)
{
    TRY(cudaStreamSynchronize(cuda.stream), "work on the GPU");
    TRY(cudaGetLastError(), "an earlier CUDA call"); /* of release(), say, which cannot tell */
    return NULL;
}

static const char *cuda_mark(int index)
{
    assert(index >= 0 && index < BACKEND_MARKS);
    return check(cudaEventRecord(cuda.marks[index], cuda.stream), "cudaEventRecord of mark %d", index);
}

/* CUDA gives milliseconds as a float: 24 bits, so a relative 6e-8, which is 1 ns only from 17 ms on. */
static const char *cuda_elapsed(int from, int to, double *seconds)
{
    assert(from >= 0 && from < BACKEND_MARKS && to >= 0 && to < BACKEND_MARKS);
    float milliseconds;
    TRY(cudaEventElapsedTime(&milliseconds, cuda.marks[from], cuda.marks[to]),
        "cudaEventElapsedTime from mark %d to mark %d", from, to);
    *seconds = (double)milliseconds * 1e-3;
    return NULL;
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The tick: times of many pairs of events are all multiples of it, so it is the smallest difference between two
 * distinct ones, once they are of enough different lengths. A one-thread kernel makes them so, from nothing to some
 * 8 us in steps of about 30 ns, and the host's own jitter does the rest. */
static const char *measure_tick(void)
{
    enum { PAIRS = 256, STEP_CYCLES = 61 };
    const double rounding_s = 0.5e-9;   /* the clock counts nanoseconds: less is rounding of the float */
    const double documented_s = 0.5e-6; /* "a resolution of around 0.5 microseconds" */
    double times_s[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        const char *error = cuda_mark(0);
        if (!error)
            error = check(cuda_queue_spin(i * STEP_CYCLES, cuda.stream), "launch of the kernel that spins");
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
    cuda.tick_s = 0;
    for (int i = 1; i < PAIRS; i++) {
        double difference_s = times_s[i] - times_s[i - 1];
        if (difference_s > rounding_s && (cuda.tick_s == 0 || difference_s < cuda.tick_s))
            cuda.tick_s = difference_s;
    }
    if (cuda.tick_s == 0)
        cuda.tick_s = documented_s;
    return NULL;
}

/* Launches each of our kernels once, for the case that modules are loaded late all the same. */
static const char *load_kernels(void)
{
    TRY(cuda_queue_hold(cuda.gpu_board, 0, cuda.stream), "launch of the kernel that holds"); /* 0: ends at once */
    TRY(cuda_queue_read(cuda.evict_memory, cuda.evict_bytes, cuda.multiprocessors, evict_sink(), cuda.stream),
        "launch of the kernel that empties the caches");
    return cuda_finish();
}

static void cuda_close(void)
{
    if (cuda.board)
        cuda.board->released = cuda.holds; /* or we would wait for a hold to lapse */
    if (cuda.stream)
        (void)cudaStreamSynchronize(cuda.stream);
    for (int i = 0; i < BACKEND_MARKS; i++) {
        if (cuda.marks[i])
            (void)cudaEventDestroy(cuda.marks[i]);
    }
    if (cuda.side_stream)
        (void)cudaStreamDestroy(cuda.side_stream);
    if (cuda.stream)
        (void)cudaStreamDestroy(cuda.stream);
    (void)cudaFree(cuda.evict_memory);
    (void)cudaFreeHost(cuda.board);
    (void)cudaGetLastError();
    memset(&cuda, 0, sizeof cuda);
}

static const char *cuda_open(const struct backend_settings *settings)
{
    load_modules_early();
    const char *error = choose_device(settings->device);
    if (error)
        return error;
    error = make_streams();
    if (!error)
        error = make_board();
    if (!error)
        error = make_evict_memory();
    if (!error)
        error = load_kernels();
    if (!error)
        error = measure_tick();
    if (error)
        cuda_close();
    return error;
}

/* Starts the CUDA driver in this process: a child forked after this call cannot use the GPU. */
static int cuda_device_count(void)
{
    load_modules_early();
    int count = 0;
    return check(cudaGetDeviceCount(&count), "cudaGetDeviceCount") ? 0 : count;
}

/* The driver's release, as 580.95.05: the first word of digits and points in the kernel module's own line. CUDA's
 * version of the driver (13.0) is a different thing. */
static void describe_driver(char *text, size_t size)
{
    char line[256];
    FILE *file = fopen("/proc/driver/nvidia/version", "r");
    if (!file)
        return;
    if (fgets(line, sizeof line, file)) {
        char *rest;
        for (char *word = strtok_r(line, " \t\n", &rest); word; word = strtok_r(NULL, " \t\n", &rest)) {
            if (isdigit((unsigned char)word[0]) && strchr(word, '.') && word[strspn(word, "0123456789.")] == '\0') {
                snprintf(text, size, "%s", word);
                break;
            }
        }
    }
    fclose(file);
}

static void describe_uuid(const cudaUUID_t *uuid, char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "GPU");
    for (size_t i = 0; i < sizeof uuid->bytes && length < size; i++) {
        const char *dash = i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "";
        length += (size_t)snprintf(text + length, size - length, "%s%02x", dash, (unsigned char)uuid->bytes[i]);
    }
}

static void cuda_describe(struct device_info *info)
{
    memset(info, 0, sizeof *info);
    info->power_limit_w = info->sm_clock_set_mhz = NAN;
    struct cudaDeviceProp properties;
    if (!check(cudaGetDeviceProperties(&properties, cuda.device), "cudaGetDeviceProperties")) {
        snprintf(info->name, sizeof info->name, "%.*s", (int)sizeof info->name - 1, properties.name);
        describe_uuid(&properties.uuid, info->uuid, sizeof info->uuid);
    }
    describe_driver(info->driver_version, sizeof info->driver_version);
    int runtime;
    if (!check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion"))
        snprintf(info->cuda_version, sizeof info->cuda_version, "%d.%d", runtime / 1000, runtime % 1000 / 10);
    int major, minor, patch;
    if (cublasGetProperty(MAJOR_VERSION, &major) == CUBLAS_STATUS_SUCCESS &&
        cublasGetProperty(MINOR_VERSION, &minor) == CUBLAS_STATUS_SUCCESS &&
        cublasGetProperty(PATCH_LEVEL, &patch) == CUBLAS_STATUS_SUCCESS)
        snprintf(info->blas_version, sizeof info->blas_version, "cuBLAS %d.%d.%d", major, minor, patch);
    snprintf(info->eviction[false], sizeof info->eviction[false], "read");
    snprintf(info->eviction[true], sizeof info->eviction[true], "write");
}

static size_t cuda_free_memory(void)
{
    size_t available = 0, total;
    return check(cudaMemGetInfo(&available, &total), "cudaMemGetInfo") ? 0 : available;
}

/* cudaMalloc() aligns to 256 bytes at least. */
static const char *cuda_allocate(size_t bytes, void **memory)
{
    return check(cudaMalloc(memory, bytes), "cudaMalloc of %zu bytes", bytes);
}

/* A failure stays in CUDA's memory of the last error, and finish() reports it. */
static void cuda_release(void *memory)
{
    (void)cudaFree(memory);
}

static const char *cuda_pin(void *host, size_t bytes)
{
    return check(cudaHostRegister(host, bytes, cudaHostRegisterDefault), "cudaHostRegister of %zu bytes", bytes);
}

static void cuda_unpin(void *host)
{
    (void)cudaHostUnregister(host); /* as in release() */
}

static void *cuda_stream(void)
{
    return cuda.stream;
}

static const char *cuda_upload(void *memory, const void *host, size_t bytes)
{
    return check(cudaMemcpyAsync(memory, host, bytes, cudaMemcpyHostToDevice, cuda.stream), "upload of %zu bytes",
                 bytes);
}

static const char *cuda_download(void *host, const void *memory, size_t bytes)
{
    return check(cudaMemcpyAsync(host, memory, bytes, cudaMemcpyDeviceToHost, cuda.stream), "download of %zu bytes",
                 bytes);
}

static const char *cuda_fill(void *memory, int byte, size_t bytes)
{
    return check(cudaMemsetAsync(memory, byte, bytes, cuda.stream), "fill of %zu bytes", bytes);
}

/* No need of the spans: all that a GPU caches goes, whosever it is. */
static const char *cuda_evict(const struct span *spans, size_t count, bool by_writing)
{
    (void)spans;
    (void)count;
    if (by_writing) /* 0, so that cuda_queue_read() finds no top bit set after it either */
        return check(cudaMemsetAsync(cuda.evict_memory, 0, cuda.evict_bytes, cuda.stream), "fill of %zu bytes",
                     cuda.evict_bytes);
    return check(cuda_queue_read(cuda.evict_memory, cuda.evict_bytes, cuda.multiprocessors, evict_sink(), cuda.stream),
                 "launch of the kernel that empties the caches");
}

static const char *cuda_hold(void)
{
    cuda.holds++;
    return check(cuda_queue_hold(cuda.gpu_board, cuda.holds, cuda.stream), "launch of the kernel that holds");
}

/* Reads first, then releases. If no lapse is to be seen, no held work had started by then (see hold_kernel), so all
 * of it was queued in time; a hold that lapses between the two steps does no harm. */
static const char *cuda_let_go(bool *lapsed)
{
    *lapsed = cuda.board->lapsed > cuda.board->released;
    atomic_thread_fence(memory_order_seq_cst);
    cuda.board->released = cuda.holds;
    return NULL;
}

static const char *cuda_peek(void *host, const void *memory, size_t bytes)
{
    TRY(cudaMemcpyAsync(host, memory, bytes, cudaMemcpyDeviceToHost, cuda.side_stream), "peek at %zu bytes", bytes);
    TRY(cudaStreamSynchronize(cuda.side_stream), "peek at %zu bytes", bytes);
    return NULL;
}

static double cuda_tick(void)
{
    return cuda.tick_s;
}

const struct backend cuda_backend = {
    .open = cuda_open,
    .close = cuda_close,
    .device_count = cuda_device_count,
    .describe = cuda_describe,
    .free_memory = cuda_free_memory,
    .allocate = cuda_allocate,
    .release = cuda_release,
    .pin = cuda_pin,
    .unpin = cuda_unpin,
    .stream = cuda_stream,
    .upload = cuda_upload,
    .download = cuda_download,
    .fill = cuda_fill,
    .finish = cuda_finish,
    .evict = cuda_evict,
    .hold = cuda_hold,
    .let_go = cuda_let_go,
    .peek = cuda_peek,
    .mark = cuda_mark,
    .elapsed = cuda_elapsed,
    .tick = cuda_tick,
};

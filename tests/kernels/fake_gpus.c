#include "fake_gpus.h"

#include "tests/unit.h"

struct fake_gpus fake;
struct cuda_gpu fake_gpu = {.stream = &fake.streams[0]};
struct cuda_gpu *cuda = &fake_gpu;

void fake_gpus_reset(void)
{
    memset(&fake, 0, sizeof fake);
    fake_gpu = (struct cuda_gpu){.stream = &fake.streams[0]};
    fake.count = GPUS;
    for (int i = 0; i < GPUS; i++) {
        fake.free_bytes[i] = FREE_BYTES;
        fake.multiprocessors[i] = 100;
    }
}

const char *cuda_check(cudaError_t status, const char *format, ...)
{
    static char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return status == cudaSuccess ? NULL : text;
}

RUNTIME(cudaSetDevice, (int device), fake.device = device)
RUNTIME(cudaGetLastError, (void), (void)0)
RUNTIME(cudaMemGetInfo, (size_t * available, size_t *total), *available = fake.free_bytes[fake.device],
        *total = FREE_BYTES)
RUNTIME(cudaDeviceCanAccessPeer, (int *can, int device, int peer), *can = device != peer && !fake.lacks_peers)

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    *properties = (struct cudaDeviceProp){.name = "a GPU", .totalGlobalMem = FREE_BYTES, .uuid = {{(char)device}}};
    return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    return peer == fake.device ? cudaErrorPeerAccessUnsupported : cudaErrorPeerAccessAlreadyEnabled;
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    *memory = bytes > fake.free_bytes[fake.device] ? NULL : malloc(bytes);
    fake.allocated += *memory != NULL;
    return *memory ? cudaSuccess : cudaErrorMemoryAllocation;
}

RUNTIME(cudaFree, (void *memory), free(memory), fake.allocated--)

cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t stream)
{
    assert_int_equal(stream->device, fake.device);
    memset(memory, value, bytes);
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    *event = malloc(sizeof **event);
    (*event)->device = fake.device;
    fake.events++;
    return cudaSuccess;
}

RUNTIME(cudaEventDestroy, (cudaEvent_t event), free(event), fake.events--)
RUNTIME(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), assert_int_equal(event->device, stream->device))

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    assert_true(event->device != stream->device);
    if (fake.failing_waits-- > 0)
        return cudaErrorStreamCaptureInvalidated;
    stream->waits++;
    return cudaSuccess;
}

int cuda_device_count(void)
{
    return fake.count;
}

const char *cuda_read_properties(int device, struct cudaDeviceProp *to)
{
    (void)cudaGetDeviceProperties(to, device);
    cuda->device = device;
    cuda->multiprocessors = fake.multiprocessors[device];
    return NULL;
}

void cuda_describe(struct device_info *info)
{
    *info = (struct device_info){.multiprocessors = 132};
}

const char *cuda_open_gpu(void)
{
    static char text[32];
    snprintf(text, sizeof text, "GPU %d has failed", cuda->device);
    if (fake.has_failed[cuda->device])
        return text;
    fake.opened++;
    fake.streams[cuda->device] = (struct fake_stream){.device = cuda->device};
    cuda->stream = &fake.streams[cuda->device];
    return NULL;
}

void cuda_close_gpu(void)
{
    fake.opened -= cuda->stream != NULL;
    *cuda = (struct cuda_gpu){.device = 0};
}

/* What the backend of one GPU does, and succeeds. */
#define BACKEND(name, parameters, ...) \
    const char *name parameters        \
    {                                  \
        __VA_ARGS__;                   \
        return NULL;                   \
    }
BACKEND(cuda_upload, (void *memory, const void *host, size_t bytes), memcpy(memory, host, bytes))
BACKEND(cuda_download, (void *host, const void *memory, size_t bytes), memcpy(host, memory, bytes))
BACKEND(cuda_peek, (void *host, const void *memory, size_t bytes), memcpy(host, memory, bytes))
BACKEND(cuda_fill, (void *memory, size_t bytes, const struct made *made), memset(memory, (int)made->seed, bytes))
BACKEND(cuda_finish, (void), assert_non_null(cuda->stream))
BACKEND(cuda_hold, (void), fake.held++)
BACKEND(cuda_mark, (int index), fake.marked++, fake.waits_when_marked = cuda->stream->waits)
BACKEND(cuda_elapsed, (int from, int to, double *seconds),
        *seconds = from == 0 && to == 1 ? fake.seconds[cuda->device] : -1)
BACKEND(cuda_evict, (const struct span *spans, size_t count, bool by_writing), fake.evicted++)
BACKEND(cuda_spin, (int64_t nanoseconds), fake.spun++)
BACKEND(cuda_pin, (void *host, size_t bytes), (void)0)
BACKEND(cuda_lacks, (unsigned traits), (void)0)
BACKEND(cuda_changed, (void), (void)0)
BACKEND(cuda_profile, (bool starts), (void)0)

/* A recording of the current card's stream. */
static const char *begin(void)
{
    assert_false(cuda->stream->captures);
    cuda->stream->captures = true;
    return NULL;
}

static const char *end(void)
{
    assert_true(cuda->stream->captures);
    cuda->stream->captures = false;
    fake.recorded = true;
    return NULL;
}

static const char *queue(void)
{
    assert_true(fake.recorded);
    fake.queued++;
    return NULL;
}

const struct graphs cuda_graphs = {.begin = begin, .end = end, .queue = queue};

void cuda_drop_graph(void)
{
    fake.recorded = false;
}

const char *cuda_let_go(bool *lapsed)
{
    assert_non_null(cuda->stream);
    fake.let_go++;
    *lapsed = cuda->device == 1;
    return NULL;
}

size_t cuda_held_memory(void)
{
    return 10;
}

void cuda_unpin(void *host)
{
}

void cuda_accept_stack(void)
{
}

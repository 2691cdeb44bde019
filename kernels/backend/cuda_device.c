/* Which GPU is used, what it is, its state, and what rungs may not change there (CUDA Runtime API, "Device Management"
 * and "Stream Management"). */
#include "cuda_nvml.h"
#include "cuda_parts.h"

#include "bench/table/rung.h"

#include <cublas_v2.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *nvml_error;
static uint64_t looks; /* the number of the latest look at the clock */
/* This process's share in the processes on the GPU. It stays when the backend is closed, because the context does. */
static struct cuda_nvml_processes own;
static bool own_is_known;

/* Starts the CUDA driver in this process. A child that is forked afterwards cannot use the GPU. */
int cuda_device_count(void)
{
    int count = 0;
    return cuda_check(cudaGetDeviceCount(&count), "cudaGetDeviceCount") ? 0 : count;
}

static const char *no_device_error(cudaError_t status)
{
    int driver = 0, runtime = 0;
    if (status == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess &&
        cudaRuntimeGetVersion(&runtime) == cudaSuccess && driver > 0)
        return cuda_check(status, "the CUDA driver is too old: it serves CUDA %d.%d, this build needs %d.%d",
                          driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
    return cuda_check(status, status == cudaErrorInsufficientDriver ? "no CUDA driver" : "no CUDA device");
}

/* cudaSetDevice() makes the context of this process (before CUDA 12 the first use of the device does). */
static const char *make_context(const struct cudaDeviceProp *properties)
{
    struct cuda_nvml_processes before = cuda_nvml_processes();
    TRY(cudaSetDevice(cuda->device), "CUDA device %d", cuda->device);
    TRY(cuda_kernels_usable(&cuda->compiled_for),
        "this build cannot run on %s (compute capability %d.%d; see CMAKE_CUDA_ARCHITECTURES)", properties->name,
        properties->major, properties->minor);
    TRY(cuda_wgmma_usable(&cuda->has_wgmma), "looking for code for Hopper");
    if (!own_is_known)
        own = cuda_nvml_own(before, cuda_nvml_processes());
    own_is_known = true;
    return NULL;
}

const char *cuda_read_properties(int device, struct cudaDeviceProp *to)
{
    TRY(cudaGetDeviceProperties(to, device), "properties of CUDA device %d", device);
    cuda->device = device;
    cuda->multiprocessors = to->multiProcessorCount;
    cuda->l2_bytes = (size_t)to->l2CacheSize;
    cuda->capability = 10 * to->major + to->minor;
    return NULL;
}

const char *cuda_choose_device(int wanted)
{
    static char text[64];
    int count = 0;
    cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess)
        return no_device_error(status);
    cuda->device = wanted == -1 ? 0 : wanted;
    if (cuda->device < 0 || cuda->device >= count) {
        snprintf(text, sizeof text, "no CUDA device %d: expected one from 0 to %d", wanted, count - 1);
        return text;
    }
    struct cudaDeviceProp properties;
    TRY_CALL(cuda_read_properties(cuda->device, &properties));
    char bus_id[32];
    TRY(cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, cuda->device), "PCI bus of CUDA device %d", cuda->device);
    nvml_error = cuda_nvml_open(cuda_nvml_library, bus_id);
    return make_context(&properties);
}

const char *cuda_lacks(unsigned traits)
{
    if ((traits & RUNG_BF16X9) && CUBLAS_VERSION < 120900)
        return "needs cuBLAS 12.9; the build has an older one";
    return cuda_capability_lacks(traits, cuda->capability, cuda->compiled_for, cuda->has_wgmma);
}

/* Which use the device; -1: unknown. */
static int other_processes(void)
{
    return cuda_nvml_others(cuda_nvml_processes(), own);
}

static void describe_uuid(const cudaUUID_t *uuid, char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "GPU");
    for (size_t i = 0; i < sizeof uuid->bytes && length < size; i++) {
        const char *dash = i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "";
        length += (size_t)snprintf(text + length, size - length, "%s%02x", dash, (unsigned char)uuid->bytes[i]);
    }
}

void cuda_describe(struct device_info *info)
{
    memset(info, 0, sizeof *info);
    struct cudaDeviceProp properties;
    if (!cuda_check(cudaGetDeviceProperties(&properties, cuda->device), "cudaGetDeviceProperties")) {
        snprintf(info->name, sizeof info->name, "%.*s", (int)sizeof info->name - 1, properties.name);
        describe_uuid(&properties.uuid, info->uuid, sizeof info->uuid);
    }
    info->tick_s = cuda->tick_s;
    info->multiprocessors = cuda->multiprocessors;
    int runtime;
    if (!cuda_check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion"))
        snprintf(info->cuda_version, sizeof info->cuda_version, "%d.%d", runtime / 1000, runtime % 1000 / 10);
    int major, minor, patch;
    if (cublasGetProperty(MAJOR_VERSION, &major) == CUBLAS_STATUS_SUCCESS &&
        cublasGetProperty(MINOR_VERSION, &minor) == CUBLAS_STATUS_SUCCESS &&
        cublasGetProperty(PATCH_LEVEL, &patch) == CUBLAS_STATUS_SUCCESS)
        snprintf(info->blas_version, sizeof info->blas_version, "cuBLAS %d.%d.%d", major, minor, patch);
    snprintf(info->eviction[false], sizeof info->eviction[false], "read");
    snprintf(info->eviction[true], sizeof info->eviction[true], "write");
    struct cuda_nvml_facts facts = cuda_nvml_facts();
    snprintf(info->driver_version, sizeof info->driver_version, "%s", facts.driver_version);
    info->power_limit_w = facts.power_limit_w;
    info->sm_clock_set_mhz = facts.sm_clock_set_mhz;
    cuda_add_notes(info, nvml_error, &facts, cuda_nvml_processes().mps, other_processes());
}

/* Leaves earlier errors to finish(): CUDA returns the error of a kernel again, and another one must stay CUDA's last
 * error, which a launch would clear. */
static void read_cycles(struct device_state *state)
{
    state->cycles = state->cycles_at_s = NAN;
    if (cudaStreamSynchronize(cuda->stream) != cudaSuccess || cudaPeekAtLastError() != cudaSuccess ||
        cuda_queue_look(++looks))
        return;
    if (cudaStreamSynchronize(cuda->stream) != cudaSuccess || cuda->board->looked != looks)
        return;
    state->cycles = (double)cuda->board->cycles;
    state->cycles_at_s = (double)cuda->board->time_ns * 1e-9;
}

void cuda_read_state(struct device_state *state, bool brief)
{
    *state = (struct device_state){.lost_s = NAN, .preemptions = NAN, .cpu_clock_mhz = NAN};
    read_cycles(state);
    cuda_nvml_read(state, brief);
    state->other_processes = other_processes();
}

static const struct {
    enum cudaLimit limit;
    const char *name;
} limits[] = {
    {cudaLimitStackSize, "the limit cudaLimitStackSize"},
    {cudaLimitPrintfFifoSize, "the limit cudaLimitPrintfFifoSize"},
    {cudaLimitMallocHeapSize, "the limit cudaLimitMallocHeapSize"},
    {cudaLimitMaxL2FetchGranularity, "the limit cudaLimitMaxL2FetchGranularity"},
    {cudaLimitPersistingL2CacheSize, "the limit cudaLimitPersistingL2CacheSize"},
};
enum { LIMITS = sizeof limits / sizeof limits[0] };

/* That the stream inherits nothing from a rung. */
static const struct {
    cudaLaunchAttributeID attribute;
    const char *name;
} attributes[] = {
    {cudaLaunchAttributeAccessPolicyWindow, "the access policy window of the stream"},
    {cudaLaunchAttributeSynchronizationPolicy, "the synchronization policy of the stream"},
    {cudaLaunchAttributePriority, "the priority of the stream"},
};
enum { ATTRIBUTES = sizeof attributes / sizeof attributes[0] };

struct state {
    int device;
    enum cudaFuncCache cache;
    size_t limits[LIMITS];
    cudaLaunchAttributeValue attributes[ATTRIBUTES];
};
static struct state opened;

/* What cannot be read stays 0. */
static struct state read_state(void)
{
    struct state now;
    memset(&now, 0, sizeof now);
    (void)cudaGetDevice(&now.device);
    (void)cudaDeviceGetCacheConfig(&now.cache);
    for (int i = 0; i < LIMITS; i++)
        (void)cudaDeviceGetLimit(&now.limits[i], limits[i].limit);
    for (int i = 0; i < ATTRIBUTES; i++)
        (void)cudaStreamGetAttribute(cuda->stream, attributes[i].attribute, &now.attributes[i]);
    (void)cudaGetLastError();
    return now;
}

/* Nobody but rungs keeps lines in the L2 cache. */
void cuda_open_changed(void)
{
    (void)cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0); /* not every GPU has it */
    opened = read_state();
}

void cuda_accept_stack(void)
{
    (void)cudaDeviceGetLimit(&opened.limits[0], cudaLimitStackSize); /* the first of them */
}

const char *cuda_changed(void)
{
    const struct state now = read_state();
    if (now.device != opened.device)
        return "the current device";
    for (int i = 0; i < LIMITS; i++)
        if (now.limits[i] != opened.limits[i])
            return limits[i].name;
    if (now.cache != opened.cache)
        return "the cache configuration of the device";
    for (int i = 0; i < ATTRIBUTES; i++)
        if (memcmp(&now.attributes[i], &opened.attributes[i], sizeof now.attributes[i]) != 0)
            return attributes[i].name;
    return NULL;
}

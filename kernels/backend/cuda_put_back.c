/* What rungs may not change on the GPU, and how it is put back: CUDA Runtime API, "Device Management" and "Stream
 * Management". */
#include "cuda_parts.h"

#include <string.h>

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

static struct {
    size_t limits[LIMITS];
    enum cudaFuncCache cache;
    cudaLaunchAttributeValue attributes[ATTRIBUTES];
} was;

/* A limit or an attribute that cannot be read stays 0. */
static size_t read_limit(int i)
{
    size_t value = 0;
    if (cudaDeviceGetLimit(&value, limits[i].limit) != cudaSuccess)
        (void)cudaGetLastError();
    return value;
}

static cudaLaunchAttributeValue read_attribute(int i)
{
    cudaLaunchAttributeValue value;
    memset(&value, 0, sizeof value);
    if (cudaStreamGetAttribute(cuda.stream, attributes[i].attribute, &value) != cudaSuccess) {
        (void)cudaGetLastError();
        memset(&value, 0, sizeof value);
    }
    return value;
}

/* Nobody but rungs keeps lines in the L2 cache. */
const char *cuda_open_put_back(void)
{
    (void)cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0); /* not every GPU has it */
    (void)cudaGetLastError();
    for (int i = 0; i < LIMITS; i++)
        was.limits[i] = read_limit(i);
    for (int i = 0; i < ATTRIBUTES; i++)
        was.attributes[i] = read_attribute(i);
    TRY(cudaDeviceGetCacheConfig(&was.cache), "cudaDeviceGetCacheConfig");
    return NULL;
}

static const char *put_back_device(void)
{
    int device = cuda.device;
    (void)cudaGetDevice(&device);
    if (device == cuda.device)
        return NULL;
    (void)cudaSetDevice(cuda.device);
    return "the current device";
}

static const char *put_back_limits(void)
{
    const char *first = NULL;
    for (int i = 0; i < LIMITS; i++) {
        if (read_limit(i) == was.limits[i])
            continue;
        first = first ? first : limits[i].name;
        (void)cudaDeviceSetLimit(limits[i].limit, was.limits[i]);
    }
    return first;
}

static const char *put_back_cache(void)
{
    enum cudaFuncCache now = was.cache;
    (void)cudaDeviceGetCacheConfig(&now);
    if (now == was.cache)
        return NULL;
    (void)cudaDeviceSetCacheConfig(was.cache);
    return "the cache configuration of the device";
}

static const char *put_back_stream(void)
{
    const char *first = NULL;
    for (int i = 0; i < ATTRIBUTES; i++) {
        cudaLaunchAttributeValue now = read_attribute(i);
        if (memcmp(&now, &was.attributes[i], sizeof now) == 0)
            continue;
        first = first ? first : attributes[i].name;
        (void)cudaStreamSetAttribute(cuda.stream, attributes[i].attribute, &was.attributes[i]);
    }
    return first;
}

const char *cuda_put_back(void)
{
    const char *device = put_back_device(), *limit = put_back_limits(), *cache = put_back_cache(),
               *stream = put_back_stream();
    /* Not every time: on an H200 a kernel of 1.1 us took 0.2 us longer after it, for as long as the process lived. */
    if (limit || stream)
        (void)cudaCtxResetPersistingL2Cache();
    (void)cudaGetLastError();
    return device ? device : limit ? limit : cache ? cache : stream;
}

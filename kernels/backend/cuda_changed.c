/* What rungs may not change on the GPU: CUDA Runtime API, "Device Management" and "Stream Management". */
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
        (void)cudaStreamGetAttribute(cuda.stream, attributes[i].attribute, &now.attributes[i]);
    (void)cudaGetLastError();
    return now;
}

/* Nobody but rungs keeps lines in the L2 cache. */
void cuda_open_changed(void)
{
    (void)cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0); /* not every GPU has it */
    opened = read_state();
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

/* For profilers: named ranges (NVTX, which costs next to nothing without a profiler), and the part to profile. */
#include "cuda_parts.h"

#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>

static nvtxDomainHandle_t domain(void)
{
    static nvtxDomainHandle_t made; /* NULL without a profiler; then the next call asks again, which is cheap */
    if (!made)
        made = nvtxDomainCreateA("rungbench");
    return made;
}

static void range_begin(const char *name)
{
    nvtxEventAttributes_t range = {
        .version = NVTX_VERSION,
        .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
        .messageType = NVTX_MESSAGE_TYPE_ASCII,
        .message.ascii = name,
    };
    (void)nvtxDomainRangePushEx(domain(), &range);
}

static void range_end(void)
{
    (void)nvtxDomainRangePop(domain());
}

static const char *begin(void)
{
    return cuda_check(cudaProfilerStart(), "cudaProfilerStart");
}

static const char *end(void)
{
    return cuda_check(cudaProfilerStop(), "cudaProfilerStop");
}

const struct profiler cuda_profiler = {.range_begin = range_begin, .range_end = range_end, .begin = begin, .end = end};

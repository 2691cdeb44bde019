#include "occupancy.h"

#include "kernels/backend/cuda_occupancy.h"

#include <stdlib.h>
#include <string.h>

enum { KIB = 1024, WARP = 32 };

/* CUDA C++ Programming Guide 13.0, "Compute Capabilities", table "Technical Specifications per Compute Capability":
 * maximum resident threads per multiprocessor, shared memory per multiprocessor and per block. The rest of the table is
 * the same for all of these, or known to the calculator. */
static const struct {
    int capability; /* 90: 9.0 */
    int threads;
    size_t shared_bytes, block_shared_bytes;
} multiprocessors[] = {
    {80, 2048, 164 * KIB, 163 * KIB}, {86, 1536, 100 * KIB, 99 * KIB},   {89, 1536, 100 * KIB, 99 * KIB},
    {90, 2048, 228 * KIB, 227 * KIB}, {100, 2048, 228 * KIB, 227 * KIB}, {103, 2048, 228 * KIB, 227 * KIB},
    {120, 1536, 100 * KIB, 99 * KIB}, {121, 1536, 100 * KIB, 99 * KIB},
};

static bool describe(const char *arch, cudaOccDeviceProp *device)
{
    int capability = strncmp(arch, "sm_", 3) == 0 ? atoi(arch + 3) : 0; /* 90 for 90a */
    for (size_t i = 0; i < sizeof multiprocessors / sizeof multiprocessors[0]; i++)
        if (multiprocessors[i].capability == capability) {
            *device = (cudaOccDeviceProp){
                .computeMajor = capability / 10,
                .computeMinor = capability % 10,
                .maxThreadsPerBlock = 1024,
                .maxThreadsPerMultiprocessor = multiprocessors[i].threads,
                .regsPerBlock = 64 * KIB,
                .regsPerMultiprocessor = 64 * KIB,
                .warpSize = WARP,
                .sharedMemPerBlock = 48 * KIB,
                .sharedMemPerMultiprocessor = multiprocessors[i].shared_bytes,
                .numSms = 1, /* plays no part */
                .sharedMemPerBlockOptin = multiprocessors[i].block_shared_bytes,
                .reservedSharedMemPerBlock = 1 * KIB,
            };
            return true;
        }
    return false;
}

bool occupancy_pct(const struct ptxas_kernel *kernel, unsigned threads, size_t dynamic_shared_bytes, double *pct,
                   struct error *error)
{
    cudaOccDeviceProp device;
    if (!describe(kernel->arch, &device))
        return error_set(error, "%s: its multiprocessor is not known; add it to kernels/resources/occupancy.c",
                         kernel->arch);
    const struct cuda_block block = {(int)threads, kernel->registers, kernel->barriers, kernel->static_shared_bytes,
                                     dynamic_shared_bytes};
    struct cuda_occupancy occupancy;
    if (!cuda_occupancy(&device, &block, &occupancy))
        return error_set(error, "%s: not known to the occupancy calculator of this toolkit", kernel->arch);
    *pct = occupancy.pct;
    return true;
}

/* Empties all caches of the GPU. */
#include "bench/table/made.h"
#include "cuda_parts.h"

/* How much is read: so many times the size of the L2 cache, and at least so many bytes. */
enum { EVICT_TIMES_L2 = 4, EVICT_BYTES_MIN = 64 << 20 };

/* Enough blocks to fill the GPU; plain loads. */
static const struct cuda_sweep sweep = {.threads = 256, .vectors = 4, .blocks_per_multiprocessor = 8};

static void *memory;
static size_t bytes;

const char *cuda_open_evict(void)
{
    bytes = cuda.l2_bytes * EVICT_TIMES_L2;
    if (bytes < EVICT_BYTES_MIN)
        bytes = EVICT_BYTES_MIN;
    TRY(cudaMalloc(&memory, bytes), "cudaMalloc of %zu bytes to empty the caches with", bytes);
    const char *error = cuda_fill(memory, bytes, &(struct made){.kind = MADE_POSITIVE});
    return error ? error : cuda_evict(NULL, 0, false);
}

void cuda_close_evict(void)
{
    if (memory)
        (void)cudaFree(memory);
    memory = NULL;
}

const char *cuda_evict(const struct span *spans, size_t count, bool by_writing)
{
    (void)spans;
    (void)count;
    if (by_writing) /* zeros, because cuda_queue_read() expects no top bit set */
        return cuda_check(cudaMemsetAsync(memory, 0, bytes, cuda.stream), "fill of %zu bytes", bytes);
    return cuda_check(cuda_queue_read(&sweep, memory, bytes, cuda.multiprocessors, cuda.scratch, cuda.stream),
                      "launch of the kernel that empties the caches");
}

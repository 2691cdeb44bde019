/* A stand-in for CUDA's runtime, and for what the CUDA backend does on one GPU. A GPU here is a number and memory of
 * the host, and its work is done at once. */
#pragma once

#include "kernels/backend/cuda_parts.h"

enum { GPUS = 3, FREE_BYTES = 1 << 16 };

struct fake_stream {
    int device, waits; /* for events of others */
    bool captures;
};

struct fake_event {
    int device;
};

extern struct fake_gpus {
    int count, device;
    size_t free_bytes[GPUS];
    int multiprocessors[GPUS];
    bool lacks_peers, has_failed[GPUS];
    int opened, allocated, events;
    int failing_waits; /* so many calls of cudaStreamWaitEvent() from now on */
    struct fake_stream streams[GPUS];
    double seconds[GPUS];
    int marked, held, let_go, evicted, spun;
    int waits_when_marked;
    bool recorded; /* there is a graph */
    int queued;    /* times of it */
} fake;

extern struct cuda_gpu fake_gpu; /* the one that is there from the start */

void fake_gpus_reset(void);

/* Modes: what a sample is. Each is a file of its own behind this interface. */
#ifndef RUNGBENCH_MODE_H
#define RUNGBENCH_MODE_H

#include "backend.h"
#include "buffers.h"
#include "registry.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a mode may use to take a sample. */
struct mode_context {
    const struct rung *rung;
    const struct buffers *buffers; /* on the rung's backend, bound to its problem */
    void *const *host;             /* each buffer's host copy: inputs to upload, outputs to download to */
    bool evict_by_writing;
    double (*now)(void); /* the host's clock, in seconds */
};

struct sample {
    double seconds;                        /* of one iteration */
    double upload_s, kernel_s, download_s; /* its parts; NAN where a mode has none */
    bool launch_bound; /* the host was too slow to keep the queue filled: its time is in the sample */
};

struct mode {
    const char *name;
    const char *baseline_mode; /* a speed-up divides the baseline's time in this mode */
    int64_t max_iterations;    /* how many calls one sample may hold */
    bool pins;                 /* transfers from and to pinned host memory are part of it */
    bool evicts;
    bool (*supports)(const struct backend_entry *backend);
    /* Takes one sample of `iterations` calls. NULL, or what went wrong. */
    const char *(*take)(const struct mode_context *context, int64_t iterations, struct sample *sample);
};

extern const struct mode mode_cold, mode_hot, mode_e2e;

/* The mode of that name, or NULL. */
const struct mode *mode_find(const char *name, size_t length);

enum { MODE_COUNT = 3 };
extern const struct mode *const modes[MODE_COUNT];
extern const char mode_names[];

#endif

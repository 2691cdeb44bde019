/* Modes: what a sample is. Each is a file of its own behind this interface. */
#ifndef RUNGBENCH_MODE_H
#define RUNGBENCH_MODE_H

#include "bench/place/buffers.h"
#include "bench/table/backend.h"
#include "bench/table/registry.h"

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
    bool is_slowed;      /* each call is followed by one more launch, the backend's spin(extra_ns) */
    int64_t extra_ns;
};

struct sample {
    double seconds;                        /* of one iteration */
    double upload_s, kernel_s, download_s; /* its parts; NAN where a mode has none */
    bool launch_bound; /* the host was too slow to keep the queue filled: its time is in the sample */
};

struct mode {
    const char *name;
    const char *baseline_mode; /* a speed-up divides the baseline's time in this mode */
    const char *transfer;      /* copies from and to such host memory are part of it: "pinned", "pageable"; "": none */
    int64_t max_iterations;    /* how many calls one sample may hold */
    bool pins;                 /* wants the host's copies of the buffers pinned */
    bool evicts;
    double resolution_s; /* what it cannot tell apart, if that is more than ticks of the timer; else 0 */
    bool (*supports)(const struct backend_entry *backend);
    /* Makes ready for samples of `iterations` calls; end() undoes it. Both NULL where there is nothing to do. */
    const char *(*begin)(const struct mode_context *context, int64_t iterations);
    void (*end)(const struct mode_context *context);
    /* Takes one sample of `iterations` calls. NULL, or what went wrong. */
    const char *(*take)(const struct mode_context *context, int64_t iterations, struct sample *sample);
};

extern const struct mode mode_cold, mode_hot, mode_graph, mode_e2e, mode_e2e_pageable;

enum { MODE_COUNT = 5 };
extern const struct mode *const modes[MODE_COUNT];
extern const char mode_names[]; /* all of them, as --modes takes them */

/* The mode of that name, or NULL. */
const struct mode *mode_find(const char *name, size_t length);

/* Begins the mode for so many iterations, which ends what was begun before; and ends it. */
const char *mode_begin(const struct mode *mode, const struct mode_context *context, int64_t iterations);
void mode_end(const struct mode *mode, const struct mode_context *context);

#endif

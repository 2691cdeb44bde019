/* The interface of a mode, which defines what one sample is. Each mode is a file of its own. */
#pragma once

#include "bench/place/buffers.h"
#include "bench/table/backend.h"
#include "bench/table/registry.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Everything that a mode needs to take a sample. */
struct mode_context {
    const struct rung *rung;
    struct buffers *buffers; /* on the rung's backend, bound to its problem */
    void *const *host;       /* host copies: inputs to upload, memory for downloaded outputs */
    bool evict_by_writing;
    double (*now)(void); /* the host's clock, in seconds */
    bool is_slowed;      /* --slowdown: each call is followed by the backend's spin(extra_ns) */
    int64_t extra_ns;
};

struct sample {
    double seconds;                        /* per iteration */
    double upload_s, kernel_s, download_s; /* its parts; NAN where the mode has none */
    bool launch_bound;                     /* the host could not keep the queue filled, so host time is in the sample */
};

struct mode {
    const char *name;
    const char *about;         /* in a few words, for charts */
    const char *baseline_mode; /* speed-ups compare with the baseline's time in this mode */
    const char *transfer;      /* host memory of the transfers in a sample: "pinned", "pageable"; "": no transfers */
    int64_t max_iterations;    /* calls per sample, at most */
    bool pins;                 /* needs the host copies of the buffers pinned */
    bool evicts;               /* evicts the buffers from the caches before each sample */
    double resolution_s;       /* smallest difference it can measure, if larger than a few ticks; otherwise 0 */
    bool (*supports)(const struct backend_entry *backend);
    /* Prepares samples of `iterations` calls; end() undoes it. Both are NULL where there is nothing to do. */
    const char *(*begin)(const struct mode_context *context, int64_t iterations);
    void (*end)(const struct mode_context *context);
    /* Takes one sample of `iterations` calls. NULL, or an error message. */
    const char *(*take)(const struct mode_context *context, int64_t iterations, struct sample *sample);
};

extern const struct mode mode_cold, mode_hot, mode_graph, mode_e2e, mode_e2e_pageable;

enum { MODE_COUNT = 5 };
extern const struct mode *const modes[MODE_COUNT];
extern const char mode_names[]; /* all names, separated by commas as for --modes */

/* The mode with this name of `length` characters, or NULL. */
const struct mode *mode_find(const char *name, size_t length);

/* Call the mode's begin() and end(), if any. mode_begin() calls end() first. */
const char *mode_begin(const struct mode *mode, const struct mode_context *context, int64_t iterations);
void mode_end(const struct mode *mode, const struct mode_context *context);

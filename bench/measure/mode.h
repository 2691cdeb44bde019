/* The interface of a mode, which defines what one sample is. */
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
    const char *(*prepare)(void *self); /* of `cold`: queues what comes before caches are emptied; NULL: nothing does */
    void *self;
};

struct sample {
    double seconds;                        /* per iteration */
    double upload_s, kernel_s, download_s; /* its parts; NAN where the mode has none */
    bool launch_bound;                     /* the host could not keep the queue filled, so host time is in the sample */
    double cpu_s; /* of all threads of the process, per iteration: for the calls, or queueing them; NAN: unknown */
};

struct mode {
    const char *name;
    const char *about;         /* in a few words, for charts */
    const char *baseline_mode; /* speed-ups compare with the baseline's time in this mode */
    const char *transfer;      /* host memory of the transfers in a sample: "pinned", "pageable"; "": no transfers */
    int64_t max_iterations;    /* calls per sample, at most */
    bool pins;                 /* needs the host copies of the buffers pinned */
    bool evicts;               /* evicts the buffers from the caches before each sample; simulators have none */
    bool needs_device;         /* with its own memory, and a launch queue */
    double resolution_s;       /* smallest difference it can measure, if larger than a few ticks; otherwise 0 */
    /* Prepares samples of `iterations` calls; undone by the next. NULL where there is nothing to do. */
    const char *(*begin)(const struct mode_context *context, int64_t iterations);
    /* Takes one sample of `iterations` calls. NULL, or an error message. */
    const char *(*take)(const struct mode_context *context, int64_t iterations, struct sample *sample);
};

#define MODE(name) extern const struct mode mode_##name;
#include "modes.def"

enum {
    MODE_COUNT = 0
#define MODE(name) +1
#include "modes.def"
};
extern const struct mode *const modes[MODE_COUNT];
extern const char mode_names[]; /* all names, separated by commas as for --modes */

/* Its place in that list. */
int mode_index(const struct mode *mode);

/* The mode with this name, or NULL. */
const struct mode *mode_find(const char *name);

bool mode_supports(const struct mode *mode, const struct backend_entry *backend);

/* Calls the mode's begin(), if any. */
const char *mode_begin(const struct mode *mode, const struct mode_context *context, int64_t iterations);

/* Queues so many calls of the rung; if it is slowed, a spin follows each. */
const char *mode_call(const struct mode_context *context, int64_t iterations);

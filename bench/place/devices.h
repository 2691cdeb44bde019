/* The opened backends of a run: which of them can be used, and their devices. */
#pragma once

#include "bench/base/error.h"
#include "bench/table/registry.h"

#include <stdbool.h>

/* As many as there are backends. */
enum {
    DEVICES_MAX = 0
#define BACKEND(name, requires, separate_memory, simulates, label) +1
#include "bench/table/rungs.def"
};

struct device {
    const struct backend_entry *entry;
    bool usable;
    char reason[192]; /* why it is not usable */
    struct device_info info;
    size_t orders; /* of the same work, in which answers are to be compared */
};

struct devices {
    struct device items[DEVICES_MAX];
    size_t count;
};

/* False: some backend has no device of that number, which `flag` names. Starts drivers in this process: a child that is
 * forked afterwards cannot use devices. */
bool devices_have(const struct registry *registry, const char *flag, int device, struct error *error);

/* Opens all backends of the registry. A missing device is an error only if the user asked for it; other backends that
 * cannot be opened are marked as not usable. */
bool devices_open(const struct registry *registry, const struct backend_settings *settings, struct devices *devices,
                  struct error *error);
void devices_close(struct devices *devices);

const struct device *devices_find(const struct devices *devices, const struct backend_entry *entry);

/* The device that uses host memory, or NULL. */
const struct device *devices_host(const struct devices *devices);

/* Whether so many bytes are free there; the reason why not is written to rows. */
bool device_has_memory(const struct device *device, size_t needed, struct error *reason);

/* Of a collective no more GPUs take part than there are: its first size becomes that. */
void device_fit(const struct device *device, const struct op *op, struct workload *workload);

/* RUNG_SLOW rungs skip workloads with more floating-point operations than this. */
#define FEASIBLE_SLOW_FLOP_LIMIT 5e9

/* Simulated rungs skip workloads with more operations plus bytes than this. */
#define FEASIBLE_SIMULATED_LIMIT 2e7

/* Whether the rung can run the workload on this machine, decided before any memory is allocated. The reason why not is
 * written to its rows. */
bool feasible_rung(const struct devices *devices, const struct rung *rung, const struct workload *workload,
                   struct error *reason);

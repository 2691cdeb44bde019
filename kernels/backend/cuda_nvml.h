/* What NVML, NVIDIA's management library, knows about a GPU. The library belongs to the driver, so it is opened at run
 * time, and nothing here needs CUDA. Without a successful open() everything is unknown. */
#pragma once

#include "bench/table/backend.h"

#include <stdbool.h>

extern const char cuda_nvml_library[]; /* its name on Linux */

/* NULL, or what went wrong; valid until the next call. The GPU is named by its PCI bus, "0000:65:00.0", since CUDA and
 * NVML count GPUs in different orders. */
const char *cuda_nvml_open(const char *library, const char *pci_bus_id);
void cuda_nvml_close(void);

/* Facts that do not change during a run. Unknown: NAN, or -1. */
struct cuda_nvml_facts {
    double power_limit_w; /* the lowest of all limits that apply */
    double power_limit_default_w;
    double sm_clock_set_mhz; /* the application clock; without one, the highest clock. Locked clocks (nvidia-smi -lgc)
                                cannot be read. */
    int mig, ecc;            /* whether they are on */
    char driver_version[32]; /* 580.95.05; the CUDA version that the driver supports (13.0) is something else */
};
struct cuda_nvml_facts cuda_nvml_facts(void);

/* Writes clocks, temperature, power, energy and throttling; the rest of `state` stays. `brief`: energy, which takes
 * NVML milliseconds, is unknown. */
void cuda_nvml_read(struct device_state *state, bool brief);

/* How many processes have a context on the GPU, and how many have one through MPS. Unknown: -1. */
struct cuda_nvml_processes {
    int compute, mps;
};
struct cuda_nvml_processes cuda_nvml_processes(void);

/* This process's share, from the counts before and after it made its context. Process numbers are of no use in a
 * container, and some containers show no process at all. */
struct cuda_nvml_processes cuda_nvml_own(struct cuda_nvml_processes before, struct cuda_nvml_processes after);

/* The number of other processes; -1: unknown. With MPS only its clients count, not its server. */
int cuda_nvml_others(struct cuda_nvml_processes now, struct cuda_nvml_processes own);

/* cuda_notes.c: what readers of its rows have to know about a GPU, and which rungs it can run. */

/* Adds notes. `nvml_error` comes from cuda_nvml_open(), `others` from cuda_nvml_others(). Further notes come from the
 * environment of this process. */
void cuda_add_notes(struct device_info *info, const char *nvml_error, const struct cuda_nvml_facts *facts,
                    int mps_processes, int others);

/* Why rungs with these traits cannot run; NULL if they can. `capability` is the compute capability of the GPU,
 * `compiled_for` that of the compiled kernels, both times 10: 90. `has_wgmma`: these have Hopper's own instructions,
 * and the GPU runs them. The text is valid until the next call. */
const char *cuda_capability_lacks(unsigned traits, int capability, int compiled_for, bool has_wgmma);

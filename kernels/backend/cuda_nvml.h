/* What NVIDIA's management library says of a GPU. The library belongs to the driver, so it is opened at run time, and
 * nothing here needs CUDA. Before open() and after a failed one everything is unknown. */
#ifndef RUNGBENCH_CUDA_NVML_H
#define RUNGBENCH_CUDA_NVML_H

#include "bench/table/backend.h"

extern const char cuda_nvml_library[]; /* where it is on Linux */

/* NULL, or why the library cannot say anything of that GPU ("0000:65:00.0", as CUDA writes it, which counts GPUs in an
 * order of its own); valid until the next call. */
const char *cuda_nvml_open(const char *library, const char *pci_bus_id);
void cuda_nvml_close(void);

/* What stays as it is during a run. Unknown: NAN, or -1. */
struct cuda_nvml_facts {
    double power_limit_w; /* the lowest of all limits that apply */
    double power_limit_default_w;
    double sm_clock_set_mhz; /* the application clock; where there is none, the highest clock. Locked clocks (nvidia-smi
                                -lgc) cannot be read: there only the clock while at work tells. */
    int mig, ecc;            /* whether they are on */
};
struct cuda_nvml_facts cuda_nvml_facts(void);

/* Writes clocks, temperature, power, energy and throttling; the rest of `state` stays. */
void cuda_nvml_read(struct device_state *state);

/* How many processes have a context on the GPU, and how many have one through MPS. Unknown: -1. */
struct cuda_nvml_processes {
    int compute, mps;
};
struct cuda_nvml_processes cuda_nvml_processes(void);

/* Which of them is this process, by the counts before and after it made its context: in a container, process numbers
 * are of no use, and some show no process at all. */
struct cuda_nvml_processes cuda_nvml_own(struct cuda_nvml_processes before, struct cuda_nvml_processes after);

/* How many there are beside it; -1: unknown. With MPS, only what goes through MPS: beside it there is its server. */
int cuda_nvml_others(struct cuda_nvml_processes now, struct cuda_nvml_processes own);

#endif

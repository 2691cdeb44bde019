/* What the files of the CPU's backend share, some of it with the simulator. A function that implements one of struct
 * backend has its name, after cpu_, and is described there. Files of /proc and /sys lie below a `root`: "" in the
 * program, a made-up tree in tests. */
#pragma once

#include "bench/table/backend.h"

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* cpu_describe.c: the number that follows `key` in a file; `absent` without one, as where the file says "max". */
double cpu_file_number(const char *root, const char *path, const char *key, double absent);

/* What control groups (Linux, versions 1 and 2) allow this process, by its own and those above it. INFINITY: no limit.
 */
struct cpu_limits {
    double processors; /* the time of so many CPUs */
    double free_bytes;
    double throttled_s; /* CPU time that quotas have kept from these groups so far; NAN: unknown */
};
struct cpu_limits cpu_limits_find(const char *root);

/* cpu_threads.c: how many threads rungs have, and on which CPUs they may run. */
enum { CPU_MASK_MAX = 8192 }; /* more than Linux can be built for */

struct cpu_mask {
    cpu_set_t sets[CPU_MASK_MAX / (8 * sizeof(cpu_set_t))];
    int count;   /* 0: unknown */
    int threads; /* that run on them */
};
bool cpu_mask_has(const struct cpu_mask *mask, int cpu); /* also asked for a CPU that cannot be */

/* Sets the threads of OpenMP and OpenBLAS: as many as are asked for, or as many as OMP_NUM_THREADS says, or as there
 * are CPUs to run on and `quota` allows the time of. Returns how many were wanted; the mask has those that there are.
 * The calling thread, the main one, is bound where the user has OpenMP bind threads, and not before. */
int cpu_threads_open(int asked_for, double quota, struct cpu_mask *mask);

/* The CPUs of a team of OpenMP's threads, all of its threads together, when it is asked for `threads` of them. It may
 * have fewer. */
void cpu_mask_read(int threads, struct cpu_mask *mask);

/* Moves each of so many threads, which are OpenMP's team then, to a CPU of its own, from where it may go wherever it
 * might before. Linux wakes a thread where it last ran, even beside the one that wakes it and waits for it. Where
 * places bind threads, only those that may run beside the first one are moved. */
void cpu_threads_spread(int threads);

/* After watch(): how many threads that team has, if it has worked since; 0: it has not, or others were started. Waits
 * as host_others_rest() does. */
void cpu_threads_watch(void);
int cpu_threads_worked(void);

/* "0-3,8". Where that does not fit, it is cut and the number of CPUs follows: "0,2,4,... (96)". */
void cpu_mask_text(const struct cpu_mask *mask, char *text, size_t size);

/* Adds notes where the threads of `mask` are not `wanted`, or too many for their CPUs, and where a setting of the
 * user's does not say how many there are or where they run. */
void cpu_threads_note(int wanted, const struct cpu_mask *mask, struct device_info *info);

/* Fills in name, affinity and governor; adds notes about a quota, changing clocks, other work, and a
 * virtual machine. */
void cpu_describe(const char *root, const struct cpu_mask *mask, struct device_info *info);

/* The clock, and the CPU time that the CPUs of the mask wanted and did not get. */
void cpu_state_read(const char *root, const struct cpu_mask *mask, struct device_state *state);

/* cpu_process.c: the state of this process that a rung must leave as it is. What it computes, what other rungs compute
 * and what they take depends on it. Remembers it as it is now; the name of the first thing that has changed since. */
void cpu_process_remember(void);
const char *cpu_process_changed(void);

/* cpu_blas.c: what libraries read before main(). OpenBLAS, which the openblas rungs call; 0 threads: there is none. */
int cpu_blas_threads(void);
void cpu_blas_set_threads(int threads);

/* Its version and the core type that its kernels are for; a note where it is old. */
void cpu_blas_describe(struct device_info *info);

/* Sets, for processes that are started later:
 *   GOMP_SPINCOUNT     unless the user set it or OMP_WAIT_POLICY
 *   OPENBLAS_CORETYPE  where OpenBLAS runs kernels older than the processor, unless the user set it */
void cpu_set_for_players(void);

/* OpenBLAS's core types are its names for the processors that it has kernels for. Whether the kernels of that one use
 * older vector instructions than `isa`, the best that this processor has (numbers of cpu_isa.h). A name that is not
 * known here counts as new. */
bool cpu_core_is_old(const char *core, int isa);

/* The core type to use instead: the best one that the processor can run and the library has. NULL: none is better. */
const char *cpu_core_better(const char *core, int isa, bool (*library_has)(const char *core));

/* cpu_backend.c: what the simulator has, too: memory, work that is done at once, and CLOCK_MONOTONIC. */
const char *cpu_mark(int index);
const char *cpu_elapsed(int from, int to, double *seconds);
double cpu_tick(void);
const char *cpu_spin(int64_t nanoseconds);
void *cpu_stream(void);
const char *cpu_copy(void *to, const void *from, size_t bytes);
const char *cpu_fill(void *memory, size_t bytes, const struct made *made);
size_t cpu_free_memory(void); /* where that is unknown, as without /proc, there is no limit */

/* cpu_ceilings.c: reading, and fused multiply-adds. */
int cpu_ceiling_variants(enum ceiling_kind kind);
const char *cpu_ceiling(enum ceiling_kind kind, int variant, void *memory, double amount);

/* The inner loops, per instruction set: the simplest work that keeps the load or multiply-add units of one core busy.
 */
struct ceiling_kernels {
    void (*read[2])(const char *start, size_t bytes); /* in one stream, or in several at a time */
    float (*multiply_add)(int64_t rounds);            /* at least so many rounds; returns about 1.5 */
    int round_flop;
};

/* `isa`: a number of isa_best(). NULL: there are fewer. */
const struct ceiling_kernels *ceiling_kernels_of(int isa);

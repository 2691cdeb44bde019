/* A backend without a device: a queue of work, a device clock and a host clock, all scripted. Work runs when somebody
 * waits for it, at the time at which a device would have come to it. */
#pragma once

#include "bench/table/backend.h"
#include "bench/table/matmul.h"

#include <stdint.h>

struct fake {
    double host_s, device_s; /* the two clocks */
    double call_s;           /* what each call into the backend costs the host */
    double tick_s;           /* of the timer; elapsed() rounds to it */
    int64_t multiprocessors; /* as of a GPU */
    double evict_s;          /* what emptying the cache costs the device */
    double bytes_per_s;      /* of copies */
    double noise;            /* kernels take up to this share longer, by chance */
    const char *open_error;
    const char *allocate_error;
    size_t free_bytes;
    int open_count;    /* how often open() has been called, less close() */
    int blocks;        /* allocated now */
    size_t held_bytes; /* what held_memory() says */
    int growing_looks; /* so many times it says more, for what others allocate */
    size_t growth[2];  /* how many bytes more, in turns */
    int pinned;        /* now */
    int frozen;        /* blocks that are read-only now */
    int evictions, write_evictions, launches;
    int calls_begun, evicted_then;       /* begin_calls(), and evictions before the latest */
    int launched_then, launched_between; /* launches before begin_row(), and from there to the first begin_calls() */
    int64_t queued_at_most;
    double spin_factor;                      /* what it takes for a nanosecond of being busy; 1 is the truth */
    double launch_s;                         /* what the device needs to start a kernel: an empty one takes this */
    double ceiling_bytes_s, ceiling_flops_s; /* the device's best rates; 0: no ceiling is known */
    double ceiling_tf32_s, ceiling_fp16_s;   /* of tensor cores, likewise */
    double cache_bytes, cache_speedup;       /* so many bytes, or fewer, are moved so much faster, at best */
    int recordings;                          /* how many graphs were made */
    struct kernel_launches graph_launches;   /* what graph_launches() says */
    const char *graph_error, *pin_error;
    const char *changed;       /* what changed() finds */
    int pins_until_error;      /* so many succeed before */
    int energy_looks;          /* how often its energy was asked for */
    struct device_state state; /* what the device says of itself; energy and cycles go on by themselves */
    char profile[64]; /* letters for what happened last: ( and ) around the profile, L for a launch, E for an eviction,
                         S for being busy */
};
extern struct fake fake;

extern const struct backend fake_backend;

/* Forgets everything; calls cost 1 us, the tick is 32 ns. */
void fake_reset(void);

/* The host's clock; looking at it costs nothing. */
double fake_now(void);

typedef void fake_kernel(const struct matmul_problem *problem);

/* Queues a kernel that takes so long on the stream, as a right rung does. */
void fake_launch(void *stream, fake_kernel *kernel, const struct matmul_problem *problem, double seconds);

/* Whether a graph is being recorded. */
bool fake_is_recording(void);

/* Runs a kernel at once, whatever is queued or held: on another stream. */
void fake_launch_elsewhere(fake_kernel *kernel, const struct matmul_problem *problem);

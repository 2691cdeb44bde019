/* What the harness needs of a machine that runs rungs: memory, copies, one stream of work, timers. */
#ifndef RUNGBENCH_BACKEND_H
#define RUNGBENCH_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct backend_settings {
    int device;         /* which device, from 0; -1: the default one */
    int threads;        /* how many CPU threads rungs may use; 0: all there are */
    bool times_nothing; /* answers alone count: memory may be such as checking tools see best */
};

/* Something about a machine that its rows have to be read with: the sentence is said once, the word marks each row. */
struct device_note {
    char mark[24];  /* "mps" */
    char text[232]; /* one sentence, without a full stop */
};

enum { DEVICE_NOTES_MAX = 8 };

/* What a row's columns say about the machine, which stays as it is during a run. Unknown: an empty text, 0. */
struct device_info {
    char name[128];
    char uuid[64];
    char driver_version[32];
    char cuda_version[32];
    char blas_version[96]; /* of a CPU's, with the core that its kernels are for */
    char eviction[2][16];  /* how evict() works, [by_writing]: "read", "write", "flush-lines" */
    char affinity[64];     /* the CPUs that this process may run on: "0-3,8" */
    char governor[32];     /* what sets the CPU's frequency: "performance" */
    double power_limit_w;
    double sm_clock_set_mhz; /* the application clock of a GPU's multiprocessors */
    int threads;             /* CPU threads that rungs use; 0 on a GPU */
    struct device_note notes[DEVICE_NOTES_MAX];
    int note_count;
};

/* Adds a note, its sentence made as printf() does; nothing where there is no room. */
void device_info_add_note(struct device_info *info, const char *mark, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What a device says of itself at one moment. Unknown: NAN, or an empty text. */
struct device_state {
    double sm_clock_mhz, memory_clock_mhz; /* as the driver says, which looks every few milliseconds */
    double temperature_c;
    double power_w;
    char throttled[64];  /* why clocks are lower than they might be, words joined by '+'; "no": they are not */
    int other_processes; /* that use the device now; -1: unknown */
    /* These only ever grow; what counts is the difference between two moments. */
    double energy_j;
    double cycles, cycles_at_s; /* that one multiprocessor has counted, and what the device's own clock said then */
    double lost_s;              /* of this machine's CPU time, that a hypervisor or a quota took away */
    double preemptions;         /* how often this process had to leave a CPU although it had work */
};

/* What a ceiling is made of: the simplest work that keeps one part of the device as busy as it can be. */
enum ceiling_kind {
    CEILING_READ, /* reads `amount` bytes */
    CEILING_COPY, /* reads amount / 2 bytes and writes them to the other half */
    CEILING_FMA,  /* does at least `amount` FP32 operations, as fused multiply-adds, in registers */
    CEILING_KINDS,
};

/* A piece of the backend's memory. */
struct span {
    void *start;
    size_t bytes;
};

enum { BACKEND_MARKS = 4, BACKEND_NO_SPIN = -1 };

/* One of the orders in which a simulator can do the same work, each of them legal. */
struct work_order {
    char name[32];     /* "shuffled, seed 2" */
    const char *shows; /* what a rung does wrong that answers otherwise than in the first order */
};

/* Functions that return `const char *` return NULL, or a text that says what went wrong, valid until the next call.
 * Everything but open() and device_count() may be called between open() and close() only, from one thread. Work is
 * `queued` when it runs after all that was queued before it and the call need not wait for it; a CPU may do it at once.
 */
struct backend {
    /* Makes the device usable, or says why it is not (no driver, no such device). */
    const char *(*open)(const struct backend_settings *settings);
    void (*close)(void);
    int (*device_count)(void); /* NULL where --device means nothing */
    void (*describe)(struct device_info *info);

    size_t (*free_memory)(void);                          /* bytes that allocate() could give now, about */
    const char *(*allocate)(size_t bytes, void **memory); /* aligned to 256 bytes, unless guards_memory */
    void (*release)(void *memory);
    bool guards_memory; /* finds out by itself who goes beyond the ends of what allocate() gave, to the byte */
    const char *(*pin)(void *host, size_t bytes); /* makes copies from and to host memory fast; NULL: no such thing */
    void (*unpin)(void *host);

    /* Why the device cannot run rungs of these traits (enum rung_traits); NULL if it can. NULL itself: it can run all.
     */
    const char *(*lacks)(unsigned traits);

    void *(*stream)(void);                                                 /* what rungs get */
    const char *(*upload)(void *memory, const void *host, size_t bytes);   /* queued */
    const char *(*download)(void *host, const void *memory, size_t bytes); /* queued */
    const char *(*fill)(void *memory, int byte, size_t bytes);             /* queued */
    const char *(*finish)(void); /* waits for all that was queued, and reports what failed since the last call */

    /* Empties the caches of the `count` spans, in bulk or one by one; queued. `by_writing`: the way other tools do it.
     */
    const char *(*evict)(const struct span *spans, size_t count, bool by_writing);

    /* Keeps what is queued after hold() from starting until let_go(). A hold ends by itself after a second at most, and
     * let_go() says in `lapsed` whether it had: then the host was in the measured time. NULL where run() is
     * synchronous. */
    const char *(*hold)(void);
    const char *(*let_go)(bool *lapsed);
    /* Copies memory to the host at once, past whatever is held; NULL together with hold(). */
    const char *(*peek)(void *host, const void *memory, size_t bytes);

    const char *(*mark)(int index); /* queued: the time at which the work before it is done; index < BACKEND_MARKS */
    const char *(*elapsed)(int from, int to, double *seconds); /* between two marks, after finish() */
    double (*tick)(void); /* the smallest difference between two marks that the timer can show, in seconds */

    /* Waits, then looks. NULL where a device says nothing of itself. */
    void (*read_state)(struct device_state *state);

    /* Work recorded once and launched as a whole: what is queued between graph_begin() and graph_end() is not done but
     * recorded, graph_queue() queues all of it, graph_drop() forgets it. One graph at a time. NULL, all four, where
     * there is no such thing. After a failure within the recording, graph_end() must be called too. */
    const char *(*graph_begin)(void);
    const char *(*graph_end)(void);
    const char *(*graph_queue)(void);
    void (*graph_drop)(void);

    /* Queued: looks at the device's own nanosecond counter until so long has passed, with 0 just as often as it must;
     * BACKEND_NO_SPIN is an empty kernel. */
    const char *(*spin)(int64_t nanoseconds);

    /* The device's ceilings. Each kind is done in one of several ways, of which one will be the fastest. Queued.
     * `memory` has been through seed(). */
    int (*ceiling_variants)(enum ceiling_kind kind); /* 0: this ceiling is not known here */
    const char *(*ceiling)(enum ceiling_kind kind, int variant, void *memory, double amount);
    const char *(*seed)(void *memory, size_t bytes); /* queued: fills with numbers, none like the next; 16 bytes each */

    /* A simulator's, NULL elsewhere. use_order(): run() does its work in that order from now on; 0 is the usual one.
     * watch(): notes from now on who writes to the memory last, NULL: no more; writer() says it, "kernel K, block
     * (1,0,0)", or NULL if nobody did. */
    size_t (*order_count)(void);
    const struct work_order *(*use_order)(size_t index);
    void (*watch)(const void *memory, size_t bytes);
    const char *(*writer)(void);

    /* For profilers, NULL where there are none: a named range of time, and the part that is to be looked at. */
    void (*range_begin)(const char *name);
    void (*range_end)(void);
    const char *(*profile_begin)(void);
    const char *(*profile_end)(void);
};

#define BACKEND(name, requires, separate_memory, simulates, label) extern const struct backend name##_backend;
#define OP(name)
#define RUNG(op, variant, backend, requires, precision, traits, summary)
#include "rungs.def"
#undef BACKEND
#undef OP
#undef RUNG

#ifdef __cplusplus
}
#endif

#endif

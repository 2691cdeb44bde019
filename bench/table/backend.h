/* The interface of a backend, which runs rungs: memory, copies, one stream, timers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct made;

#ifdef __cplusplus
extern "C" {
#endif

struct backend_settings {
    int device;         /* index of the device, from 0; -1: the default device */
    int threads;        /* CPU threads that rungs may use; 0: as many as OMP_NUM_THREADS says, else all */
    bool untuned;       /* the model of model.h has its committed constants, whatever was measured on the device */
    bool times_nothing; /* nothing will be timed: allocate memory in the way that checking tools see best */
};

/* A property of the machine that readers of its rows must know. The text is printed once, the mark in each row. */
struct device_note {
    char mark[24];   /* "mps" */
    char text[232];  /* one sentence, without a full stop */
    unsigned traits; /* only rows of rungs with one of these traits have the mark (enum rung_traits); 0: all rows */
};

enum { DEVICE_NOTES_MAX = 12 };

/* Columns about the machine, constant during a run. Unknown: an empty text, or 0. */
struct device_info {
    char name[128];
    char uuid[80]; /* of several GPUs the first digits of each */
    char driver_version[32];
    char cuda_version[32];
    char blas_version[96]; /* on a CPU, with the core that the BLAS kernels were written for */
    char eviction[2][16];  /* how evict() works, indexed by `by_writing`: "read", "write", "flush-lines" */
    char affinity[64];     /* the CPUs that this process may run on: "0-3,8" */
    char governor[32];     /* the CPU frequency governor: "performance" */
    double power_limit_w;
    double sm_clock_set_mhz; /* the application clock of the GPU's multiprocessors (SMs) */
    int64_t threads;         /* that a parallel rung has; 0 on a GPU */
    int64_t multiprocessors; /* of a GPU; 0: it is none */
    int64_t cards;           /* GPUs that work together; 0: it is one */
    double tick_s;           /* resolution of the timer: the smallest difference between two marks */
    struct device_note notes[DEVICE_NOTES_MAX];
    int note_count;
};

/* Adds a note that marks all rungs, with its text formatted as by printf(). NULL: all DEVICE_NOTES_MAX are used. */
struct device_note *device_info_add_note(struct device_info *info, const char *mark, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A device's state at one moment. Unknown: NAN, or an empty text. */
struct device_state {
    double sm_clock_mhz, memory_clock_mhz; /* from the driver, which updates them every few milliseconds */
    double temperature_c;
    double power_w;
    char throttled[64];  /* why clocks are lowered: words joined by '+'; "no": they are not */
    int other_processes; /* other processes that use the device now; -1: unknown */
    /* Counters that only grow: use the difference between two states. */
    double energy_j;
    double cycles, cycles_at_s; /* cycles that one SM has counted, and the device's own clock at that moment */
    double lost_s;              /* CPU time of this machine that a hypervisor or a quota took away */
    double cpu_clock_mhz;       /* of the core that asks, measured now */
    double preemptions;         /* how often the kernel took a CPU from this process while it had work */
};

/* The work that measures a ceiling: the simplest that keeps one part of the device fully busy. */
enum ceiling_kind {
    CEILING_READ, /* reads `amount` bytes */
    CEILING_COPY, /* reads amount / 2 bytes and writes them to the other half */
    /* At least `amount` operations, in registers: */
    CEILING_FMA,  /* FP32 fused multiply-adds */
    CEILING_TF32, /* products of TF32 on tensor cores, summed in FP32 */
    CEILING_FP16, /* products of FP16, likewise */
    CEILING_KINDS,
};

/* A piece of the backend's memory. */
struct span {
    void *start;
    size_t bytes;
};

/* Which end of its pages a block of memory lies against, where pages that may not be touched stand on both sides. */
enum edge {
    EDGE_ANY,   /* the block is to be measured in: what is fast counts, and no page need stand beside it */
    EDGE_START, /* one byte before the block faults; the block is aligned as a page */
    EDGE_END,   /* one byte behind the block faults; the block is aligned as its size is */
};

/* How far launches came of which only the outermost blocks ran. */
enum edges_reached {
    EDGES_END,    /* the end of the answer should be there */
    EDGES_MISSED, /* it may be missing, for no fault of the rung's: a few threads go through all of the problem */
    EDGES_FAILED, /* a launch failed */
};

/* How an error ends that says that a simulator cannot do what a kernel does: nothing is known of the kernel then. */
#define NOT_SIMULATED ", which is not simulated"

/* The kernels of one call of a rung, and of that with the most threads its launch. Unknown: 0, NAN, or an empty text.
 */
struct kernel_launches {
    int64_t kernels; /* 0: nothing is known */
    char kernel[160];
    int64_t blocks, block_threads;
    int64_t blocks_at_once;   /* as many as the whole device holds */
    double occupancy_pct;     /* of the threads that it could hold: as many as these blocks have */
    char occupancy_limit[32]; /* what no further block would find room in */
    int64_t registers;        /* per thread */
    double local_bytes;       /* per thread, in memory: spilled registers, and arrays */
    double shared_bytes;      /* per block */
};

/* What warps do at a line of the source: `times` instructions, which take so many sectors of 32 bytes of global memory,
 * or turns at the banks of shared memory, where `needed` would hold the same bytes. */
struct warp_line {
    char place[64]; /* "tiled.cu:46" */
    bool is_shared, writes;
    double times, taken, needed;
};

enum { WARP_LINES = 8 };

/* The lines that take most beyond what they need come first. */
struct warp_accesses {
    int count; /* 0: nothing is known */
    struct warp_line lines[WARP_LINES];
    double loaded_bytes;   /* from global memory, by all threads; NAN: not all loads are counted */
    double thread_bytes;   /* of variables that a thread has at once, at most, about */
    char thread_place[64]; /* where that is */
};

enum { BACKEND_MARKS = 4, BACKEND_NO_SPIN = -1 };

/* An order in which a simulator can run the same work. CUDA allows every one of them. */
struct work_order {
    char name[32];     /* "shuffled, seed 2" */
    const char *shows; /* the mistake of a rung whose answer in this order differs from that in the first */
};

/* A graph: work recorded once and launched as a whole. One graph at a time. */
struct graphs {
    /* Work queued between begin() and end() is recorded and not run. After an error during recording, end() must still
     * be called. */
    const char *(*begin)(void);
    const char *(*end)(void);
    const char *(*queue)(void); /* all of it */
    void (*describe)(struct kernel_launches *launches);
};

/* What only a simulator can do. */
struct simulator {
    bool (*begin_program)(void); /* this process is a whole program from here on; false: it cannot be */
    size_t (*order_count)(void);
    const struct work_order *(*use_order)(size_t index); /* run() works in that order from now on; 0: the default one */
    /* For problems that are too large to be simulated: from now on run() does only what the outermost blocks of each
     * grid do, for so many elements of output; 0: all of it. Returns how far run() came since the last call. New memory
     * is then zeros, and only what is touched takes any. Launchers see so many multiprocessors, and if their
     * blocks are not fewer, these are taken to share out the problem. 0: as many as ever; then a few threads for all of
     * the problem do not start. */
    enum edges_reached (*edges)(uint64_t elements, int multiprocessors);
    /* Records from now on which block writes last to this memory; NULL stops it. */
    void (*watch)(const void *memory, size_t bytes);
    /* That block, "kernel K, block (1,0,0)", or NULL if none wrote. Traces it when it runs again, in the next run(). */
    const char *(*writer)(void);
    /* Which two of its threads use the same memory with no barrier between, with their lines; NULL: none was found. */
    const char *(*found)(void);
    /* From now on what warps load and store is counted; and up to now. */
    void (*begin_count)(void);
    void (*end_count)(struct warp_accesses *counted);
};

/* How a kernel of the user's own (bench/own/) becomes a shared object. */
#define TOOLCHAIN_HOME "@home/"

struct toolchain {
    const char *const *suffixes; /* of the files that it compiles: ".cu" */
    /* Of these the first that is there is used. A name without a slash is looked for on the PATH; "$NAME/..." begins
     * with the value of an environment variable. Ended by a NULL, as the flags are. */
    const char *const *compilers, *const *cpp_compilers; /* for .cpp; NULL: the same */
    const char *const *flags; /* after TOOLCHAIN_HOME stands a path below home_folder() (bench/base/home.h) */
    /* Headers around a file of the user's own, as paths in the source tree: they make rungs of its functions. */
    const char *before_solution, *after_solution; /* NULL: none */
    /* How names of functions begin that do the work of a kernel which calls them; ended by a NULL. */
    const char *const *libraries;
    const char *names;    /* of what a file may use and the compiler has not: a pattern; NULL: it has all */
    bool spells_launches; /* launches become words of kernels/device.h in every file, and asm a call */
    bool adds_streams;    /* to launches in such files that name none: they need that of the call */
    size_t dynamic_bytes; /* its assembly gets gaps between variables, and so large an extern array; 0: it stays */
    /* A section or a symbol that its shared objects have, and no other's; NULL: there is none. */
    const char *sign;
    /* A further flag, which says what it compiles for, valid until the next call; NULL: there is no such device. The
     * function is NULL where no flag is needed. `device` is that of the backend's settings. Opens no device. */
    const char *(*target)(int device);
};

/* For functions that return NULL or an error message: ends one of them with the message of this call, if there is one.
 */
#define TRY_CALL(call)                  \
    do {                                \
        const char *try_error = (call); \
        if (try_error)                  \
            return try_error;           \
    } while (0)

/* Functions that return `const char *` return NULL, or an error message that is valid until the next call.
 * All functions except before_start(), open() and device_count() may only be called between open() and close(), from
 * one thread. "Queued" means: the work runs after everything queued before it, and the call need not wait for it. A CPU
 * may run it immediately. */
struct backend {
    const struct toolchain *toolchain; /* compiles kernels of the user's own; NULL: there is none */

    /* Called before players are started: sets what libraries read from the environment before main(). NULL: nothing
     * to set. */
    void (*before_start)(void);

    /* Opens the device, or returns why it cannot be used (no driver, no such device). */
    const char *(*open)(const struct backend_settings *settings);
    void (*close)(void);
    int (*device_count)(void); /* NULL: --device does not apply */
    void (*describe)(struct device_info *info);

    size_t (*free_memory)(void); /* bytes that allocate() could provide now, roughly */
    /* Bytes that are allocated now, by rungs too, when all work is done; and the number of calls after which it shows
     * if each of them kept something. NULL where nobody counts. */
    size_t (*held_memory)(void);
    int leak_calls;
    /* Aligned to 256 bytes; lies against this edge of its pages where guard_page() says so. */
    const char *(*allocate)(size_t bytes, enum edge edge, void **memory);
    void (*release)(void *memory);
    /* Where an address lies, "8 bytes past the end of a buffer of 1200 bytes". False: near no buffer. Handlers of
     * signals may call it. NULL where host code cannot fault on this memory. */
    bool (*describe_address)(const void *address, char *text, size_t size);
    /* Lets the host's threads touch one block, or makes each access fault. NULL where they cannot. */
    void (*protect)(void *memory, bool accessible);
    /* Makes writes of rungs to one block fault, or allows them again. NULL where that cannot be. */
    void (*freeze)(void *memory, bool read_only);
    /* Accesses beyond the pages of a block fault; the rest of its own pages is the caller's. Bytes of such a page for
     * blocks that are allocated like this one; 0: nothing faults. NULL where nothing ever does. */
    size_t (*guard_page)(enum edge edge);
    /* Several cards work on a problem together (cards.h): memory of so many rows is split between them. Other memory
     * each has, and it is downloaded from one after the other. NULL: the device is one. */
    void (*split)(const void *memory, size_t bytes, int64_t rows);
    const char *(*pin)(void *host, size_t bytes); /* page-locks host memory for fast copies; NULL: not supported */
    void (*unpin)(void *host);

    /* Why the device cannot run rungs with these traits (enum rung_traits); NULL if it can. The function itself is NULL
     * where the device can run all. */
    const char *(*lacks)(unsigned traits);

    void *(*stream)(void);                                                 /* the `stream` argument of rungs */
    const char *(*upload)(void *memory, const void *host, size_t bytes);   /* queued */
    const char *(*download)(void *host, const void *memory, size_t bytes); /* queued */
    /* Queued: fills it as made.h says. The rows of `made` are the backend's memory. */
    const char *(*fill)(void *memory, size_t bytes, const struct made *made);
    const char *(*finish)(void); /* waits for all queued work and reports errors since the last call */
    /* The first thing outside its own memory that a rung has changed since open(), as in "the limit
     * cudaLimitStackSize", or NULL. It stays changed: what runs in this process later is not what it would be. The
     * function is NULL where there is nothing. */
    const char *(*changed)(void);

    /* Move the threads of CPU rungs to a CPU each: before a row begins; and directly before calls that are timed, if
     * the row's first ones used them. NULL where that is of no use. */
    void (*begin_row)(void);
    void (*begin_calls)(void);

    /* Evicts the `count` spans from the caches, together or one by one; queued. `by_writing`: writes to do so, as other
     * tools do, instead of reading. */
    const char *(*evict)(const struct span *spans, size_t count, bool by_writing);

    /* Work queued after hold() does not start before let_go(). A hold ends by itself within a second; `lapsed` tells
     * whether it did, in which case host latency is part of the measured time. NULL where run() is synchronous. */
    const char *(*hold)(void);
    const char *(*let_go)(bool *lapsed);
    /* Copies memory to the host immediately, bypassing the held queue. NULL where hold() is. */
    const char *(*peek)(void *host, const void *memory, size_t bytes);

    const char *(*mark)(int index); /* queued: records when the work before it is done; index < BACKEND_MARKS */
    const char *(*elapsed)(int from, int to, double *seconds); /* between two marks, after finish() */

    /* Waits for queued work, then reads the state. `brief`: leaves what takes milliseconds unknown, such as energy.
     * NULL where a device has none to read. */
    void (*read_state)(struct device_state *state, bool brief);

    /* Queued: a kernel that polls the device's nanosecond counter until this time has passed; 0: polls it as rarely as
     * possible; BACKEND_NO_SPIN: an empty kernel. */
    const char *(*spin)(int64_t nanoseconds);

    /* The device's ceilings. There are several variants of each kind of work; the fastest sets the ceiling. Queued.
     * `memory` is MADE_POSITIVE. */
    int (*ceiling_variants)(enum ceiling_kind kind); /* 0: this ceiling cannot be measured here */
    const char *(*ceiling)(enum ceiling_kind kind, int variant, void *memory, double amount);

    const char *(*profile)(bool starts); /* the start or end of what to profile; NULL: there are no profilers */

    /* Each NULL where there are none. */
    const struct graphs *graphs;
    const struct simulator *simulator;
};

/* Waits for what was queued, also after an error: that one, or else what went wrong since. */
static inline const char *backend_finish(const struct backend *backend, const char *error)
{
    const char *failed = backend->finish();
    return error ? error : failed;
}

#define BACKEND(name, requires, separate_memory, simulates, label) extern const struct backend name##_backend;
#include "rungs.def"

#ifdef __cplusplus
}
#endif

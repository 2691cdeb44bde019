/* The block that is simulated and its threads: which one runs, how a thread waits, how it is stopped. They take turns:
 * one runs until it waits or ends, and hands over to the next. */
#pragma once

#include "sim_launch.h"

SIM_C_BEGIN

/* Of the thread that runs, as in CUDA. */
#ifdef __cplusplus
extern SIM_OWN const struct uint3 threadIdx, blockIdx, blockDim, gridDim; /* as far as a thread can see */
#else
extern SIM_OWN struct uint3 threadIdx, blockIdx, blockDim, gridDim;
#endif

enum sim_copying { SIM_ASYNC, SIM_BULK, SIM_COPYINGS }; /* by cp.async to shared memory, by cp.async.bulk from it */
enum sim_state { SIM_READY, SIM_AT_BARRIER, SIM_IN_WARP, SIM_UNTIL, SIM_ENDED };

/* Whether what a thread waits for has come: of its memory and value. */
typedef bool sim_condition(const void *memory, uint64_t value);
/* Of an `unsigned`: that it is so large. */
sim_condition sim_has_reached;

struct sim_thread {
    struct uint3 index;
    enum sim_state state;
    const char *operation;  /* a wait or a copy that the thread is in; NULL: plain code */
    struct sim_place place; /* of the operation */
    uint32_t mask;          /* of lanes, in an exchange within the warp */
    int from;               /* the lane whose value it wants; -1: those of all */
    unsigned exchanges;     /* that it took part in, in this block */
    int fiber;              /* that it runs on; -1: it has not begun */
    uint64_t value;         /* what the thread brought to the barrier or the exchange; then what it heard from a lane */
    sim_condition *is_met;  /* that it waits for, and what it is asked of */
    const void *memory;
    bool has_arrived;      /* and has not waited, at the barrier of its group of blocks: sim_group.h */
    unsigned arrivals;     /* there */
    unsigned heard;        /* the block's events that were before its last wait */
    bool may_fail, failed; /* its wait, where nothing can go on */
    unsigned failures;     /* one after the other */
    uint32_t fenced;       /* when it last called fence.proxy.async */
    struct sim_copies {
        struct sim_copy *items; /* that it has asked for and not waited for, oldest first */
        size_t count;
        unsigned group;            /* the one that is open */
    } copies[SIM_COPYINGS];        /* sim_copy.h */
    unsigned products_begun;       /* by wgmma, in this block */
    struct sim_products *products; /* by wgmma that it has not waited for: sim_wgmma.h */
} __attribute__((aligned(64)));    /* what each wait needs is one line of the caches */

enum { SIM_TURN_WORDS = SIM_THREADS_MAX / 64 };

struct sim_turns {
    unsigned thread[SIM_THREADS_MAX], turn_of[SIM_THREADS_MAX];
    uint64_t ready[SIM_TURN_WORDS];      /* a bit for each turn whose thread can go on */
    uint64_t at_barrier[SIM_TURN_WORDS]; /* and whose thread is at a barrier */
    unsigned now;
};

/* Of a warp, the lanes that wait in an exchange and those that have ended. */
struct sim_warp {
    uint32_t waiting, ended;
};

/* The threads that are at a barrier. */
struct sim_meeting {
    unsigned count;
    int votes;
    struct sim_place place;
    bool is_mixed; /* they are at several */
};

enum { SIM_NAMED_BARRIERS = 16 };

/* bar.sync of a number and so many threads. */
struct sim_named_meeting {
    unsigned threads, arrived, phase;
    uint32_t warps; /* that have come */
};

struct sim_block {
    const struct sim_launch *launch; /* NULL: nothing runs */
    char kernel[128];                /* "kernel<4, true>" */
    struct uint3 index;
    uint64_t serial;         /* of this block; each block of this thread of the host has its own */
    unsigned count;          /* of threads */
    unsigned current;        /* the thread that runs */
    int votes;               /* at the last barrier */
    unsigned barriers;       /* that were passed */
    volatile bool in_atomic; /* the thread is inside an atomic function */
    bool waited_for_last;    /* one of its threads, for the launch before: sim_early.h */
    unsigned ended, until;   /* threads in these states */
    unsigned events;         /* arrivals at what threads wait for, other than barriers of the block */
    struct sim_turns turns;
    struct sim_warp warps[SIM_THREADS_MAX / SIM_WARP];
    struct sim_meeting barrier;
    struct sim_named_meeting named[SIM_NAMED_BARRIERS];
    struct sim_thread threads[SIM_THREADS_MAX];
};
extern SIM_OWN struct sim_block sim_block;

static inline struct sim_thread *sim_current(void)
{
    return &sim_block.threads[sim_block.current];
}

/* The same for headers that kernels include, whose accesses are looked at. NULL: nothing runs. */
const struct sim_launch *sim_launched(void);

/* Before the first block of a launch, in which at most so many threads run at the same time: there are fibers for them.
 */
void sim_turns_begin(unsigned threads);
/* All threads of a block are ready, in the turns that the order gives them. */
void sim_turns_shuffle(void);
/* Runs those that are ready until none is, or there is an error. */
void sim_turns_run(void);

/* The running thread waits until sim_ready() is called for it; other threads run meanwhile. */
void sim_wait(enum sim_state state, const char *operation, struct sim_place place);
/* The same, until the condition is met, from which on the thread has heard of the block's events. It is asked again
 * where sim_wake() is called. False: it is not, and sim_let_fail() was called. */
bool sim_wait_until(sim_condition *is_met, const void *memory, uint64_t value, const char *operation,
                    struct sim_place place);
/* Something has changed that threads of the block may wait for. Whether one can go on. */
bool sim_wake(void);
/* Nothing in the block can go on: one thread that may fail does. False: there is none. */
bool sim_let_fail(void);
void sim_ready(unsigned thread);
void sim_ready_at_barrier(void); /* all that are at one */
/* The same, but it may go on at once. */
void sim_pause(void);
/* Forgets what the block's threads have asked for and not waited for. */
void sim_drop_threads(void);
/* It has done all that it does in this block. */
void sim_end(void);

/* The thread did something wrong: the launch ends. The text is written as printf() does, in a few words; kernel, block,
 * thread and place come before it. */
void sim_accuse(unsigned thread, struct sim_place place, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same for the thread that runs. */
__attribute__((noreturn)) void sim_stop(struct sim_place place, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The launch must not run: it ends with this text alone. */
__attribute__((noreturn, format(printf, 1, 2))) void sim_refuse(const char *format, ...);

/* The kernel that a launch calls is known now. */
void sim_kernel_entered(const void *kernel);

/* NULL: no thread of this thread of the host has done anything wrong since sim_forget_error(). Where there is an error,
 * no thread runs on. */
const char *sim_error(void);
void sim_forget_error(void);
/* The launch failed in another thread of the host. NULL: it did not. */
void sim_take_error(const char *of_another);

const char *sim_short_name(const char *file); /* the last folder and the name: "matmul/tiled.cu" */

/* "matmul/tiled.cu:46"; without a line the words that are there instead. */
void sim_print_place(struct sim_place place, char *text, size_t size);

/* "kernel K<4>, block (1,0,0)": the one that runs. */
void sim_print_block(char *text, size_t size);

SIM_C_END

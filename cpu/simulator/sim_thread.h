/* The block that is being simulated, and its threads, for the files that make them wait. */
#ifndef RUNGBENCH_SIM_THREAD_H
#define RUNGBENCH_SIM_THREAD_H

#include "sim_copy.h"
#include "sim_grid.h"

#include <stdbool.h>

enum sim_state { SIM_READY, SIM_AT_BARRIER, SIM_IN_WARP, SIM_ENDED };

struct sim_thread {
    struct uint3 index;
    enum sim_state state;
    /* What it waits in, if it does, or is at that the processor knows no line of. NULL: nothing of that kind. */
    const char *operation;
    struct sim_place place;
    uint32_t mask;  /* of lanes, in a warp's exchange */
    uint64_t value; /* that it brought to the barrier or the exchange */
    uint64_t heard[SIM_WARP];
    struct sim_copies copies;
};

struct sim_block {
    const struct sim_launch *launch; /* NULL: nothing runs */
    uint64_t serial;                 /* no two blocks since the process began have the same */
    unsigned count;                  /* of threads */
    struct sim_thread threads[SIM_THREADS_MAX];
    unsigned current; /* the thread that runs */
    int votes;        /* at the last barrier */
};
extern struct sim_block sim_block;

static inline struct sim_thread *sim_current(void)
{
    return &sim_block.threads[sim_block.current];
}

/* sim_block.c. Open before the first block of a launch, which may fail for want of memory. */
bool sim_block_open(const struct sim_launch *launch);
void sim_block_run(void);
void sim_block_close(void);
/* The running thread lets the others run until somebody sets its state to SIM_READY. */
void sim_wait(enum sim_state state, const char *operation, struct sim_place place);
/* The running thread, for ever if there is error. */
void sim_leave(void);

/* sim_warp.c. A thread waits in an exchange, or ended: lets those go on who now have all that they wait for. */
void sim_warp_changed(unsigned thread);
/* A thread that this one waits for in its exchange; SIM_THREADS_MAX: none. */
unsigned sim_warp_missing(unsigned thread);

/* sim_error.c: what a launch's first wrong thread did; after it, no thread runs. NULL: nothing yet. */
const char *sim_error(void);
void sim_forget_error(void);
/* As sim_stop(), of a thread that does not run. */
void sim_blame(unsigned thread, struct sim_place place, const char *format, ...) __attribute__((format(printf, 3, 4)));
const char *sim_short_name(const char *file); /* "kernels/matmul/tiled.cu", of however long a path */
int sim_print_block(char *text, size_t size); /* "kernel K, block (1,0,0)" */
void sim_complete_reports(void);              /* a sanitizer's, with the thread */

#endif

/* Which block writes to a few bytes that are watched, and what race is in it, if its answer depends on the order of its
 * threads? Of that block every access to shared memory is noted, until two threads touch the same place with no barrier
 * between. */
#pragma once

#include "sim_launch.h"

/* Who wants to know of each access: sim_warps.h, and the watch below. Launches see what it is as they begin. */
enum { SIM_NOTES_WARPS = 1, SIM_NOTES_WRITER = 2 };
extern unsigned sim_notes;

extern bool sim_race_always; /* every block is traced */

/* From the next launch on, watches the first bytes of `memory`, 16 at most; NULL: no more. */
void sim_watch(const void *memory, size_t bytes);

/* The last block that changed the memory since sim_watch(), and its thread and line, as far as they are known: "kernel
 * K, block (1,0,0), thread (3,0,0), tiled.cu:46"; NULL: none did. Ends the watch, and traces that block when it runs
 * again.
 */
const char *sim_writer(void);

/* Whether a launch is watched, or a block of it is to be traced. */
bool sim_watches(void);

/* What was found then: "thread (1,0,0) writes at tiled.cu:42 what thread (0,0,0) reads at tiled.cu:46, with no barrier
 * between"; NULL: nothing. Valid until the next call. */
const char *sim_race_found(void);

/* Before a launch: what the host wrote since the last one is no block's doing. */
void sim_watch_launch(void);

/* Around a block, the one that runs. */
void sim_race_begin(void);
void sim_race_end(void);
/* The block goes on after others. */
void sim_race_resume(bool traces);

/* An access to shared memory by the thread that runs: by an instruction, or NULL at a place. */
struct sim_touch {
    const void *address;
    size_t bytes;
    const void *instruction;
    struct sim_place place;
    bool writes, is_atomic;
};
struct sim_place sim_touch_place(const struct sim_touch *touch);

extern SIM_OWN bool sim_race_traces; /* whether it wants to know */
void sim_race_note(const struct sim_touch *touch);
/* A write anywhere, by the thread that runs. */
void sim_race_wrote(const struct sim_touch *touch);

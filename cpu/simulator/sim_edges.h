/* Launches for problems that are too large to be simulated. Only the outermost blocks of a grid run, which compute the
 * end of the answer, as most kernels do it; and grids have no limit along y and z, so that the loops of their kernels
 * are as short as can be. */
#pragma once

#include "bench/table/backend.h"
#include "sim_launch.h"

/* As edges() of the backend. */
enum edges_reached sim_edges_use(uint64_t elements, int multiprocessors);

/* A launch failed. */
void sim_edges_fail(void);

/* How many of `count` blocks in a row run, and which is the i-th of them. */
unsigned sim_edges_count(unsigned count);
unsigned sim_edges_block(unsigned i, unsigned count);

/* Around the blocks of a launch. After some seconds of the processor's time the thread that runs is left for ever,
 * unless the host runs, and sim_edges_late() is true. */
void sim_edges_begin(const struct sim_launch *launch);
bool sim_edges_late(void);
void sim_edges_end(void);

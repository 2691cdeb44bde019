/* Runs one block: its threads are fibers that take turns. A thread runs until it waits for others, or ends. */
#pragma once

#include "sim_launch.h"

#include <stdbool.h>

/* Before the first block of a launch. False: no memory. */
bool sim_block_open(const struct sim_launch *launch);

/* Runs the block blockIdx, until all threads have ended or there is an error (sim_blame.h). */
void sim_block_run(void);

/* After the last block, or an error. */
void sim_block_close(void);

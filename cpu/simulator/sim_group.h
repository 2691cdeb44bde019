/* Blocks that run at the same time: those of a cluster, or of a grid that was launched cooperatively; else a block is
 * alone. One of them runs until none of its threads can go on; then another takes its place, and its shared memory
 * waits in an image, where the others of its cluster can reach it.
 *
 * Source: CUDA C++ Programming Guide, "Thread Block Clusters"; PTX ISA, "barrier.cluster", "mapa". */
#pragma once

#include "sim_launch.h"

SIM_C_BEGIN

/* Runs the blocks from `first` on, so many in each direction, to their ends or to the first error. */
void sim_group_run(struct uint3 first, struct uint3 size);

/* The barrier of all threads of the group that have not ended, in two halves. */
void sim_group_arrive(struct sim_place place);
void sim_group_wait(struct sim_place place, const char *operation);
/* A thread of the block has ended. */
void sim_group_leave(unsigned thread);

/* Of the cluster alone. */
unsigned sim_cluster_size(void);
unsigned sim_cluster_rank(void);
/* The place in the shared memory of the block of that rank that corresponds to one in this block's. */
void *sim_cluster_map(struct sim_place place, const void *shared, unsigned rank);

SIM_C_END

/* A few bytes of memory that are watched: which block writes to them? */
#pragma once

#include "sim_launch.h"

#include <stddef.h>

/* From the next launch on, watches the first bytes of `memory`, 16 at most; NULL: no more. */
void sim_watch(const void *memory, size_t bytes);

/* Before a launch: what the host wrote since the last one is no block's doing. */
void sim_watch_launch(void);

/* After each block: remembers it if the memory changed. */
void sim_watch_block(const struct sim_launch *launch, struct uint3 block);

/* The last block that changed the memory since sim_watch(), "kernel K, block (1,0,0)"; NULL: none did. Traces it when
 * it runs again. */
const char *sim_writer(void);

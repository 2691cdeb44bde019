/* The shared memory of the kernel that runs: the arrays of its block, and the images of those of blocks that run at the
 * same time and wait for their turn. */
#pragma once

#include "sim_arrays.h"
#include "sim_launch.h"

SIM_C_BEGIN

/* `region` has no bytes before the kernel is known. Its arrays are open that the block has touched. */
extern SIM_OWN struct sim_shared {
    struct sim_region region;
    uint64_t serial;     /* of the block whose arrays are open */
    size_t static_bytes; /* of them that are not dynamic */
    unsigned rank;       /* of the block, among those that run at the same time */
} sim_shared;

/* The kernel is known, or none is any more. */
void sim_shared_begin(const struct sim_region *region, size_t dynamic_bytes);
void sim_shared_end(void);
/* The block is another one, which has touched none. */
void sim_shared_renew(uint64_t serial);
void sim_shared_open(const struct sim_array *array);

/* Images, by the ranks of the blocks that run at the same time. `begin`: there are so many, of new blocks. */
void sim_images_begin(unsigned count);
void sim_image_put_away(unsigned rank);
void sim_image_take_up(unsigned rank, uint64_t serial);
void sim_image_close(unsigned rank); /* the block has ended */

/* Whether that lies in an image. */
bool sim_images_hold(const void *memory);
/* The offset in its block's shared memory; SIZE_MAX: that block has ended. Its array is open from now on. */
size_t sim_image_offset(const void *memory);
/* The rank of the block whose memory that is; UINT32_MAX: it is not shared memory. */
unsigned sim_shared_rank_of(const void *memory);
static inline bool sim_is_shared(const void *memory)
{
    return sim_shared_rank_of(memory) != UINT32_MAX;
}

/* The place in the memory of the block of that rank that corresponds to one in this block's. */
void *sim_shared_map(const void *memory, unsigned rank);

/* Addresses in shared memory as PTX has them, of 32 bits: a multiple of 1,024 where the memory's own is one. Above the
 * lower 24 bits they have the block's rank and 1, or 0 for this one. NULL: there is
 * no such address. */
uint32_t sim_shared_address(const void *memory);
void *sim_shared_memory(uint32_t address);

SIM_C_END

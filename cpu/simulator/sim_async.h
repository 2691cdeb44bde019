/* What goes on beside the threads of a block from compute capability 9.0 on: barriers in shared memory that count
 * arrivals and bytes, bulk copies that report to them, and the fences that this takes.
 *
 * Source: PTX ISA, "mbarrier", "cp.async.bulk", "cp.async.bulk.tensor", "Async proxy", "bar, barrier". */
#pragma once

#include "sim_tensor.h"

SIM_C_BEGIN

/* A barrier goes through phases, whose parity is 0, 1, 0, ... One ends when so many arrivals have come, and all bytes
 * that were announced. */
void sim_mbarrier_make(struct sim_place place, uint64_t *barrier, uint32_t arrivals);
/* `arrivals` may be 0: then bytes are announced alone. Returns the parity of the phase that it was in. */
uint32_t sim_mbarrier_arrive(struct sim_place place, uint64_t *barrier, uint32_t arrivals, uint32_t bytes);
/* Until the phase of that parity has ended. */
void sim_mbarrier_wait(struct sim_place place, const uint64_t *barrier, uint32_t parity);
/* The same; but where nothing in the block can go on it returns false, now and then. */
bool sim_mbarrier_test(struct sim_place place, const uint64_t *barrier, uint32_t parity);

/* Copies to shared memory, and tells the barrier. `bytes` and the addresses are multiples of 16. */
void sim_bulk_load(struct sim_place place, void *shared, const void *from, size_t bytes, uint64_t *barrier);
/* Copies from shared memory, in the thread's group that is open: sim_copy.h. */
void sim_bulk_store(struct sim_place place, void *to, const void *shared, size_t bytes);

/* The same of a box of a tensor; zeros are loaded for what is outside of it. */
void sim_box_load(struct sim_place place, void *shared, const struct sim_box *box, uint64_t *barrier);
void sim_box_store(struct sim_place place, const struct sim_box *box, void *shared);

/* An access by bulk copies or wgmma, as sim_access_begin(): sim_proxy.h. */
void sim_proxy_begin(struct sim_place place, const char *operation, const void *memory, size_t bytes, bool writes);

/* Barrier 1 to 15 of the block, of so many threads; who only arrives goes on. */
void sim_named_barrier(struct sim_place place, unsigned number, unsigned threads, bool waits);

/* Where nothing in the block can go on: copies arrive. Whether one did. */
bool sim_async_arrive(void);
/* The block is over. */
void sim_async_end(void);

SIM_C_END

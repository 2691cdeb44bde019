/* Simulated products of Hopper's tensor cores: four warps multiply 64 rows by up to 256 columns, with factors in shared
 * memory, while their threads go on. Sums as in sim_mma.h. Which lane holds which elements: kernels/wgmma.h.
 *
 * Source: PTX ISA, "wgmma.mma_async", "Matrix descriptor", "wgmma.fence". */
#pragma once

#include "sim_mma.h"

SIM_C_BEGIN

/* sums = a b, or sums += a b if `add`; sums and a belong to the product until it has been waited for. */
struct sim_wgmma {
    enum sim_mma_format format;
    unsigned columns;  /* 8 to 256 */
    const uint32_t *a; /* four registers; NULL: they are copied, or it lies in shared memory */
    bool is_copied;
    uint32_t copied[4];
    uint64_t a_descriptor, b_descriptor;
    bool is_a_across, is_b_across; /* in shared memory rows of k lie side by side, not columns: of 16 bits alone */
    float *sums;                   /* columns / 2 */
    bool add;
};

/* All four warps call each of these together. */
void sim_wgmma_fence(void);
void sim_wgmma_multiply(struct sim_place place, const struct sim_wgmma *product);
void sim_wgmma_commit(void);
void sim_wgmma_wait(struct sim_place place, unsigned groups_left);

/* The thread ends. */
void sim_wgmma_end(void);
void sim_wgmma_drop(unsigned thread);
/* The block ends. */
void sim_wgmma_end_block(void);

SIM_C_END

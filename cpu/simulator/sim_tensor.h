/* Tensors in global memory, of which bulk copies take boxes to and from shared memory.
 *
 * Source: CUDA Driver API, "Tensor Map Object Management"; PTX ISA, "Tensors", "Swizzling modes". */
#pragma once

#include "sim_launch.h"

SIM_C_BEGIN

enum { SIM_TENSOR_RANK = 5, SIM_TENSOR_PIECE = 16, SIM_TENSOR_ALIGNMENT = 128 };

/* What is in a CUtensorMap. Dimensions begin with the one whose elements lie side by side. */
struct sim_tensor {
    uint64_t magic;
    char *data;
    const char *beyond;                    /* what of it is not simulated; NULL: nothing */
    uint64_t strides[SIM_TENSOR_RANK - 1]; /* in bytes, of the dimensions behind the first */
    uint32_t last[SIM_TENSOR_RANK];        /* index */
    uint16_t box[SIM_TENSOR_RANK];
    uint8_t rank, element_bytes;
    uint8_t swizzled; /* as many pieces of 16 bytes change their places: 1, 2, 4 or 8 */
};

/* The arguments of cuTensorMapEncodeTiled(), its enumerations as numbers. False: they are not as they must be. */
struct sim_tensor_form {
    int type, interleave, swizzle, fill;
    uint32_t rank;
    void *data;
    const uint64_t *sizes, *strides;
    const uint32_t *box, *steps;
};
bool sim_tensor_make(void *map, const struct sim_tensor_form *form);

/* Whose first element is at those coordinates, some of which may be outside of the tensor. */
struct sim_box {
    struct sim_tensor of;
    int32_t at[SIM_TENSOR_RANK];
};
/* Of the tensor map that lies there. */
struct sim_box sim_box_of(struct sim_place place, const void *map, unsigned rank, const int32_t at[]);
size_t sim_box_bytes(const struct sim_box *box);

/* 16 bytes of a box that begins at `shared`. The first `bytes` are the tensor's, at `global`; others are outside of it.
 */
struct sim_piece {
    char *shared, *global;
    size_t bytes;
};
struct sim_piece sim_box_piece(const struct sim_box *box, char *shared, size_t number);

SIM_C_END

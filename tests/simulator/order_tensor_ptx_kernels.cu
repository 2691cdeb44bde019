/* What goes wrong between boxes of tensors that are copied and who uses them. */
#include "order_kernels.h"
#include "ptx.h"

#include "kernels/launch.h"

#include <cuda.h>

constexpr int ROW_BYTES = TURN_BLOCK * sizeof(int);

/* A row of the tensor has a block's numbers. */
#define KERNEL(name)                                                                                              \
    template <bool MENDED>                                                                                        \
    static __global__ void name(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to, \
                                int *out)
#define PLACE                                      \
    const int t = (int)threadIdx.x;                \
    __shared__ __align__(128) int row[TURN_BLOCK]; \
    __shared__ uint64_t arrived;                   \
    int *own = out + (int)blockIdx.x * TURN_BLOCK; \
    (void)to

static __device__ void load_row(int *row, const CUtensorMap *map, int x, int y, uint64_t *barrier, int bytes)
{
    expect_bytes(barrier, (unsigned)bytes);
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_of(row)),
                 "l"(map), "r"(x), "r"(y), "r"(shared_of(barrier))
                 : "memory");
}

/* By one thread: starts a copy of the block's numbers to its row. */
static __device__ void begin_copy(int *row, const CUtensorMap *map, uint64_t *barrier, int bytes = ROW_BYTES, int x = 0)
{
    make_barrier(barrier);
    load_row(row, map, x, (int)blockIdx.x, barrier, bytes);
}

static __device__ void store_row(const CUtensorMap *map, int y, const int *row)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];\n"
                 "cp.async.bulk.commit_group;" ::"l"(map),
                 "r"(0), "r"(y), "r"(shared_of(row))
                 : "memory");
}

static __device__ void wait_for_stores()
{
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

/* A block takes its numbers, turned, from its row, which begins `shift` elements into memory. */
static __device__ void take_turned(const CUtensorMap &from, int *out, int shift, int bytes, int x)
{
    __shared__ __align__(128) int memory[TURN_BLOCK + 4];
    __shared__ uint64_t arrived;
    int *row = memory + shift;
    if (threadIdx.x == 0)
        begin_copy(row, &from, &arrived, bytes, x);
    __syncthreads();
    wait_for_barrier(&arrived, 0);
    out[blockIdx.x * TURN_BLOCK + threadIdx.x] = row[63 - threadIdx.x];
}

#define TAKE_KERNEL(name, shift, bytes, x)         \
    KERNEL(name)                                   \
    {                                              \
        (void)to;                                  \
        take_turned(from, out, (shift), bytes, x); \
    }
TAKE_KERNEL(tensor_of_too_few_bytes, 0, MENDED ? ROW_BYTES : ROW_BYTES / 2, 0)
TAKE_KERNEL(tensor_of_too_many_bytes, 0, MENDED ? ROW_BYTES : ROW_BYTES + 16, 0)
TAKE_KERNEL(tensor_off_its_pieces, 0, ROW_BYTES, MENDED ? 0 : -1)
TAKE_KERNEL(tensor_misaligned, MENDED ? 0 : 4, ROW_BYTES, 0)
TAKE_KERNEL(tensor_interleaved, 0, ROW_BYTES, 0) /* as the launcher makes the map */

KERNEL(tensor_without_map)
{
    __shared__ CUtensorMap copied;
    (void)to;
    if (threadIdx.x < 16)
        copied.opaque[threadIdx.x] = MENDED ? from.opaque[threadIdx.x] : 0;
    __syncthreads();
    take_turned(MENDED ? from : copied, out, 0, ROW_BYTES, 0);
}

/* 256 bytes past the end of the numbers are a row of a tensor that is too large. */
KERNEL(tensor_larger_than_buffer)
{
    PLACE;
    if (t == 0)
        begin_copy(row, &from, &arrived);
    __syncthreads();
    wait_for_barrier(&arrived, 0);
    own[t] = row[63 - t];
    __syncthreads();
    if (t == 0)
        load_row(row, &from, 0, MENDED ? 5 : 4, &arrived, ROW_BYTES);
    wait_for_barrier(&arrived, 1);
}

KERNEL(tensor_of_fewer_dimensions)
{
    PLACE;
    if (t == 0) {
        begin_copy(row, &from, &arrived);
        if (!MENDED)
            asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes "
                         "[%0], [%1, {%2}], [%3];" ::"r"(shared_of(row)),
                         "l"(&from), "r"(0), "r"(shared_of(&arrived))
                         : "memory");
    }
    __syncthreads();
    wait_for_barrier(&arrived, 0);
    own[t] = row[63 - t];
}

enum fault { NONE, NOT_FENCED, PUT_BEFORE, OVERWRITTEN, NOT_WAITED_FOR };

/* A block turns its numbers in its row, and puts them where they belong. */
template <fault FAULT>
static __device__ void put_turned(const CUtensorMap &from, const CUtensorMap &to)
{
    __shared__ __align__(128) int row[TURN_BLOCK];
    __shared__ uint64_t arrived;
    const int t = (int)threadIdx.x, block = (int)blockIdx.x;
    if (t == 0)
        begin_copy(row, &from, &arrived);
    __syncthreads();
    wait_for_barrier(&arrived, 0);
    const int turned = row[63 - t];
    __syncthreads();
    row[t] = turned;
    if (FAULT != NOT_FENCED)
        see_shared();
    __syncthreads();
    if (t > 0)
        return;
    store_row(&to, FAULT == PUT_BEFORE ? block - 1 : block, row);
    if (FAULT == OVERWRITTEN)
        row[0] = 0;
    if (FAULT != NOT_WAITED_FOR)
        wait_for_stores();
    row[0] = 0;
}

#define STORE_KERNEL(name, fault)                    \
    KERNEL(name)                                     \
    {                                                \
        (void)out;                                   \
        put_turned<MENDED ? NONE : fault>(from, to); \
    }
STORE_KERNEL(tensor_stored_without_fence, NOT_FENCED)
STORE_KERNEL(tensor_put_before, PUT_BEFORE)
STORE_KERNEL(tensor_source_overwritten, OVERWRITTEN)
STORE_KERNEL(tensor_store_not_waited_for, NOT_WAITED_FOR)

/* Of rows as long as a block. A tensor of one row too many is one that is larger than its buffer. */
static CUtensorMap rows_of(const int *data, int64_t n, bool is_interleaved, bool is_larger)
{
    CUtensorMap map = {};
    const cuuint64_t sizes[] = {TURN_BLOCK, (cuuint64_t)(n / TURN_BLOCK) + (is_larger ? 1 : 0), 1},
                     strides[] = {ROW_BYTES, ROW_BYTES};
    const cuuint32_t box[] = {TURN_BLOCK, 1, 1}, steps[] = {1, 1, 1};
    (void)cuTensorMapEncodeTiled(
        &map, CU_TENSOR_MAP_DATA_TYPE_INT32, is_interleaved ? 3 : 2, (void *)data, sizes, strides, box, steps,
        is_interleaved ? CU_TENSOR_MAP_INTERLEAVE_16B : CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
        CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return map;
}

#define TURN_LAUNCH(name, mended, ...)                                                                   \
    const bool is_interleaved = !(mended) && strcmp(#name, "tensor_interleaved") == 0;                   \
    const bool is_larger = strcmp(#name, "tensor_larger_than_buffer") == 0;                              \
    LAUNCH(name<mended>, blocks, TURN_BLOCK, 0, stream, rows_of(p->in, p->n, is_interleaved, is_larger), \
           rows_of(p->out, p->n, false, false), p->out)
TENSOR_KERNELS(TURN_RUNGS)

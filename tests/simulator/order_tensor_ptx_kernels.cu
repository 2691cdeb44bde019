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
#define PLACE                                                                 \
    [[maybe_unused]] const int t = (int)threadIdx.x, block = (int)blockIdx.x; \
    __shared__ __align__(128) int row[TURN_BLOCK];                            \
    __shared__ uint64_t arrived;                                              \
    [[maybe_unused]] int *own = out + (int)blockIdx.x * TURN_BLOCK;           \
    (void)from, (void)to

static __device__ void see_shared()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

static __device__ void make_barrier(uint64_t *barrier)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_of(barrier)) : "memory");
    see_shared();
}

static __device__ void wait_for(const uint64_t *barrier, unsigned parity)
{
    asm volatile("{ .reg .pred ended;\n"
                 "again: mbarrier.try_wait.parity.shared::cta.b64 ended, [%0], %1;\n"
                 "@!ended bra again; }" ::"r"(shared_of(barrier)),
                 "r"(parity)
                 : "memory");
}

static __device__ void load_row(int *row, const CUtensorMap *map, int y, uint64_t *barrier, int bytes = ROW_BYTES,
                                int x = 0)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%4], %5;\n"
                 "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_of(row)),
                 "l"(map), "r"(x), "r"(y), "r"(shared_of(barrier)), "r"(bytes)
                 : "memory");
}

/* By one thread: starts a copy of the block's numbers to its row. */
static __device__ void begin_copy(int *row, const CUtensorMap *map, uint64_t *barrier, int bytes = ROW_BYTES, int x = 0)
{
    make_barrier(barrier);
    load_row(row, map, (int)blockIdx.x, barrier, bytes, x);
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

KERNEL(tensor_of_too_few_bytes)
{
    PLACE;
    if (t == 0)
        begin_copy(row, &from, &arrived, MENDED ? ROW_BYTES : ROW_BYTES / 2);
    __syncthreads();
    wait_for(&arrived, 0);
    own[t] = row[63 - t];
}

KERNEL(tensor_of_too_many_bytes)
{
    PLACE;
    if (t == 0)
        begin_copy(row, &from, &arrived, MENDED ? ROW_BYTES : ROW_BYTES + 16);
    __syncthreads();
    wait_for(&arrived, 0);
    own[t] = row[63 - t];
}

KERNEL(tensor_off_its_pieces)
{
    PLACE;
    if (t == 0)
        begin_copy(row, &from, &arrived, ROW_BYTES, MENDED ? 0 : -1);
    __syncthreads();
    wait_for(&arrived, 0);
    own[t] = row[63 - t];
}

KERNEL(tensor_misaligned)
{
    PLACE;
    __shared__ __align__(128) int wide[TURN_BLOCK + 4];
    int *begin = wide + (MENDED ? 0 : 4);
    (void)row;
    if (t == 0)
        begin_copy(begin, &from, &arrived);
    __syncthreads();
    wait_for(&arrived, 0);
    own[t] = begin[63 - t];
}

KERNEL(tensor_without_map)
{
    PLACE;
    __shared__ CUtensorMap copied;
    if (t < 16)
        copied.opaque[t] = MENDED ? from.opaque[t] : 0;
    __syncthreads();
    if (t == 0)
        begin_copy(row, MENDED ? &from : &copied, &arrived);
    __syncthreads();
    wait_for(&arrived, 0);
    own[t] = row[63 - t];
}

/* 256 bytes past the end of the numbers are a row of a tensor that is too large. */
KERNEL(tensor_larger_than_buffer)
{
    PLACE;
    if (t == 0)
        begin_copy(row, &from, &arrived);
    __syncthreads();
    wait_for(&arrived, 0);
    own[t] = row[63 - t];
    __syncthreads();
    if (t == 0)
        load_row(row, &from, MENDED ? 5 : 4, &arrived);
    wait_for(&arrived, 1);
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
    wait_for(&arrived, 0);
    own[t] = row[63 - t];
}

static __device__ void fill_turned(int *row, const CUtensorMap *from, uint64_t *arrived)
{
    const int t = (int)threadIdx.x;
    if (t == 0)
        begin_copy(row, from, arrived);
    __syncthreads();
    wait_for(arrived, 0);
    const int turned = row[63 - t];
    __syncthreads();
    row[t] = turned;
}

KERNEL(tensor_stored_without_fence)
{
    PLACE;
    fill_turned(row, &from, &arrived);
    if (MENDED)
        see_shared();
    __syncthreads();
    if (t == 0) {
        store_row(&to, block, row);
        wait_for_stores();
    }
}

KERNEL(tensor_put_before)
{
    PLACE;
    fill_turned(row, &from, &arrived);
    see_shared();
    __syncthreads();
    if (t == 0) {
        store_row(&to, MENDED ? block : block - 1, row);
        wait_for_stores();
    }
}

KERNEL(tensor_source_overwritten)
{
    PLACE;
    fill_turned(row, &from, &arrived);
    see_shared();
    __syncthreads();
    if (t == 0) {
        store_row(&to, block, row);
        if (MENDED)
            wait_for_stores();
        row[0] = 0;
        wait_for_stores();
    }
}

KERNEL(tensor_store_not_waited_for)
{
    PLACE;
    fill_turned(row, &from, &arrived);
    see_shared();
    __syncthreads();
    if (t == 0) {
        store_row(&to, block, row);
        if (MENDED)
            wait_for_stores();
    }
}

/* As the launcher makes the map. */
KERNEL(tensor_interleaved)
{
    PLACE;
    if (t == 0)
        begin_copy(row, &from, &arrived);
    __syncthreads();
    wait_for(&arrived, 0);
    own[t] = row[63 - t];
}

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

#define TURN_RUNG(name, suffix, mended)                                                                       \
    const char *turn_##name##suffix(const void *problem, void *stream)                                        \
    {                                                                                                         \
        const struct turn_problem *p = (const struct turn_problem *)problem;                                  \
        const bool is_interleaved = !(mended) && strcmp(#name, "tensor_interleaved") == 0;                    \
        const bool is_larger = strcmp(#name, "tensor_larger_than_buffer") == 0;                               \
        LAUNCH(name<mended>, (unsigned)(p->n / TURN_BLOCK), TURN_BLOCK, 0, (cudaStream_t)stream,              \
               rows_of(p->in, p->n, is_interleaved, is_larger), rows_of(p->out, p->n, false, false), p->out); \
        return launch_error("a rung");                                                                        \
    }
#define TURN_RUNGS(name, ...) \
    TURN_RUNG(name, , false)  \
    TURN_RUNG(name, _mended, true)
TENSOR_KERNELS(TURN_RUNGS)

/* Boxes of tensors. */
#include "ptx.h"
#include "right_kernels.h"

#include "kernels/launch.h"

#include <cuda.h>
#include <cuda/barrier>

#define LAUNCHER(name) const char *right_##name(const uint32_t *in, uint32_t *out, void *opaque)

typedef CUresult encode_tiled(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *,
                              const cuuint64_t *, const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave,
                              CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

/* The driver's function, without its library. */
static encode_tiled *encoder()
{
    void *function = nullptr;
    cudaDriverEntryPointQueryResult status;
#if CUDART_VERSION >= 12050
    (void)cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &status);
#else
    (void)cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &status);
#endif
    return (encode_tiled *)function;
}

/* Of a tensor, and of its boxes. */
struct shape {
    CUtensorMapDataType type;
    CUtensorMapSwizzle swizzle;
    unsigned rank;
    cuuint64_t sizes[6], strides[5];
    cuuint32_t box[6], steps[6];
};

static bool encode(CUtensorMap *map, const struct shape *shape, const void *data)
{
    encode_tiled *function = encoder();
    return function && function(map, shape->type, shape->rank, (void *)data, shape->sizes, shape->strides, shape->box,
                                shape->steps, CU_TENSOR_MAP_INTERLEAVE_NONE, shape->swizzle,
                                CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

struct coordinates {
    int at[5];
};

#if HAS_HOPPER
#define LOAD_BOX "cp.async.bulk.tensor."
#define TO_SHARED "d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, "
#define STORE_BOX "d.global.shared::cta.tile.bulk_group [%1, "

static __device__ void load_box(int rank, void *to, const CUtensorMap *map, const struct coordinates &at,
                                const uint64_t *barrier)
{
#define LOAD(rank, coordinates)                                                                                     \
    asm volatile(LOAD_BOX #rank TO_SHARED coordinates "], [%2];" ::"r"(shared_of(to)), "l"(map),                    \
                 "r"(shared_of(barrier)), "r"(at.at[0]), "r"(at.at[1]), "r"(at.at[2]), "r"(at.at[3]), "r"(at.at[4]) \
                 : "memory")
    switch (rank) {
    case 1: LOAD(1, "{%3}"); break;
    case 2: LOAD(2, "{%3, %4}"); break;
    case 3: LOAD(3, "{%3, %4, %5}"); break;
    case 4: LOAD(4, "{%3, %4, %5, %6}"); break;
    default: LOAD(5, "{%3, %4, %5, %6, %7}"); break;
    }
#undef LOAD
}

static __device__ void store_box(int rank, const void *from, const CUtensorMap *map, const struct coordinates &at)
{
#define STORE(rank, coordinates)                                                                                  \
    asm volatile(LOAD_BOX #rank STORE_BOX coordinates "], [%0];" ::"r"(shared_of(from)), "l"(map), "r"(at.at[0]), \
                 "r"(at.at[1]), "r"(at.at[2]), "r"(at.at[3]), "r"(at.at[4])                                       \
                 : "memory")
    switch (rank) {
    case 1: STORE(1, "{%2}"); break;
    case 2: STORE(2, "{%2, %3}"); break;
    case 3: STORE(3, "{%2, %3, %4}"); break;
    case 4: STORE(4, "{%2, %3, %4, %5}"); break;
    default: STORE(5, "{%2, %3, %4, %5, %6}"); break;
    }
#undef STORE
}
#endif

/* Takes a box, shows it as it lies in shared memory, and puts it, changed, elsewhere. */
static __global__ void copy_box(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to,
                                int rank, uint32_t words, struct coordinates take, struct coordinates put,
                                uint32_t *seen)
{
#if HAS_HOPPER
    __shared__ __align__(1024) uint32_t box[512];
    __shared__ uint64_t arrived;
    if (threadIdx.x == 0) {
        asm volatile("prefetch.tensormap [%0];" ::"l"(&from) : "memory");
        make_barrier(&arrived);
        expect_bytes(&arrived, words * 4);
        load_box(rank, box, &from, take, &arrived);
    }
    __syncthreads();
    wait_for_barrier(&arrived, 0);
    for (uint32_t i = threadIdx.x; i < words; i += blockDim.x) {
        seen[i] = box[i];
        box[i] ^= 0x01010101;
    }
    see_shared();
    __syncthreads();
    if (threadIdx.x == 0) {
        store_box(rank, box, &to, put);
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
#endif
}

/* Of each number of dimensions and each swizzle; the boxes stick out of the tensors: at both ends where they are taken
 * from, at the far one where they are put. */
LAUNCHER(tensor_boxes)
{
    enum { WORDS = 512, CASES = 7 };
    static const struct {
        struct shape shape;
        struct coordinates take, put;
    } cases[CASES] = {
        {{CU_TENSOR_MAP_DATA_TYPE_UINT32, CU_TENSOR_MAP_SWIZZLE_NONE, 1, {101}, {}, {64}, {1}}, {{52}}, {{60}}},
        {{CU_TENSOR_MAP_DATA_TYPE_UINT16, CU_TENSOR_MAP_SWIZZLE_32B, 2, {50, 18}, {112}, {16, 24}, {1, 1}},
         {{-8, 5}},
         {{40, 7}}},
        {{CU_TENSOR_MAP_DATA_TYPE_FLOAT32, CU_TENSOR_MAP_SWIZZLE_64B, 2, {14, 30}, {64}, {16, 17}, {1, 1}},
         {{-4, 20}},
         {{8, 20}}},
        {{CU_TENSOR_MAP_DATA_TYPE_UINT8,
          CU_TENSOR_MAP_SWIZZLE_128B,
          3,
          {100, 5, 3},
          {112, 576},
          {128, 4, 3},
          {1, 1, 1}},
         {{-16, 1, 1}},
         {{32, 2, 1}}},
        {{CU_TENSOR_MAP_DATA_TYPE_INT64,
          CU_TENSOR_MAP_SWIZZLE_NONE,
          4,
          {5, 4, 3, 2},
          {48, 192, 640},
          {2, 3, 2, 2},
          {1, 1, 1, 1}},
         {{4, -1, 2, 1}},
         {{4, 2, 2, 1}}},
        {{CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
          CU_TENSOR_MAP_SWIZZLE_NONE,
          5,
          {9, 3, 3, 2, 2},
          {32, 96, 288, 576},
          {8, 2, 2, 2, 2},
          {1, 1, 1, 1, 1}},
         {{8, 2, 1, -1, 1}},
         {{8, 2, 2, 1, 0}}},
        {{CU_TENSOR_MAP_DATA_TYPE_FLOAT16, CU_TENSOR_MAP_SWIZZLE_128B, 2, {64, 12}, {144}, {64, 12}, {1, 1}},
         {{0, 0}},
         {{0, 0}}},
    };
    for (int i = 0; i < CASES; i++, out += 2 * WORDS) {
        const struct shape *shape = &cases[i].shape;
        uint32_t bytes = shape->type == CU_TENSOR_MAP_DATA_TYPE_INT64     ? 8
                         : shape->type == CU_TENSOR_MAP_DATA_TYPE_UINT8   ? 1
                         : shape->type == CU_TENSOR_MAP_DATA_TYPE_UINT32  ? 4
                         : shape->type == CU_TENSOR_MAP_DATA_TYPE_FLOAT32 ? 4
                                                                          : 2;
        CUtensorMap from, to;
        for (unsigned d = 0; d < shape->rank; d++)
            bytes *= shape->box[d];
        if (!encode(&from, shape, in + 64 * i) || !encode(&to, shape, out + WORDS))
            return "a tensor map is refused";
        LAUNCH(copy_box, 1, 64, 0, (cudaStream_t)opaque, from, to, (int)shape->rank, bytes / 4, cases[i].take,
               cases[i].put, out);
    }
    return launch_error(__func__);
}

/* In the words of libcu++: a box and a row come, and go elsewhere. */
static __global__ void copy_by_barrier(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to,
                                       const uint32_t *in, uint32_t *out)
{
#if HAS_HOPPER
    namespace words = cuda::device::experimental;
    __shared__ alignas(128) uint32_t box[2][4][32];
    __shared__ alignas(uint4) uint32_t row[64];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
    const uint32_t t = threadIdx.x;
    if (t == 0) {
        init(&arrived, blockDim.x);
        words::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    cuda::barrier<cuda::thread_scope_block>::arrival_token token;
    if (t == 0) {
        words::cp_async_bulk_tensor_3d_global_to_shared(box, &from, -4, 2, 3, arrived);
        words::cp_async_bulk_global_to_shared(row, in + 512, sizeof row, arrived);
        token = cuda::device::barrier_arrive_tx(arrived, 1, sizeof box + sizeof row);
    } else {
        token = arrived.arrive();
    }
    arrived.wait(std::move(token));
    box[t / 32][3][t % 32] += row[t];
    words::fence_proxy_async_shared_cta();
    arrived.arrive_and_wait();
    if (t == 0) {
        words::cp_async_bulk_tensor_3d_shared_to_global(&to, 8, 0, 1, box);
        words::cp_async_bulk_shared_to_global(out, row, sizeof row);
        words::cp_async_bulk_commit_group();
        words::cp_async_bulk_wait_group_read<0>();
    }
#endif
}

LAUNCHER(tensor_barriers)
{
    const struct shape shape = {
        CU_TENSOR_MAP_DATA_TYPE_UINT32, CU_TENSOR_MAP_SWIZZLE_NONE, 3, {33, 5, 4}, {144, 720}, {32, 4, 2}, {1, 1, 1}};
    CUtensorMap from, to;
    if (!encode(&from, &shape, in) || !encode(&to, &shape, out + 64))
        return "a tensor map is refused";
    LAUNCH(copy_by_barrier, 1, 64, 0, (cudaStream_t)opaque, from, to, in, out);
    return launch_error(__func__);
}

/* A box goes to both blocks of a cluster, and half a row to the second one. */
static __global__ void IN_PAIRS copy_to_both(const __grid_constant__ CUtensorMap map, const uint32_t *in, uint32_t *out)
{
#if HAS_HOPPER
    __shared__ __align__(1024) uint32_t box[8][32], row[64];
    __shared__ uint64_t arrived;
    const uint32_t t = threadIdx.x;
    uint32_t rank, size, cluster, count;
    asm("mov.u32 %0, %%cluster_ctaid.x; mov.u32 %1, %%cluster_nctaid.x;" : "=r"(rank), "=r"(size));
    asm("mov.u32 %0, %%clusterid.x; mov.u32 %1, %%nclusterid.x;" : "=r"(cluster), "=r"(count));
    if (t == 0) {
        make_barrier(&arrived);
        expect_bytes(&arrived, sizeof box + (rank == 1 ? sizeof row : 0));
    }
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    if (t == 0 && rank == 0) {
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes."
                     "multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared_of(box)),
                     "l"(&map), "r"(16), "r"((int)blockIdx.x), "r"(shared_of(&arrived)), "h"((unsigned short)3)
                     : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], "
                     "%2, [%3], %4;" ::"r"(shared_of(row)),
                     "l"(in + 64 * blockIdx.x), "r"(256), "r"(shared_of(&arrived)), "h"((unsigned short)2)
                     : "memory");
    }
    wait_for_barrier(&arrived, 0);
    for (uint32_t i = t; i < 256; i += 64)
        out[320 * blockIdx.x + i] = box[i / 32][i % 32];
    out[320 * blockIdx.x + 256 + t] = rank == 1 ? row[t] : size + 8 * cluster + 64 * count;
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
#endif
}

LAUNCHER(tensor_multicast)
{
    const struct shape shape = {
        CU_TENSOR_MAP_DATA_TYPE_UINT32, CU_TENSOR_MAP_SWIZZLE_128B, 2, {40, 10}, {256}, {32, 8}, {1, 1}};
    CUtensorMap map;
    if (!encode(&map, &shape, in))
        return "a tensor map is refused";
    LAUNCH(copy_to_both, 4, 64, 0, (cudaStream_t)opaque, map, in, out);
    return launch_error(__func__);
}

static __global__ void tell(uint32_t what, uint32_t *out)
{
    out[threadIdx.x] = what >> threadIdx.x & 1;
}

/* Which tensors and boxes the driver takes. */
LAUNCHER(tensor_checks)
{
    const struct shape plain = {CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
                                CU_TENSOR_MAP_SWIZZLE_NONE,
                                3,
                                {100, 9, 7},
                                {400, 3600},
                                {32, 8, 4},
                                {1, 1, 1}};
    enum { TRIES = 19 };
    struct shape tried[TRIES];
    uint32_t taken = 0;
    for (int i = 0; i < TRIES; i++)
        tried[i] = plain;
    tried[1].rank = 0;
    tried[2].rank = 6;
    tried[3].sizes[1] = 0;
    tried[4].strides[0] = 408;
    tried[5].strides[1] = (cuuint64_t)1 << 40;
    tried[6].box[1] = 0;
    tried[7].box[1] = 257;
    tried[8].box[1] = 256;
    tried[9].box[0] = 30;
    tried[10].box[0] = 36;
    tried[11].steps[2] = 0;
    tried[12].steps[2] = 9;
    tried[13].swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
    tried[14].swizzle = CU_TENSOR_MAP_SWIZZLE_64B;
    tried[15] = tried[14];
    tried[15].box[0] = 16;
    tried[16] = tried[15];
    tried[16].swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
    tried[17].rank = 2;
    for (int i = 0; i < TRIES; i++) {
        CUtensorMap map;
        taken |= (uint32_t)encode(&map, &tried[i], (const char *)in + (i == 18 ? 8 : 0)) << i;
    }
    LAUNCH(tell, 1, 32, 0, (cudaStream_t)opaque, taken, out);
    return launch_error(__func__);
}

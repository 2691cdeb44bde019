/* Boxes of tensors, and products of Hopper's tensor cores that take their factors as the boxes lie. */
#include "right_kernels.h"

#include "kernels/launch.h"

#include <cuda.h>
#include <cuda/barrier>
#include <cuda_fp16.h>

#if !defined __CUDA_ARCH__ || defined __CUDA_ARCH_FEAT_SM90_ALL
#define HAS_HOPPER 1
#define IN_PAIRS __cluster_dims__(2, 1, 1)
#else
#define HAS_HOPPER 0
#define IN_PAIRS
#endif

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
static __device__ uint32_t shared_of(const void *memory)
{
    return (uint32_t)__cvta_generic_to_shared(memory);
}

static __device__ void make_barrier(const uint64_t *barrier)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_of(barrier)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

static __device__ void expect(const uint64_t *barrier, uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_of(barrier)), "r"(bytes)
                 : "memory");
}

static __device__ void await(const uint64_t *barrier)
{
    asm volatile("{ .reg .pred ended;\n"
                 "again: mbarrier.try_wait.parity.shared::cta.b64 ended, [%0], 0;\n"
                 "@!ended bra again; }" ::"r"(shared_of(barrier))
                 : "memory");
}

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
        expect(&arrived, words * 4);
        load_box(rank, box, &from, take, &arrived);
    }
    __syncthreads();
    await(&arrived);
    for (uint32_t i = threadIdx.x; i < words; i += blockDim.x) {
        seen[i] = box[i];
        box[i] ^= 0x01010101;
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
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
        expect(&arrived, sizeof box + (rank == 1 ? sizeof row : 0));
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
    await(&arrived);
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

#if HAS_HOPPER
static __device__ uint64_t descriptor(const void *factor, uint32_t leading, uint32_t stride, uint32_t mode)
{
    return (uint64_t)(shared_of(factor) & 0x3FFFF) >> 4 | (uint64_t)(leading >> 4) << 16 |
           (uint64_t)(stride >> 4) << 32 | (uint64_t)mode << 62;
}
#endif

/* One product of 64 x 16 by 16 x 128 with both factors across: what belongs to one k lies side by side, by spans of as
 * many bytes as the swizzle has; eight such spans, of eight k, are one block. */
template <uint32_t MODE>
static __global__ void multiply_across(const uint32_t *in, uint32_t *out)
{
#if HAS_HOPPER
    constexpr uint32_t SPAN = MODE == 0 ? 16 : 256 >> MODE, BLOCK = 8 * SPAN, A_BLOCKS = 128 / SPAN,
                       B_BLOCKS = 256 / SPAN;
    __shared__ __align__(1024) unsigned char a[2 * A_BLOCKS * BLOCK], b[2 * B_BLOCKS * BLOCK];
    const uint32_t t = threadIdx.x;
    float sums[64];
    for (uint32_t i = t; i < 16 * 64 + 16 * 128; i += 128) {
        const bool is_a = i < 16 * 64;
        const uint32_t k = is_a ? i / 64 : (i - 16 * 64) / 128, at = is_a ? i % 64 : i % 128, byte = at * 2 % SPAN;
        const uint32_t block = k / 8 * (is_a ? A_BLOCKS : B_BLOCKS) + at * 2 / SPAN, line = k % 8;
        const uint32_t place = block * BLOCK + line * SPAN + byte,
                       swizzled = place ^ ((place >> 7 & (SPAN / 16 - 1)) << 4);
        *(__half *)((is_a ? a : b) + swizzled) = __float2half((float)(in[i] >> 9 & 15) - 7);
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    /* without a swizzle the two distances change their meanings */
    const uint64_t of_a =
        MODE == 0 ? descriptor(a, A_BLOCKS * BLOCK, BLOCK, 0) : descriptor(a, BLOCK, A_BLOCKS * BLOCK, MODE);
    const uint64_t of_b =
        MODE == 0 ? descriptor(b, B_BLOCKS * BLOCK, BLOCK, 0) : descriptor(b, BLOCK, B_BLOCKS * BLOCK, MODE);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("{ .reg .pred add; setp.ne.b32 add, %66, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, "
                 "%10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, "
                 "%30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, "
                 "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, %64, %65, add, 1, 1, 1, 1; }"
                 : "=f"(sums[0]), "=f"(sums[1]), "=f"(sums[2]), "=f"(sums[3]), "=f"(sums[4]), "=f"(sums[5]),
                   "=f"(sums[6]), "=f"(sums[7]), "=f"(sums[8]), "=f"(sums[9]), "=f"(sums[10]), "=f"(sums[11]),
                   "=f"(sums[12]), "=f"(sums[13]), "=f"(sums[14]), "=f"(sums[15]), "=f"(sums[16]), "=f"(sums[17]),
                   "=f"(sums[18]), "=f"(sums[19]), "=f"(sums[20]), "=f"(sums[21]), "=f"(sums[22]), "=f"(sums[23]),
                   "=f"(sums[24]), "=f"(sums[25]), "=f"(sums[26]), "=f"(sums[27]), "=f"(sums[28]), "=f"(sums[29]),
                   "=f"(sums[30]), "=f"(sums[31]), "=f"(sums[32]), "=f"(sums[33]), "=f"(sums[34]), "=f"(sums[35]),
                   "=f"(sums[36]), "=f"(sums[37]), "=f"(sums[38]), "=f"(sums[39]), "=f"(sums[40]), "=f"(sums[41]),
                   "=f"(sums[42]), "=f"(sums[43]), "=f"(sums[44]), "=f"(sums[45]), "=f"(sums[46]), "=f"(sums[47]),
                   "=f"(sums[48]), "=f"(sums[49]), "=f"(sums[50]), "=f"(sums[51]), "=f"(sums[52]), "=f"(sums[53]),
                   "=f"(sums[54]), "=f"(sums[55]), "=f"(sums[56]), "=f"(sums[57]), "=f"(sums[58]), "=f"(sums[59]),
                   "=f"(sums[60]), "=f"(sums[61]), "=f"(sums[62]), "=f"(sums[63])
                 : "l"(of_a), "l"(of_b), "r"(0)
                 : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
    uint32_t all = 0;
    for (int i = 0; i < 64; i++) {
        asm volatile("" : "+f"(sums[i])::"memory");
        all = all * 31 + (uint32_t)(int)sums[i];
    }
    out[t] = all;
#endif
}

LAUNCHER(ptx_across)
{
    LAUNCH(multiply_across<0>, 1, 128, 0, (cudaStream_t)opaque, in, out);
    LAUNCH(multiply_across<1>, 1, 128, 0, (cudaStream_t)opaque, in, out + 128);
    LAUNCH(multiply_across<2>, 1, 128, 0, (cudaStream_t)opaque, in, out + 256);
    LAUNCH(multiply_across<3>, 1, 128, 0, (cudaStream_t)opaque, in, out + 384);
    return launch_error(__func__);
}

/* The first factor in registers, along k; the second one across, without a swizzle. */
static __global__ void ptx_half_across(const uint32_t *in, uint32_t *out)
{
#if HAS_HOPPER
    __shared__ __align__(128) __half b[2][8][8];
    const uint32_t t = threadIdx.x;
    float sums[4];
    uint32_t a[4];
    b[t / 64][t / 8 % 8][t % 8] = __float2half((float)(in[t] & 31) - 16);
    for (uint32_t i = 0; i < 4; i++) {
        const __half2 pair = __floats2half2_rn((float)(in[4 * t + i] & 15), (float)(in[4 * t + i] >> 4 & 15));
        a[i] = *(const uint32_t *)&pair;
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile(
        "{ .reg .pred add; setp.ne.b32 add, %9, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, add, 1, 1, 1; }"
        : "=f"(sums[0]), "=f"(sums[1]), "=f"(sums[2]), "=f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(descriptor(b, 128, 128, 0)), "r"(0)
        : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (uint32_t i = 0; i < 4; i++) {
        asm volatile("" : "+f"(sums[i])::"memory");
        out[4 * t + i] = (uint32_t)(int)sums[i];
    }
#endif
}
RIGHT(ptx_half_across, 1, 128, 0)

/* FP8: 64 x 32 by 32 x 8, each row in two pieces of 16 bytes. First all bytes are multiplied by 1, then whole numbers,
 * whose sums need few bits. */
#if HAS_HOPPER
template <bool E4M3>
static __device__ void multiply_bytes(const unsigned char *a, const unsigned char *b, uint32_t *out)
{
    float sums[4];
    const uint64_t of_a = descriptor(a, 1024, 128, 0), of_b = descriptor(b, 128, 128, 0);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#define MULTIPLY(format)                                                        \
    asm volatile("{ .reg .pred add; setp.ne.b32 add, %6, 0;\n"                  \
                 "wgmma.mma_async.sync.aligned.m64n8k32.f32." format "." format \
                 " {%0, %1, %2, %3}, %4, %5, add, 1, 1; }"                      \
                 : "=f"(sums[0]), "=f"(sums[1]), "=f"(sums[2]), "=f"(sums[3])   \
                 : "l"(of_a), "l"(of_b), "r"(0)                                 \
                 : "memory")
    if (E4M3)
        MULTIPLY("e4m3");
    else
        MULTIPLY("e5m2");
#undef MULTIPLY
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (uint32_t i = 0; i < 4; i++) {
        asm volatile("" : "+f"(sums[i])::"memory");
        out[i] = sums[i] == sums[i] ? __float_as_uint(sums[i]) : 0xFFFFFFFF; /* there are many NaN */
    }
    __syncthreads();
}
#endif

template <bool E4M3>
static __global__ void multiply_eights(const uint32_t *in, uint32_t *out)
{
#if HAS_HOPPER
    const unsigned char whole[2][8] = {{0x00, 0x3C, 0x40, 0x42, 0x44, 0x45, 0x46, 0x47},
                                       {0x00, 0x38, 0x40, 0x44, 0x48, 0x4A, 0x4C, 0x4E}};
    __shared__ __align__(128) unsigned char a[2][64][16], b[2][8][16];
    const uint32_t t = threadIdx.x;
    for (uint32_t i = t; i < 2048; i += 128)
        a[i / 1024][i / 16 % 64][i % 16] = (unsigned char)(i < 1024 && i % 16 < 8 ? i / 16 * 8 + i % 16 : 0);
    for (uint32_t i = t; i < 256; i += 128)
        b[i / 128][i / 16 % 8][i % 16] = i / 16 == i % 16 ? whole[E4M3][1] : 0;
    multiply_bytes<E4M3>(&a[0][0][0], &b[0][0][0], out + 8 * t);
    for (uint32_t i = t; i < 2048; i += 128)
        a[i / 1024][i / 16 % 64][i % 16] = (unsigned char)(whole[E4M3][in[i] & 7] | (in[i] >> 8 & 0x80));
    for (uint32_t i = t; i < 256; i += 128)
        b[i / 128][i / 16 % 8][i % 16] = whole[E4M3][in[i] >> 4 & 7];
    multiply_bytes<E4M3>(&a[0][0][0], &b[0][0][0], out + 8 * t + 4);
#endif
}

LAUNCHER(ptx_eights)
{
    LAUNCH(multiply_eights<false>, 1, 128, 0, (cudaStream_t)opaque, in, out);
    LAUNCH(multiply_eights<true>, 1, 128, 0, (cudaStream_t)opaque, in, out + 1024);
    return launch_error(__func__);
}

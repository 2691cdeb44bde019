/* What a multiprocessor of an H100 holds no more blocks for: each limit by the launch that reaches it first. */
#include "kernels/backend/cuda_occupancy.h"
#include "tests/unit.h"

enum { KIB = 1024 };

static const cudaOccDeviceProp h100 = {
    .computeMajor = 9,
    .maxThreadsPerBlock = 1024,
    .maxThreadsPerMultiprocessor = 2048,
    .regsPerBlock = 64 * KIB,
    .regsPerMultiprocessor = 64 * KIB,
    .warpSize = 32,
    .sharedMemPerBlock = 48 * KIB,
    .sharedMemPerMultiprocessor = 228 * KIB,
    .numSms = 132,
    .sharedMemPerBlockOptin = 227 * KIB,
    .reservedSharedMemPerBlock = 1 * KIB,
};

static void expect(struct cuda_block block, int blocks, const char *limit)
{
    struct cuda_occupancy occupancy;
    assert_true(cuda_occupancy(&h100, &block, &occupancy));
    assert_int_equal(occupancy.blocks, blocks);
    assert_string_equal(occupancy.limit, limit);
    assert_true(occupancy.pct == 100.0 * blocks * ((block.threads + 31) / 32) / 64);
}

TEST(each_limit_is_named)
{
    expect((struct cuda_block){256, 32, 1, 0, 0}, 8, "threads"); /* registers are used up as well */
    expect((struct cuda_block){256, 64, 1, 0, 0}, 4, "registers");
    expect((struct cuda_block){256, 32, 1, 16 * KIB, 16 * KIB}, 6, "shared memory");
    expect((struct cuda_block){32, 16, 1, 0, 0}, 32, "blocks");
    expect((struct cuda_block){256, 16, 16, 0, 0}, 4, "barriers");
}

TEST(an_unknown_gpu_is_said)
{
    cudaOccDeviceProp unknown = h100;
    struct cuda_block block = {256, 32, 1, 0, 0};
    struct cuda_occupancy occupancy;
    unknown.computeMajor = 2;
    assert_false(cuda_occupancy(&unknown, &block, &occupancy));
}

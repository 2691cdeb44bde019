/* The largest launches of a GPU are done, and what is larger is refused, with a text that says why. */
#include "launch_kernels.h"
#include "tests/unit.h"

#include <stdio.h>

static int number;

static void assert_says(const char *text, const char *expected)
{
    assert_non_null(text);
    assert_string_equal(text, expected);
}

static void assert_launches_work(void)
{
    static const unsigned grid[] = {2, 1, 1}, block[] = {64, 1, 1};
    assert_int_equal(count_launched_threads(grid, block, 0, &number), 128);
}

TEST(impossible_launches_are_refused)
{
    static const struct {
        const char *name;
        const char *(*launch)(const int *in, int *out, int n);
        const char *grid, *block;
        int shared_bytes;
    } impossible[] = {
#define REFUSED(name, grid, block, shared_bytes) {#name, impossible_##name, grid, block, shared_bytes}
        REFUSED(no_blocks, "0,1,1", "64,1,1", 0),
        REFUSED(no_blocks_y, "1,0,1", "64,1,1", 0),
        REFUSED(no_blocks_z, "1,1,0", "64,1,1", 0),
        REFUSED(no_threads, "1,1,1", "0,1,1", 0),
        REFUSED(no_threads_y, "1,1,1", "64,0,1", 0),
        REFUSED(no_threads_z, "1,1,1", "64,1,0", 0),
        REFUSED(too_many_blocks, "2147483648,1,1", "64,1,1", 0),
        REFUSED(too_many_blocks_y, "1,65536,1", "64,1,1", 0),
        REFUSED(too_many_blocks_z, "1,1,65536", "64,1,1", 0),
        REFUSED(too_many_threads, "1,1,1", "1025,1,1", 0),
        REFUSED(too_many_threads_x, "1,1,1", "2147483648,2,1", 0),
        REFUSED(too_many_threads_y, "1,1,1", "2,2147483648,1", 0),
        REFUSED(too_many_threads_z, "1,1,1", "1,1,65", 0),
        REFUSED(too_many_threads_together, "1,1,1", "64,32,1", 0),
        REFUSED(too_much_shared, "1,1,1", "64,1,1", 232449),
    };
    for (size_t i = 0; i < sizeof impossible / sizeof impossible[0]; i++) {
        char expected[256];
        snprintf(expected, sizeof expected,
                 "a rung: launch failed: kernel %s_kernel: no GPU can launch a grid of (%s) blocks of (%s) threads "
                 "with %d bytes of dynamic shared memory",
                 impossible[i].name, impossible[i].grid, impossible[i].block, impossible[i].shared_bytes);
        assert_says(impossible[i].launch(&number, &number, 1), expected);
    }
    assert_launches_work();
}

/* As much as that is right only after cudaFuncSetAttribute(), which the largest launches call. */
TEST(more_than_48_KiB_of_dynamic_shared_memory_have_to_be_asked_for)
{
    assert_says(impossible_shared_not_asked_for(&number, &number, 1),
                "a rung: launch failed: kernel shared_not_asked_for_kernel: 49153 bytes of dynamic shared memory are "
                "more than 49152, which cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, "
                "bytes) has to allow");
    assert_launches_work();
}

TEST(the_largest_launches_are_done)
{
    static const struct {
        unsigned grid[3], block[3];
        size_t shared_bytes;
        int threads;
    } largest[] = {
        {{65536, 1, 1}, {1, 1, 1}, 0, 65536},  {{1, 65535, 1}, {1, 1, 1}, 0, 65535},
        {{1, 1, 65535}, {1, 1, 1}, 0, 65535},  {{1, 1, 1}, {1024, 1, 1}, 0, 1024},
        {{1, 1, 1}, {1, 1024, 1}, 0, 1024},    {{1, 1, 1}, {1, 1, 64}, 0, 64},
        {{1, 1, 1}, {4, 4, 64}, 232448, 1024},
    };
    for (size_t i = 0; i < sizeof largest / sizeof largest[0]; i++)
        assert_int_equal(count_launched_threads(largest[i].grid, largest[i].block, largest[i].shared_bytes, &number),
                         largest[i].threads);
}

TEST(copies_beyond_a_symbol_are_refused)
{
    static const int numbers[3];
    assert_says(copy_beyond_a_symbol(numbers), "cudaMemcpyToSymbolAsync: beyond the end of the symbol");
    assert_launches_work();
}

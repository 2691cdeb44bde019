/* The largest launches of a GPU are done, and what is larger is refused, with a text that says why. */
#include "launch_kernels.h"
#include "tests/unit.h"

static int number;

static void assert_says(const char *text, const char *expected)
{
    assert_non_null(text);
    assert_string_equal(text, expected);
}

static void assert_launches_work(void)
{
    assert_null(count_launched_threads((unsigned[]){2, 1, 1}, (unsigned[]){64, 1, 1}, 0, false, &number));
    assert_int_equal(number, 128);
}

/* Products of 2 and 2147483648 are 0 in 32 bits. */
TEST(impossible_launches_are_refused)
{
    static const struct {
        unsigned grid[3], block[3];
        size_t shared_bytes;
    } impossible[] = {
        {{0, 1, 1}, {64, 1, 1}, 0},          {{1, 0, 1}, {64, 1, 1}, 0},     {{1, 1, 0}, {64, 1, 1}, 0},
        {{1, 1, 1}, {0, 1, 1}, 0},           {{1, 1, 1}, {64, 0, 1}, 0},     {{1, 1, 1}, {64, 1, 0}, 0},
        {{2147483648, 1, 1}, {64, 1, 1}, 0}, {{1, 65536, 1}, {64, 1, 1}, 0}, {{1, 1, 65536}, {64, 1, 1}, 0},
        {{1, 1, 1}, {1025, 1, 1}, 0},        {{1, 1, 1}, {1, 1, 65}, 0},     {{1, 1, 1}, {2147483648, 2, 1}, 0},
        {{1, 1, 1}, {2, 2147483648, 1}, 0},  {{1, 1, 1}, {64, 32, 1}, 0},    {{1, 1, 1}, {64, 1, 1}, 232449},
    };
    for (size_t i = 0; i < sizeof impossible / sizeof impossible[0]; i++) {
        const unsigned *grid = impossible[i].grid, *block = impossible[i].block;
        char expected[256];
        snprintf(expected, sizeof expected,
                 "a rung: launch failed: kernel count_threads_kernel: no GPU can launch a grid of (%u,%u,%u) blocks of "
                 "(%u,%u,%u) threads with %zu bytes of dynamic shared memory",
                 grid[0], grid[1], grid[2], block[0], block[1], block[2], impossible[i].shared_bytes);
        assert_says(count_launched_threads(grid, block, impossible[i].shared_bytes, false, &number), expected);
        assert_int_equal(number, 0);
    }
    assert_launches_work();
}

/* As much as that is right only after cudaFuncSetAttribute(), which the largest launches call. */
TEST(more_than_48_KiB_of_dynamic_shared_memory_have_to_be_asked_for)
{
    assert_says(count_launched_threads((unsigned[]){1, 1, 1}, (unsigned[]){64, 1, 1}, 49153, false, &number),
                "a rung: launch failed: kernel count_threads_kernel: 49153 bytes of dynamic shared memory are "
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
    for (size_t i = 0; i < sizeof largest / sizeof largest[0]; i++) {
        assert_null(count_launched_threads(largest[i].grid, largest[i].block, largest[i].shared_bytes, true, &number));
        assert_int_equal(number, largest[i].threads);
    }
}

TEST(copies_beyond_a_symbol_are_refused)
{
    static const int numbers[3];
    assert_says(copy_beyond_a_symbol(numbers), "cudaMemcpyToSymbolAsync: beyond the end of the symbol");
    assert_launches_work();
}

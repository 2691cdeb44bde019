/* What a thread may not do ends its launch, with a text that says who did it, where and what; and a launch that comes
 * later is none the worse for it. */
#include "bench/table/backend.h"
#include "wrong_kernels.h"
#include "tests/unit.h"

#define ACCESSES "simulator/wrong_access_kernels.cu"
#define WAITS "simulator/wrong_wait_kernels.cu"
#define PTX "simulator/wrong_ptx_kernels.cu"

typedef const char *launcher(const int *in, int *out, int n);

static int *in, *out;
static int input[WRONG_NUMBERS], output[WRONG_NUMBERS]; /* on the host */

static int *allocate(enum edge edge)
{
    void *memory;
    assert_null(sim_backend.allocate(WRONG_NUMBERS * sizeof(int), edge, &memory));
    return memory;
}

static void allocate_all(enum edge edge)
{
    in = allocate(edge);
    out = allocate(edge);
    for (int i = 0; i < WRONG_NUMBERS; i++)
        input[i] = 2 * i + 1;
    assert_null(sim_backend.upload(in, input, sizeof input));
}

static void release_all(void)
{
    sim_backend.release(out);
    sim_backend.release(in);
}

static int set_up(void **state)
{
    struct backend_settings settings = {.device = -1, .times_nothing = true};
    if (sim_backend.open(&settings))
        return -1;
    allocate_all(EDGE_END);
    return 0;
}

static int tear_down(void **state)
{
    release_all();
    sim_backend.close();
    return 0;
}

static void somebody_elses(int signal)
{
    (void)signal;
    abort();
}

/* What a launch says; the program's signal handlers are put back by then. */
static const char *said_of(launcher *launch)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    struct sigaction before[LENGTH(signals)], after, ours = {.sa_handler = somebody_elses};
    for (size_t i = 0; i < LENGTH(signals); i++)
        assert_int_equal(sigaction(signals[i], &ours, &before[i]), 0);
    const char *text = launch(in, out, WRONG_NUMBERS);
    for (size_t i = 0; i < LENGTH(signals); i++) {
        assert_int_equal(sigaction(signals[i], &before[i], &after), 0);
        assert_true((after.sa_flags & SA_SIGINFO) == 0 && after.sa_handler == somebody_elses);
    }
    return text;
}

static void assert_works(void)
{
    assert_null(sim_backend.upload(out, (int[sizeof output / sizeof(int)]){0}, sizeof output));
    const char *error = said_of(right_reverse);
    if (error)
        fail_msg("after an error, a right kernel fails: %s", error);
    assert_null(sim_backend.download(output, out, sizeof output));
    for (int i = 0; i < WRONG_NUMBERS; i++)
        assert_int_equal(output[i], i < 64 ? input[63 - i] : input[163 - i]);
}

/* What is expected of each kernel whose launch ends with a text. */
static const struct wrong_case {
    const char *name, *source;
    launcher *launch;
    int block, thread;
    const char *what; /* behind the place; %s stands for the other place */
} cases[] = {
#define CASE(name, source, block, thread, what)          \
    {                                                    \
#name, source, wrong_##name, block, thread, what \
    }
#define ACCESS_CASE(name, blocks, shared, block, thread, what) CASE(name, ACCESSES, block, thread, what),
#define WAIT_CASE(name, blocks, shared, block, thread, what) CASE(name, WAITS, block, thread, what),
#define PTX_CASE(name, blocks, shared, block, thread, what) CASE(name, PTX, block, thread, what),
    WRONG_ACCESSES(ACCESS_CASE) WRONG_WAITS(WAIT_CASE) WRONG_PTX(PTX_CASE) CASE(
        barriers_of_two_files, WAITS, 0, 40,
        "waits in __syncthreads at simulator/another_file.cu:1000, while thread (0,0,0) waits here in __syncthreads"),
};

static void assert_blamed(const struct wrong_case *one)
{
    char place[64], what[192], expected[384];
    const char *text = said_of(one->launch);
    snprintf(place, sizeof place, "%s:%d", one->source, wrong_lines[1]);
    char *other = strstr(one->what, "%s");
    if (other)
        snprintf(what, sizeof what, "%.*s%s%s", (int)(other - one->what), one->what, place, other + 2);
    else
        snprintf(what, sizeof what, "%s", one->what);
    snprintf(expected, sizeof expected,
             "a rung: launch failed: kernel %s_kernel, block (%d,0,0), thread (%d,0,0), %s:%d: %s", one->name,
             one->block, one->thread, one->source, wrong_lines[0], what);
    if (!text)
        fail_msg("%s: nothing is said, expected %s", one->name, expected);
    assert_string_equal(text, expected);
}

/* And no error changes what is said of the next, as that of atomic_behind, by a thread of the first block. */
TEST(wrong_threads_are_named_with_place_and_deed)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_blamed(&cases[i]);
        assert_blamed(&cases[2]);
        assert_works();
    }
}

TEST(an_access_directly_before_a_buffer_faults_where_it_starts_with_a_page)
{
    static const struct wrong_case before =
        CASE(read_before, ACCESSES, 0, 0, "reads out of bounds, 4 bytes before a buffer of 400 bytes");
    release_all();
    allocate_all(EDGE_START);
    assert_blamed(&before);
    assert_works();
    release_all();
    allocate_all(EDGE_END);
}

TEST(launches_after_a_wrong_one_are_left_undone)
{
    char expected[256];
    const char *text = wrong_second_launch(in, out, WRONG_NUMBERS);
    snprintf(expected, sizeof expected,
             "a rung: launch failed: kernel read_behind_kernel, block (1,0,0), thread (36,0,0), " ACCESSES
             ":%d: reads out of bounds, 0 bytes past the end of a buffer of 400 bytes",
             wrong_lines[0]);
    assert_non_null(text);
    assert_string_equal(text, expected);
    assert_null(sim_backend.download(output, out, sizeof output));
    assert_memory_equal(output, input, sizeof output);
    assert_works();
}

TEST(a_write_behind_a_workspace_is_found)
{
    const char *text = wrong_workspace(in, out, WRONG_NUMBERS);
    assert_non_null(text);
    assert_non_null(strstr(text, "kernel reverse_kernel, block (1,0,0), thread (35,0,0)"));
    assert_non_null(strstr(text, "writes out of bounds, 0 bytes past the end of a buffer of 396 bytes"));
    assert_works();
}

/* A GPU's memory is not the host's. */
TEST(a_launcher_that_touches_device_memory_is_reported)
{
    static const struct {
        launcher *launch;
        const char *what;
    } touching[] = {
        {wrong_reads_on_host, FOUND("reads") " at byte 12 of a buffer of 400 bytes"},
        {wrong_writes_on_host, FOUND("writes") " at byte 16 of a buffer of 400 bytes"},
    };
    for (size_t i = 0; i < sizeof touching / sizeof touching[0]; i++) {
        char expected[256];
        assert_null(sim_backend.finish()); /* shuts the memory */
        assert_null(touching[i].launch(in, out, WRONG_NUMBERS));
        snprintf(expected, sizeof expected, "its launcher touches device memory on the host, " ACCESSES ":%d: %s",
                 wrong_lines[0], touching[i].what);
        const char *text = sim_backend.finish();
        assert_non_null(text);
        assert_string_equal(text, expected);
        assert_null(sim_backend.finish());
        assert_works();
        assert_null(sim_backend.finish());
    }
}

/* As on a GPU, it comes out when the harness waits for the work. */
TEST(an_error_that_a_rung_does_not_ask_for_is_reported_by_the_backend)
{
    assert_null(wrong_unasked(in, out, WRONG_NUMBERS));
    const char *text = sim_backend.finish();
    assert_non_null(text);
    assert_non_null(strstr(text, "kernel two_barriers_kernel, block (0,0,0), thread (1,0,0)"));
    assert_null(sim_backend.finish());
    assert_works();
}

/* Where the compiler decides at which of its lines a function first touches its stack. */
static void assert_names(const char *text, const char *begins, const char *ends)
{
    assert_non_null(text);
    size_t length = strlen(text), end = strlen(ends);
    if (strncmp(text, begins, strlen(begins)) != 0 || length < end || strcmp(text + length - end, ends) != 0)
        fail_msg("'%s' does not begin with '%s' and end with '%s'", text, begins, ends);
}

TEST(a_stack_that_is_used_up_is_reported)
{
    assert_null(wrong_frame_that_fits(in, out, WRONG_NUMBERS));
    for (int turn = 0; turn < 2; turn++) {
        assert_names(
            wrong_endless_recursion(in, out, WRONG_NUMBERS),
            "a rung: launch failed: kernel endless_recursion_kernel, block (0,0,0), thread (50,0,0), " ACCESSES,
            ": uses more stack than a simulated thread has");
        assert_works();
    }
    assert_names(wrong_large_frame(in, out, WRONG_NUMBERS),
                 "a rung: launch failed: kernel large_frame_kernel, block (0,0,0), thread (",
                 "stack than a simulated thread has");
    assert_works();
}

/* The processor's traps. */
TEST(traps_name_the_thread)
{
    static const struct wrong_case traps[] = {WRONG_TRAPS(ACCESS_CASE)};
#ifdef __x86_64__
    const size_t count = sizeof traps / sizeof traps[0];
#else
    const size_t count = 1;
#endif
    for (size_t i = 0; i < 5 * count; i++) {
        assert_blamed(&traps[i / 5]);
        assert_works();
    }
}

static int number;

static const char *launch_too_many_threads(const int *from, int *to, int n)
{
    (void)from, (void)to, (void)n;
    return count_launched_threads((unsigned[]){1, 1, 1}, (unsigned[]){1025, 1, 1}, 0, false, &number);
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
    for (size_t i = 0; i < LENGTH(impossible); i++) {
        const unsigned *grid = impossible[i].grid, *block = impossible[i].block;
        char expected[256];
        snprintf(expected, sizeof expected,
                 "a rung: launch failed: kernel count_threads_kernel: no GPU can launch a grid of (%u,%u,%u) blocks of "
                 "(%u,%u,%u) threads with %zu bytes of dynamic shared memory",
                 grid[0], grid[1], grid[2], block[0], block[1], block[2], impossible[i].shared_bytes);
        assert_string_equal(count_launched_threads(grid, block, impossible[i].shared_bytes, false, &number), expected);
        assert_int_equal(number, 0);
    }
    assert_non_null(said_of(launch_too_many_threads));
    assert_works();
}

/* As much as that is right only after cudaFuncSetAttribute(), which the largest launches call. */
TEST(more_than_48_KiB_of_dynamic_shared_memory_have_to_be_asked_for)
{
    assert_string_equal(
        count_launched_threads((unsigned[]){1, 1, 1}, (unsigned[]){64, 1, 1}, 49153, false, &number),
        "a rung: launch failed: kernel count_threads_kernel: 49153 bytes of dynamic shared memory are "
        "more than 49152, which cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, "
        "bytes) has to allow");
    assert_works();
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
    for (size_t i = 0; i < LENGTH(largest); i++) {
        assert_null(count_launched_threads(largest[i].grid, largest[i].block, largest[i].shared_bytes, true, &number));
        assert_int_equal(number, largest[i].threads);
    }
}

TEST(copies_beyond_a_symbol_are_refused)
{
    static const int numbers[3];
    assert_string_equal(copy_beyond_a_symbol(numbers), "cudaMemcpyToSymbolAsync: beyond the end of the symbol");
    assert_works();
}

AROUND_ALL_TESTS(set_up, tear_down)

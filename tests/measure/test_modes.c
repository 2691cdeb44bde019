/* What each mode times and what it leaves out, on a fake device with known costs. */
#include "bench/base/host.h"
#include "bench/measure/mode.h"
#include "tests/fakes/fake_backend.h"
#include "tests/fakes/fake_rungs.h"
#include "tests/unit.h"

#include <time.h>

static const struct rung rung = {.variant = "fake", .op = &matmul_op, .backend = &fake_entry, .run = fake_right};
static const struct workload workload = {"64x64x64", {64, 64, 64}, 0};
static struct buffers buffers;
static struct mode_context context;
enum { SIDE = 64, C = 2 };
static float memory[3][SIDE * SIDE];
static void *const host[] = {memory[0], memory[1], memory[2]};

static int set_up(void **state)
{
    struct input_note note;
    fake_reset();
    op_fill(&matmul_op, &workload, &(struct input_source){.seed = 1}, host, &note);
    assert_null(
        buffers_make(&buffers, &fake_backend, &matmul_op, &workload, &(struct placement){.edge = EDGE_ANY}, NULL));
    assert_null(buffers_transfer(&buffers, false, host));
    assert_null(fake_backend.finish());
    context = (struct mode_context){.rung = &rung, .buffers = &buffers, .host = host, .now = fake_now};
    fake.evictions = fake.launches = 0;
    return 0;
}

static int tear_down(void **state)
{
    buffers_free(&buffers);
    return 0;
}

static struct sample take(const struct mode *mode, int64_t iterations)
{
    struct sample sample;
    assert_null(mode_begin(mode, &context, iterations));
    assert_null(mode->take(&context, iterations, &sample));
    return sample;
}

/* Nor is emptying the caches, before each launch of mode cold and of no other. */
TEST(only_kernels_are_in_the_time)
{
    static const struct {
        const struct mode *mode;
        int64_t calls;
        int evictions;
    } cases[] = {{&mode_hot, 50, 0}, {&mode_hot, 200, 0}, {&mode_cold, 1, 1}, {&mode_graph, 50, 0}};
    fake.call_s = 100e-6; /* 20 times the kernel's time */
    fake.evict_s = 1;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fake.evictions = fake.launches = fake.calls_begun = 0;
        assert_within(take(cases[i].mode, cases[i].calls).seconds, FAKE_KERNEL_NS * 1e-9, fake.tick_s);
        assert_int_equal(fake.evictions, cases[i].evictions);
        assert_int_equal(fake.launches, cases[i].calls);
        assert_int_equal(fake.calls_begun, 1);
        assert_int_equal(fake.evicted_then, cases[i].evictions); /* nothing lies between that and the calls */
    }
    assert_int_equal(fake.write_evictions, 0);
    context.evict_by_writing = true;
    take(&mode_cold, 1);
    assert_int_equal(fake.write_evictions, 1);
    assert_int_equal(mode_cold.max_iterations, 1);
}

static const char *works(const void *problem, void *stream)
{
    const double end_s = host_cpu_s() + 2e-3;
    while (host_cpu_s() < end_s)
        ;
    return fake_right(problem, stream);
}

static const char *sleeps(const void *problem, void *stream)
{
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    return fake_right(problem, stream);
}

/* Whatever clock times it. */
TEST(the_time_of_cpus_is_that_of_a_call)
{
    static const struct mode *const timed[] = {&mode_cold, &mode_hot, &mode_e2e};
    struct rung busy = rung, idle = rung;
    busy.run = works;
    idle.run = sleeps;
    for (size_t i = 0; i < 3; i++) {
        context.rung = &busy;
        const double cpu_s = take(timed[i], timed[i] == &mode_hot ? 5 : 1).cpu_s;
        assert_true(cpu_s >= 2e-3 && cpu_s < 8e-3);
        context.rung = &idle;
        assert_true(take(timed[i], 1).cpu_s < 10e-3);
    }
}

TEST(a_graph_is_recorded_once_and_launched_whole)
{
    struct sample sample;
    assert_null(mode_begin(&mode_graph, &context, 20));
    assert_int_equal(fake.recordings, 1);
    for (int i = 0; i < 3; i++)
        assert_null(mode_graph.take(&context, 20, &sample));
    assert_int_equal(fake.recordings, 1);
    assert_int_equal(fake.launches, 20); /* all of them during the recording */
    assert_within(sample.seconds, FAKE_KERNEL_NS * 1e-9, fake.tick_s);
    assert_null(mode_begin(&mode_graph, &context, 40)); /* replaces the first graph */
    assert_int_equal(fake.recordings, 2);
    assert_int_equal(fake.evictions, 0);
}

TEST(a_graph_that_cannot_be_made_is_no_sample)
{
    fake.graph_error = "the capture was broken off";
    assert_string_equal(mode_begin(&mode_graph, &context, 4), fake.graph_error);
    fake.graph_error = NULL;
    struct rung fails = rung;
    fails.run = fake_fails_to_launch;
    context.rung = &fails;
    assert_non_null(mode_begin(&mode_graph, &context, 4));
    context.rung = &rung;
    assert_within(take(&mode_graph, 4).seconds, FAKE_KERNEL_NS * 1e-9, fake.tick_s); /* nothing is still recording */
}

TEST(hot_stays_below_the_depth_of_a_launch_queue)
{
    take(&mode_hot, mode_hot.max_iterations);
    assert_true(fake.queued_at_most < 1000);
}

TEST(a_lapsed_hold_marks_the_sample)
{
    struct rung waits = rung;
    waits.run = fake_waits;
    context.rung = &waits;
    assert_true(take(&mode_hot, 1).launch_bound);
    context.rung = &rung;
    assert_false(take(&mode_hot, 1).launch_bound);
}

TEST(e2e_counts_upload_kernel_and_download_on_the_hosts_clock)
{
    fake.call_s = 2e-6;
    fake.bytes_per_s = 1e9;
    double upload_s = 2 * sizeof memory[0] / fake.bytes_per_s;
    double download_s = sizeof memory[0] / fake.bytes_per_s;
    struct sample sample = take(&mode_e2e, 1);
    assert_within(sample.upload_s, upload_s, 2 * fake.call_s);
    assert_within(sample.kernel_s, FAKE_KERNEL_NS * 1e-9, 2 * fake.call_s);
    assert_within(sample.download_s, download_s, 2 * fake.call_s);
    /* Three copies, a launch and one wait: the marks between the parts are in no part of it. */
    double least_s = upload_s + FAKE_KERNEL_NS * 1e-9 + download_s;
    assert_true(sample.seconds >= least_s);
    assert_within(sample.seconds, least_s, 3 * fake.call_s);
}

TEST(e2e_downloads_the_answer)
{
    take(&mode_e2e, 1);
    float expected[SIDE * SIDE];
    fake_multiply(
        &(struct matmul_problem){.m = SIDE, .n = SIDE, .k = SIDE, .a = memory[0], .b = memory[1], .c = expected});
    assert_memory_equal(memory[C], expected, sizeof expected);
}

TEST(e2e_needs_memory_of_its_own)
{
    const struct backend_entry cpu = {"host", "Host", false, false, &fake_backend};
    assert_false(mode_supports(&mode_e2e, &cpu));
    assert_true(mode_supports(&mode_e2e, &fake_entry));
    assert_false(mode_supports(&mode_e2e_pageable, &cpu) || mode_supports(&mode_graph, &cpu));
    assert_true(mode_supports(&mode_e2e_pageable, &fake_entry) && mode_supports(&mode_graph, &fake_entry));
    assert_true(mode_supports(&mode_cold, &cpu) && mode_supports(&mode_hot, &cpu));
}

TEST(modes_say_what_memory_they_copy_from)
{
    assert_true(mode_e2e.pins && !mode_e2e_pageable.pins && !mode_hot.pins && !mode_cold.pins && !mode_graph.pins);
    assert_string_equal(mode_e2e.transfer, "pinned");
    assert_string_equal(mode_e2e_pageable.transfer, "pageable");
    for (size_t i = 0; i < MODE_COUNT; i++)
        assert_ptr_equal(mode_find(modes[i]->name), modes[i]);
    assert_null(mode_find("e2"));
    assert_null(mode_find("hott"));
}

TEST(a_slowed_call_is_one_launch_longer_in_every_mode)
{
    fake.tick_s = 1e-9;
    for (size_t i = 0; i < MODE_COUNT; i++) {
        int64_t calls = modes[i]->max_iterations < 20 ? modes[i]->max_iterations : 20;
        context.is_slowed = false;
        context.extra_ns = 30000;
        struct sample usual = take(modes[i], calls);
        context.is_slowed = true;
        struct sample slowed = take(modes[i], calls);
        assert_within(slowed.seconds - usual.seconds, 30.1e-6, 1e-6); /* in e2e the host queues it during the upload */
        if (modes[i]->transfer[0] == '\0')
            continue;
        assert_within(slowed.kernel_s - usual.kernel_s, 30.1e-6, 1e-6);
        assert_within(slowed.download_s, usual.download_s, 1e-6);
    }
    fake.queued_at_most = 0;
    take(&mode_hot, mode_hot.max_iterations);
    assert_true(fake.queued_at_most < 1000);
}

TEST(a_failing_rung_fails_the_sample_and_leaves_nothing_held)
{
    struct rung fails = rung;
    fails.run = fake_fails_to_launch;
    context.rung = &fails;
    struct sample sample;
    for (size_t i = 0; i < MODE_COUNT; i++)
        assert_true(mode_begin(modes[i], &context, 1) || modes[i]->take(&context, 1, &sample));
    context.rung = &rung;
    assert_false(take(&mode_hot, 1).launch_bound);
}

AROUND_EACH_TEST(set_up, tear_down)

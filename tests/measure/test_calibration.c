/* The harness's builtin rungs: calibration of the timer, and ceilings, on a fake device with known costs. */
#include "bench/measure/ceilings.h"
#include "tests/fakes/fake_backend.h"
#include "tests/fakes/fake_rungs.h"
#include "tests/unit.h"

static double interrupt_at_s;

static int at_a_time(void)
{
    return fake.host_s >= interrupt_at_s;
}

static const struct host_clock host_clock = {fake_now, at_a_time};
static struct devices devices;
static struct bench bench;
static struct ceilings ceilings;
static int timed; /* how often something was */

static void time_here(void *self, double min_time_s, struct ceiling *ceiling)
{
    assert_ptr_equal(self, &bench);
    timed++;
    ceiling_time(self, min_time_s, ceiling);
}

static int set_up(void **state)
{
    fake_reset();
    interrupt_at_s = INFINITY;
    timed = 0;
    devices = (struct devices){.count = 1};
    devices.items[0] = (struct device){.entry = &fake_entry, .usable = true, .info.tick_s = fake.tick_s};
    strcpy(devices.items[0].info.name, "Fake");
    bench = (struct bench){.device = &devices.items[0], .clock = &host_clock};
    ceilings = (struct ceilings){.time = time_here, .self = &bench};
    return 0;
}

static int tear_down(void **state)
{
    ceilings_free(&ceilings);
    assert_int_equal(fake.blocks, 0);
    return 0;
}

static struct floor_question question_of(const struct mode *mode, double bytes, double flops)
{
    return (struct floor_question){.backend = fake_entry.name,
                                   .mode = mode,
                                   .bytes = bytes,
                                   .flops = flops,
                                   .arithmetic = arithmetic_of(PRECISION_FP32, 0),
                                   .op = "matmul",
                                   .workload = "any"};
}

static struct time_floor measured_floor(const struct floor_question *question, enum ceiling_care care)
{
    ceilings_measure(&ceilings, question, care);
    return ceiling_table_floor(&ceilings.table, question);
}

/* Of a row that moves so many bytes. */
static double bytes_s(const struct mode *mode, double bytes, enum ceiling_care care)
{
    struct floor_question question = question_of(mode, bytes, 0);
    return measured_floor(&question, care).seconds;
}

/* Says so for each mode, and no more than a fault. */
TEST(a_timer_passes_only_if_it_is_true_in_every_mode)
{
    static const struct {
        double spin_factor;
        const char *graph_error, *says;
    } cases[] = {{1, NULL, NULL}, {1.02, NULL, "NO"}, {1, "no graphs today", "no graphs today"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text;
        size_t size;
        FILE *to = open_memstream(&text, &size);
        fake.launch_s = 2.7e-6;
        fake.spin_factor = cases[i].spin_factor;
        fake.graph_error = cases[i].graph_error;
        assert_int_equal(calibration_print(&devices, &host_clock, 0.01, to), !cases[i].says);
        fclose(to);
        for (size_t m = 0; m < MODE_COUNT; m++)
            assert_non_null(strstr(text, modes[m]->name));
        assert_int_equal(strstr(text, cases[i].says ? cases[i].says : "NO") != NULL, cases[i].says != NULL);
        free(text);
    }
}

/* The larger of what its bytes and its operations take, each by the faster of two variants; tensor cores judge the
 * rungs that use them, and multiply-adds do not. */
TEST(the_floor_of_a_row_is_that_of_its_ceiling)
{
    static const struct {
        unsigned traits;
        enum precision precision;
        double bytes, flops, tf32_s;
        const char *ceiling;
        double floor_s;
    } rows[] = {
        {0, PRECISION_FP32, 1e6, 1e6, 1e14, "read", 1e-6},
        {0, PRECISION_FP32, 1e6, 1e9, 1e14, "fma", 1e-4},
        {0, PRECISION_FP32, 1e3, 1e10, 1e14, "fma", 1e-3},
        {RUNG_TF32, PRECISION_TF32, 1e3, 1e10, 1e14, "tf32", 1e-4},
        {RUNG_TF32X3 | RUNG_HOPPER, PRECISION_FP32, 1e3, 1e10, 1e14, "tf32x3", 3e-4},
        {RUNG_FP16X3, PRECISION_FP32, 1e3, 1e10, 1e14, "fp16x3", 1.5e-4},
        {RUNG_BF16X9, PRECISION_FP32, 1e3, 1e10, 1e14, "bf16x9", 4.5e-4},
        {RUNG_TF32X3, PRECISION_FP32, 1e6, 1e10, 0, "read", 1e-6},
        {0, PRECISION_TF32, 1e6, 1e9, 0, "read", 1e-6},
        {0, PRECISION_U8, 1e6, 0, 0, "read", 1e-6},
        {0, PRECISION_U8, 4096, 0, 0, "read", 4.096e-9},
        {0, PRECISION_U8, 4095, 0, 0, "", NAN}, /* a few bytes */
    };
    fake.ceiling_bytes_s = 1e12;
    fake.ceiling_flops_s = 1e13;
    fake.ceiling_fp16_s = 2e14;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct floor_question question = question_of(&mode_hot, rows[i].bytes, rows[i].flops);
        question.arithmetic = arithmetic_of(rows[i].precision, rows[i].traits);
        fake.ceiling_tf32_s = rows[i].tf32_s;
        ceilings_free(&ceilings);
        ceilings.table = (struct ceiling_table){0};
        struct time_floor bound = measured_floor(&question, CEILING_ONCE);
        assert_string_equal(bound.ceiling, rows[i].ceiling);
        assert_int_equal(isnan(bound.seconds), isnan(rows[i].floor_s));
        if (!isnan(bound.seconds))
            assert_within(bound.seconds, rows[i].floor_s, 0.01 * rows[i].floor_s + 1e-10);
        if (question.arithmetic)
            assert_ptr_equal(arithmetic_find(question.arithmetic->name), question.arithmetic);
    }
    assert_within(ceilings_rate(&ceilings, fake_entry.name, &mode_hot, CEILING_FP16, 0), 2e14, 2e12);
}

TEST(what_cannot_be_measured_is_no_ceiling)
{
    struct floor_question question = question_of(&mode_hot, 1e6, 1e9);
    fake.ceiling_bytes_s = fake.ceiling_flops_s = 0;
    struct time_floor bound = measured_floor(&question, CEILING_ONCE);
    assert_true(isnan(bound.seconds));
    assert_string_equal(bound.ceiling, "");
    fake.ceiling_bytes_s = 1e12;
    fake.free_bytes = 1 << 20;
    assert_true(isnan(bytes_s(&mode_hot, 2e6, CEILING_ONCE)));
    fake.free_bytes = (size_t)8 << 30;
    fake.allocate_error = "no memory";
    assert_true(isnan(bytes_s(&mode_hot, 3e6, CEILING_ONCE)));
}

/* After an interruption between two variants, the best of the first ones would be too slow a ceiling. */
TEST(a_ceiling_that_was_interrupted_is_unknown)
{
    fake.launch_s = 2.7e-6;
    fake.ceiling_bytes_s = 1e12;
    bytes_s(&mode_hot, 1e6, CEILING_ONCE);
    double all_s = fake.host_s;
    for (double share = 0.05; share < 1; share += 0.05) {
        ceilings_free(&ceilings);
        ceilings.table = (struct ceiling_table){0};
        interrupt_at_s = fake.host_s + share * all_s;
        double seconds = bytes_s(&mode_hot, 1e6, CEILING_ONCE);
        assert_true(isnan(seconds) || seconds < 5e-6); /* the slow variant takes 5.7 us, the fast one 3.7 us */
    }
}

TEST(ceilings_are_taken_as_rows_are)
{
    fake.launch_s = 2.7e-6;
    bench.evict_by_writing = true;
    bytes_s(&mode_cold, 1e6, CEILING_ONCE);
    assert_true(fake.evictions > 0);
    assert_int_equal(fake.write_evictions, fake.evictions);
    assert_within(ceilings_empty_kernel(&ceilings, fake_entry.name, &mode_cold), 2.7e-6, fake.tick_s);
    assert_within(ceilings_empty_kernel(&ceilings, fake_entry.name, &mode_graph), 2.7e-6, fake.tick_s);
}

/* A launch takes longer than the first operations: from these on, in steps of four, 1 ms would be the sixth. */
TEST(arithmetic_gets_long_in_few_steps)
{
    double longest_s = 0;
    int steps = 0;
    struct floor_question question = question_of(&mode_hot, 1e3, 1e10);
    fake.launch_s = 5e-6;
    fake.ceiling_flops_s = 1e13;
    measured_floor(&question, CEILING_ONCE);
    for (size_t i = 0; i < ceilings.table.count; i++) {
        steps += ceilings.table.items[i].kind == CEILING_FMA;
        longest_s = fmax(longest_s, ceilings.table.items[i].seconds);
    }
    assert_in_range(steps, 1, 4);
    assert_true(longest_s >= 1e-3 && longest_s < 4.1e-3);
}

TEST(a_first_time_that_was_too_long_ends_no_search)
{
    struct floor_question question = question_of(&mode_hot, 1e3, 1e10);
    fake.ceiling_flops_s = 1e9; /* disturbed: 10 ms for the first operations */
    measured_floor(&question, CEILING_ONCE);
    fake.ceiling_flops_s = 1e13;
    assert_within(measured_floor(&question, CEILING_AGAIN).flops_s, 1e-3, 1e-5);
}

/* Other work disturbs some of the measurements. */
TEST(a_ceiling_is_measured_once_and_the_better_is_kept)
{
    fake.ceiling_bytes_s = 1e11;
    double first_s = bytes_s(&mode_hot, 1e6, CEILING_ONCE);
    int once = timed;
    assert_int_equal(once, 2); /* read and copy */
    assert_true(bytes_s(&mode_hot, 1e6, CEILING_ONCE) == first_s && timed == once);
    bytes_s(&mode_cold, 1e6, CEILING_ONCE); /* another mode has another ceiling */
    assert_int_equal(timed, 2 * once);
    fake.ceiling_bytes_s = 1e12;
    double second_s = bytes_s(&mode_hot, 1e6, CEILING_AGAIN);
    assert_true(second_s < 0.5 * first_s);
    fake.ceiling_bytes_s = 1e11;
    assert_true(bytes_s(&mode_hot, 1e6, CEILING_AGAIN) == second_s);
}

TEST(a_last_look_is_at_the_fastest_way_alone)
{
    fake.ceiling_bytes_s = 1e11;
    double first_s = bytes_s(&mode_hot, 1e6, CEILING_ONCE), begin_s = fake.host_s;
    bytes_s(&mode_hot, 1e6, CEILING_AGAIN);
    double again_s = fake.host_s - begin_s;
    fake.ceiling_bytes_s = 1e12;
    begin_s = fake.host_s;
    ceilings_measure_last(&ceilings);
    assert_true(fake.host_s - begin_s < 0.2 * again_s);
    assert_true(bytes_s(&mode_hot, 1e6, CEILING_ONCE) < 0.5 * first_s);
}

TEST(transfers_are_bound_by_transfers)
{
    enum { SIDE = 64 };
    static const struct workload workload = {"64x64x64", {SIDE, SIDE, SIDE}, 0};
    static float memory[3][SIDE * SIDE];
    void *const host[] = {memory[0], memory[1], memory[2]};
    struct buffers buffers;
    assert_null(
        buffers_make(&buffers, &fake_backend, &matmul_op, &workload, &(struct placement){.edge = EDGE_ANY}, NULL));
    bench.buffers = &buffers;
    bench.host = host;
    fake.bytes_per_s = 1e9;
    struct floor_question question = question_of(&mode_e2e_pageable, 1e6, 0);
    struct time_floor bound = measured_floor(&question, CEILING_ONCE);
    assert_string_equal(bound.ceiling, "transfer");
    assert_within(bound.seconds, sizeof memory / 1e9 + fake.launch_s, 10 * fake.call_s);
    question.workload = "another"; /* which has another floor */
    fake.bytes_per_s = 1e8;
    assert_true(measured_floor(&question, CEILING_ONCE).seconds > 5 * bound.seconds);
    buffers_free(&buffers);
}

AROUND_EACH_TEST(set_up, tear_down)

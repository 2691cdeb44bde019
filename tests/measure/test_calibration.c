/* The harness's builtin rungs: calibration of the timer, and ceilings, on a fake device with known costs. */
#include "bench/measure/calibration.h"
#include "bench/measure/ceilings.h"
#include "tests/fakes/fake_backend.h"
#include "tests/fakes/fake_rungs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int never(void)
{
    return 0;
}

static const struct host_clock host_clock = {fake_now, never};
static struct devices devices;
static struct ceilings ceilings;

static int set_up(void **state)
{
    (void)state;
    fake_reset();
    fake.launch_s = 2.7e-6;
    devices = (struct devices){.count = 1};
    devices.items[0] = (struct device){.entry = &fake_entry, .usable = true, .info.tick_s = fake.tick_s};
    strcpy(devices.items[0].info.name, "Fake");
    ceilings = (struct ceilings){.clock = &host_clock};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ceilings_free(&ceilings);
    assert_int_equal(fake.blocks, 0);
    assert_int_equal(fake.graphs, 0);
    return 0;
}

static void assert_near(double seen, double expected, double tolerance)
{
    if (!(fabs(seen - expected) <= tolerance))
        fail_msg("saw %g, expected %g within %g", seen, expected, tolerance);
}

static struct floor_question question_of(const struct mode *mode, double bytes, double flops, enum precision precision)
{
    return (struct floor_question){.backend = fake_entry.name,
                                   .mode = mode,
                                   .bytes = bytes,
                                   .flops = flops,
                                   .arithmetic = arithmetic_of(precision, 0),
                                   .op = "matmul",
                                   .workload = "any"};
}

static struct time_floor measured_floor(const struct floor_question *question, struct device_problem *device_problem,
                                        enum ceiling_care care)
{
    ceilings_measure(&ceilings, &devices.items[0], question, device_problem, care);
    return ceiling_table_floor(&ceilings.table, question);
}

static struct time_floor floor_of(const struct mode *mode, double bytes, double flops, enum precision precision)
{
    struct floor_question question = question_of(mode, bytes, flops, precision);
    return measured_floor(&question, NULL, CEILING_ONCE);
}

static bool calibrate(char **text)
{
    size_t size;
    FILE *to = open_memstream(text, &size);
    bool ok = calibration_print(&devices, &host_clock, 0.01, to);
    fclose(to);
    return ok;
}

static void a_true_timer_passes_in_every_mode(void **state)
{
    (void)state;
    char *text;
    assert_true(calibrate(&text));
    for (size_t i = 0; i < MODE_COUNT; i++)
        assert_non_null(strstr(text, modes[i]->name));
    assert_null(strstr(text, "NO"));
    free(text);
}

static void a_timer_that_is_off_by_two_per_cent_does_not(void **state)
{
    (void)state;
    char *text;
    fake.spin_factor = 1.02;
    assert_false(calibrate(&text));
    assert_non_null(strstr(text, "NO"));
    free(text);
}

static void a_mode_that_fails_is_no_pass(void **state)
{
    (void)state;
    char *text;
    fake.graph_error = "no graphs today";
    assert_false(calibrate(&text));
    assert_non_null(strstr(text, "no graphs today"));
    free(text);
}

static double interrupt_at_s;

static int at_a_time(void)
{
    return fake.host_s >= interrupt_at_s;
}

/* After an interruption between two variants, the best of the first ones would be too slow a ceiling. */
static void a_ceiling_that_was_interrupted_is_unknown(void **state)
{
    (void)state;
    static const struct host_clock interrupted_clock = {fake_now, at_a_time};
    fake.ceiling_bytes_s = 1e12;
    double start_s = fake.host_s;
    floor_of(&mode_hot, 1e6, 0, PRECISION_U8);
    double all_s = fake.host_s - start_s;
    ceilings.clock = &interrupted_clock;
    for (double share = 0.05; share < 1; share += 0.05) {
        ceilings_free(&ceilings);
        interrupt_at_s = fake.host_s + share * all_s;
        double seconds = floor_of(&mode_hot, 1e6, 0, PRECISION_U8).seconds;
        assert_true(isnan(seconds) || seconds < 5e-6); /* the slow variant takes 5.7 us, the fast one 3.7 us */
    }
}

static void a_few_bytes_have_no_ceiling(void **state)
{
    (void)state;
    fake.ceiling_bytes_s = 1e6;
    assert_true(isnan(floor_of(&mode_hot, 4095, 0, PRECISION_U8).seconds));
    assert_true(floor_of(&mode_hot, 4096, 0, PRECISION_U8).seconds > 0);
}

static void ceilings_empty_the_cache_as_rows_do(void **state)
{
    (void)state;
    ceilings.evict_by_writing = true;
    floor_of(&mode_cold, 1e6, 0, PRECISION_U8);
    assert_true(fake.evictions > 0);
    assert_int_equal(fake.write_evictions, fake.evictions);
}

static void the_empty_kernel_is_the_modes_floor(void **state)
{
    (void)state;
    assert_near(ceilings_empty_kernel(&ceilings, &devices.items[0], &mode_cold), 2.7e-6, fake.tick_s);
    assert_near(ceilings_empty_kernel(&ceilings, &devices.items[0], &mode_graph), 2.7e-6, fake.tick_s);
}

static void the_floor_is_the_larger_of_bytes_and_operations(void **state)
{
    (void)state;
    fake.launch_s = 0;
    fake.ceiling_bytes_s = 1e12;
    fake.ceiling_flops_s = 1e13;
    struct time_floor bound = floor_of(&mode_hot, 1e6, 1e6, PRECISION_FP32);
    assert_string_equal(bound.ceiling, "read");
    assert_near(bound.seconds, 1e-6, 1e-8); /* the faster of two variants */
    bound = floor_of(&mode_hot, 1e6, 1e9, PRECISION_FP32);
    assert_string_equal(bound.ceiling, "fma");
    assert_near(bound.seconds, 1e-4, 1e-6);
    assert_near(bound.bytes_s, 1e-6, 1e-8);
    assert_true(bound.flops_s == bound.seconds);
}

static void only_fp32_is_bound_by_fp32_arithmetic(void **state)
{
    (void)state;
    fake.ceiling_flops_s = 1e13;
    assert_string_equal(floor_of(&mode_hot, 1e6, 1e9, PRECISION_TF32).ceiling, "read");
    assert_string_equal(floor_of(&mode_hot, 1e6, 0, PRECISION_U8).ceiling, "read");
}

static void tensor_cores_judge_the_rungs_that_use_them(void **state)
{
    (void)state;
    static const struct {
        unsigned traits;
        enum precision precision;
        const char *ceiling;
        double floor_s;
    } rungs[] = {
        {0, PRECISION_FP32, "fma", 1e-3},
        {RUNG_TF32, PRECISION_TF32, "tf32", 1e-4},
        {RUNG_TF32X3 | RUNG_HOPPER, PRECISION_FP32, "tf32x3", 3e-4},
        {RUNG_FP16X3, PRECISION_FP32, "fp16x3", 1.5e-4},
    };
    fake.launch_s = 0;
    fake.ceiling_flops_s = 1e13;
    fake.ceiling_tf32_s = 1e14;
    fake.ceiling_fp16_s = 2e14;
    for (size_t i = 0; i < sizeof rungs / sizeof rungs[0]; i++) {
        struct floor_question question = question_of(&mode_hot, 1e3, 1e10, PRECISION_FP32);
        question.arithmetic = arithmetic_of(rungs[i].precision, rungs[i].traits);
        struct time_floor bound = measured_floor(&question, NULL, CEILING_ONCE);
        assert_string_equal(bound.ceiling, rungs[i].ceiling);
        assert_near(bound.seconds, rungs[i].floor_s, 0.01 * rungs[i].floor_s);
        assert_ptr_equal(arithmetic_find(question.arithmetic->name), question.arithmetic);
    }
    assert_near(ceilings_rate(&ceilings, &devices.items[0], &mode_hot, CEILING_FP16, 0), 2e14, 2e12);
}

/* A launch takes longer than the first operations: from these on, in steps of four, 1 ms would be the sixth. */
static void arithmetic_gets_long_in_few_steps(void **state)
{
    (void)state;
    double longest_s = 0;
    fake.launch_s = 5e-6;
    fake.ceiling_flops_s = 1e13;
    floor_of(&mode_hot, 1e3, 1e10, PRECISION_FP32);
    int steps = 0;
    for (size_t i = 0; i < ceilings.table.count; i++) {
        if (ceilings.table.items[i].kind != CEILING_FMA)
            continue;
        steps++;
        longest_s = fmax(longest_s, ceilings.table.items[i].seconds);
    }
    assert_in_range(steps, 1, 4);
    assert_true(longest_s >= 1e-3 && longest_s < 4.1e-3);
}

static void a_first_time_that_was_too_long_ends_no_search(void **state)
{
    (void)state;
    struct floor_question question = question_of(&mode_hot, 1e3, 1e10, PRECISION_FP32);
    fake.launch_s = 0;
    fake.ceiling_flops_s = 1e9; /* disturbed: 10 ms for the first operations */
    measured_floor(&question, NULL, CEILING_ONCE);
    fake.ceiling_flops_s = 1e13;
    assert_near(measured_floor(&question, NULL, CEILING_AGAIN).flops_s, 1e-3, 1e-5);
}

static void multiply_adds_do_not_judge_tensor_cores_of_unknown_rate(void **state)
{
    (void)state;
    fake.ceiling_flops_s = 1e13;
    struct floor_question question = question_of(&mode_hot, 1e6, 1e10, PRECISION_FP32);
    question.arithmetic = arithmetic_of(PRECISION_FP32, RUNG_TF32X3);
    assert_string_equal(measured_floor(&question, NULL, CEILING_ONCE).ceiling, "read");
}

static void a_ceiling_is_measured_once_per_run(void **state)
{
    (void)state;
    fake.ceiling_bytes_s = 1e12;
    double first = floor_of(&mode_cold, 1e6, 0, PRECISION_U8).seconds;
    double host_s = fake.host_s;
    assert_true(floor_of(&mode_cold, 1e6, 0, PRECISION_U8).seconds == first);
    assert_true(fake.host_s == host_s);
    floor_of(&mode_hot, 1e6, 0, PRECISION_U8); /* another mode has another ceiling */
    assert_true(fake.host_s > host_s);
}

static void measuring_again_keeps_the_better(void **state)
{
    (void)state;
    struct floor_question question = question_of(&mode_hot, 1e6, 0, PRECISION_U8);
    fake.ceiling_bytes_s = 1e11; /* other work disturbed the measurement */
    double first = measured_floor(&question, NULL, CEILING_ONCE).seconds;
    fake.ceiling_bytes_s = 1e12;
    double second = measured_floor(&question, NULL, CEILING_AGAIN).seconds;
    assert_true(second < 0.5 * first);
    fake.ceiling_bytes_s = 1e11;
    assert_true(measured_floor(&question, NULL, CEILING_AGAIN).seconds == second);
}

static void a_last_look_is_at_the_fastest_way_alone(void **state)
{
    (void)state;
    struct floor_question question = question_of(&mode_hot, 1e6, 0, PRECISION_U8);
    fake.ceiling_bytes_s = 1e11;
    double first = measured_floor(&question, NULL, CEILING_ONCE).seconds, start_s = fake.host_s;
    measured_floor(&question, NULL, CEILING_AGAIN);
    double again_s = fake.host_s - start_s;
    fake.ceiling_bytes_s = 1e12;
    start_s = fake.host_s;
    ceilings_measure_last(&ceilings, &devices.items[0]);
    assert_true(fake.host_s - start_s < 0.2 * again_s);
    assert_true(ceiling_table_floor(&ceilings.table, &question).seconds < 0.5 * first);
}

static size_t told;

static void tell(void *self, const struct ceiling *measured)
{
    assert_ptr_equal(self, &told);
    assert_true(measured->seconds > 0);
    told++;
}

static void each_measurement_is_told(void **state)
{
    (void)state;
    told = 0;
    ceilings.tell = tell;
    ceilings.self = &told;
    floor_of(&mode_hot, 1e6, 0, PRECISION_U8);
    assert_int_equal(told, 2); /* read and copy */
    floor_of(&mode_hot, 1e6, 0, PRECISION_U8);
    assert_int_equal(told, 2);
    ceilings_measure_last(&ceilings, &devices.items[0]);
    assert_int_equal(told, 4);
}

static void a_device_without_ceilings_has_no_floor(void **state)
{
    (void)state;
    fake.ceiling_bytes_s = fake.ceiling_flops_s = 0;
    struct time_floor bound = floor_of(&mode_hot, 1e6, 1e9, PRECISION_FP32);
    assert_true(isnan(bound.seconds));
    assert_string_equal(bound.ceiling, "");
}

static void no_room_for_a_ceiling_is_an_unknown_one(void **state)
{
    (void)state;
    fake.free_bytes = 1 << 20;
    assert_true(isnan(floor_of(&mode_hot, 1e6, 0, PRECISION_U8).seconds));
    fake.free_bytes = (size_t)8 << 30;
    fake.allocate_error = "no memory";
    assert_true(isnan(floor_of(&mode_hot, 2e6, 0, PRECISION_U8).seconds));
}

static void transfers_are_bound_by_transfers(void **state)
{
    (void)state;
    static const struct workload workload = {"64x64x64", {64, 64, 64}, 0};
    struct host_problem host_problem;
    struct device_problem device_problem = {0};
    struct input_source source = {.seed = 1};
    fake.bytes_per_s = 1e9;
    assert_true(host_problem_make(&host_problem, &matmul_op, &workload, &source));
    assert_null(device_problem_move(&device_problem, &host_problem, &fake_backend));
    struct floor_question question = question_of(&mode_e2e_pageable, 1e6, 0, PRECISION_FP32);
    struct time_floor bound = measured_floor(&question, &device_problem, CEILING_ONCE);
    assert_string_equal(bound.ceiling, "transfer");
    assert_near(bound.seconds, 3 * 64 * 64 * sizeof(float) / 1e9 + fake.launch_s, 10 * fake.call_s);
    assert_int_equal(fake.pinned, 0); /* pageable, as before */
    question.workload = "another";    /* which has another floor */
    fake.bytes_per_s = 1e8;
    assert_true(measured_floor(&question, &device_problem, CEILING_ONCE).seconds > 5 * bound.seconds);
    device_problem_leave(&device_problem);
    host_problem_free(&host_problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_true_timer_passes_in_every_mode, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_timer_that_is_off_by_two_per_cent_does_not, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_mode_that_fails_is_no_pass, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_ceiling_that_was_interrupted_is_unknown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_few_bytes_have_no_ceiling, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ceilings_empty_the_cache_as_rows_do, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_empty_kernel_is_the_modes_floor, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_floor_is_the_larger_of_bytes_and_operations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(only_fp32_is_bound_by_fp32_arithmetic, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tensor_cores_judge_the_rungs_that_use_them, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_first_time_that_was_too_long_ends_no_search, set_up, tear_down),
        cmocka_unit_test_setup_teardown(arithmetic_gets_long_in_few_steps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(multiply_adds_do_not_judge_tensor_cores_of_unknown_rate, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_ceiling_is_measured_once_per_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(measuring_again_keeps_the_better, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_last_look_is_at_the_fastest_way_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_measurement_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_device_without_ceilings_has_no_floor, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_room_for_a_ceiling_is_an_unknown_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(transfers_are_bound_by_transfers, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Whole runs on the fake backend: which rows run, which are skipped, and what ends a run. */
#include "bench/base/exit_status.h"
#include "tests/fakes/fake_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void every_row_gets_a_time_and_a_speedup(void **state)
{
    (void)state;
    struct rung rungs[] = {host_rung("cpu_scalar", fake_right, RUNG_BASELINE), device_rung("gpu", fake_right)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 2, &outcome, &error));
    assert_int_equal(outcome.ok, 5); /* the host has no e2e */
    assert_int_equal(outcome.failed + outcome.skipped, 0);
    const struct result *hot = find("matmul/small/cpu_scalar/hot"), *e2e = find("matmul/small/gpu/e2e");
    assert_true(hot->speedup == 1);
    assert_string_equal(e2e->baseline, "cpu_scalar");
    assert_true(e2e->speedup == hot->statistics.median / e2e->statistics.median); /* e2e divides hot */
    const struct result *cold = find("matmul/small/gpu/cold");
    assert_true(cold->speedup == find("matmul/small/cpu_scalar/cold")->statistics.median / cold->statistics.median);
    assert_string_equal(cold->flush, "read");
    assert_string_equal(e2e->transfer, "pinned");
    assert_true(fabs(cold->statistics.median - FAKE_KERNEL_NS * 1e-9) < 0.01 * FAKE_KERNEL_NS * 1e-9);
}

static void a_row_has_the_digest_of_its_rungs_code(void **state)
{
    (void)state;
    struct rung rungs[] = {host_rung("cpu_scalar", fake_right, RUNG_BASELINE), device_rung("gpu", fake_right)};
    static const struct code_digest code[] = {{"matmul_cpu", "11"},
                                              {"matmul_cpu_scalar", "feed"},
                                              {"grayscale_gpu", "22"},
                                              {NULL, NULL},
                                              {"matmul_gpu", "33"}};
    struct run_outcome outcome;
    struct error error;
    facts.code = code;
    bool ok = run(rungs, 2, &outcome, &error);
    facts.code = NULL;
    assert_true(ok);
    assert_string_equal(find("matmul/small/cpu_scalar/hot")->code, "feed");
    assert_string_equal(find("matmul/small/gpu/hot")->code, ""); /* unknown */
}

static const char *hands_over_here(const void *problem, void *stream)
{
    const struct matmul_problem *p = problem;
    return p->m == FAKE_COUNTED_M ? rung_hand_over(fake_right, problem, stream) : fake_right(problem, stream);
}

static const char *hands_over_elsewhere(const void *problem, void *stream)
{
    const struct matmul_problem *p = problem;
    return p->m != FAKE_COUNTED_M ? rung_hand_over(fake_right, problem, stream) : fake_right(problem, stream);
}

/* Neither the ragged sizes nor the rows of another rung or workload count. */
static void a_row_says_whose_kernel_its_rung_ran_on_the_workload(void **state)
{
    (void)state;
    struct rung rungs[] = {device_rung("elsewhere", hands_over_elsewhere), device_rung("right", fake_right),
                           device_rung("here", hands_over_here)};
    struct run_outcome outcome;
    struct error error;
    options.user[1] = options.user[0];
    options.user[1].workload = (struct workload){"large", {1 << 10, 1 << 10, 1 << 10}, 0};
    options.user_count = 2;
    fake.free_bytes = 1 << 20;
    assert_true(run(rungs, 3, &outcome, &error));
    assert_int_equal(outcome.ok, 9);
    assert_int_equal(outcome.skipped, 9);
    for (size_t i = 0; i < result_count; i++) {
        bool handed_over = results[i].status == STATUS_OK && strcmp(results[i].variant, "here") == 0;
        assert_string_equal(results[i].runs_as, handed_over ? "right" : "");
    }
}

static int ragged_calls;

/* Wrong for the ragged size alone, which is 9 x 10 x 11. */
static void multiply_but_ragged(const struct matmul_problem *p)
{
    fake_multiply(p);
    if (p->m == 9) {
        ragged_calls++;
        p->c[0] += 1;
    }
}

static const char *is_wrong_if_ragged(const void *problem, void *stream)
{
    fake_launch(stream, multiply_but_ragged, problem, 1e-6);
    return NULL;
}

static void assert_ragged_sizes_are_tried(bool expected)
{
    struct rung rungs[] = {device_rung("gpu", is_wrong_if_ragged)};
    struct run_outcome outcome;
    struct error error;
    ragged_calls = 0;
    result_count = 0;
    assert_true(run(rungs, 1, &outcome, &error));
    assert_int_equal(ragged_calls > 0, expected);
    assert_int_equal(outcome.failed > 0, expected);
    assert_int_equal(outcome.ok > 0, !expected);
}

static void the_first_round_verifies_ragged_sizes_for_all(void **state)
{
    (void)state;
    assert_ragged_sizes_are_tried(true);
    facts.round = 1;
    assert_ragged_sizes_are_tried(false);
    options.verify = true;
    assert_ragged_sizes_are_tried(true);
    options.verify = false;
    facts.round = 0;
}

static const char *cannot_be_recorded(const void *problem, void *stream)
{
    if (fake_is_recording())
        return "not in a graph";
    fake_launch(stream, fake_multiply, problem, 1e-6);
    return NULL;
}

static void the_first_round_records_each_rung_in_a_graph(void **state)
{
    (void)state;
    struct rung rungs[] = {device_rung("gpu", cannot_be_recorded)};
    struct run_outcome outcome;
    struct error error;
    for (facts.round = 0; facts.round < 2; facts.round++) {
        result_count = 0;
        assert_true(run(rungs, 1, &outcome, &error));
        assert_int_equal(outcome.failed, facts.round == 0 ? 3 : 0);
    }
    facts.round = 0;
}

static void a_row_says_what_a_call_of_its_rung_launches(void **state)
{
    (void)state;
    struct rung rungs[] = {device_rung("gpu", fake_right), device_rung("fails", fake_nan)};
    struct run_outcome outcome;
    struct error error;
    fake.graph_launches =
        (struct kernel_launches){.kernels = 3, .kernel = "tiled<4, 2>", .blocks = 64, .registers = 40};
    assert_true(run(rungs, 2, &outcome, &error));
    const struct kernel_launches *launches = &find("matmul/small/gpu/hot")->launches;
    assert_int_equal(launches->kernels, 3);
    assert_string_equal(launches->kernel, "tiled<4, 2>");
    assert_int_equal(launches->blocks, 64);
    assert_int_equal(launches->registers, 40);
    assert_int_equal(find("matmul/small/fails/hot")->launches.kernels, 0); /* it never came so far */
}

static bool measures_ceilings(int round, const char *worker)
{
    struct rung rungs[] = {device_rung("gpu", fake_right)};
    struct run_outcome outcome;
    struct error error;
    result_count = 0;
    facts.round = round;
    options.worker = worker;
    bool ok = run(rungs, 1, &outcome, &error);
    facts.round = 0;
    options.worker = NULL;
    assert_true(ok && outcome.ok == 3);
    return !isnan(find("matmul/small/gpu/hot")->empty_kernel_s);
}

static void later_rounds_that_stand_alone_measure_no_ceilings(void **state)
{
    (void)state;
    assert_true(measures_ceilings(0, NULL));
    assert_true(measures_ceilings(0, ""));
    assert_true(measures_ceilings(1, ""));
    assert_false(measures_ceilings(1, NULL));
}

/* As a round shuffles them. */
static void the_first_baseline_serves_in_any_order(void **state)
{
    (void)state;
    struct rung rungs[] = {host_rung("cpu_scalar", fake_right, RUNG_BASELINE),
                           host_rung("cpu_tuned", fake_right, RUNG_BASELINE), device_rung("gpu", fake_right)};
    struct registry registry = {entries, 3, ops, 1, rungs, 3};
    struct selection selection;
    struct error error;
    assert_int_equal(selection_make(&registry, &options, &selection, &error), EXIT_RIGHT);
    for (size_t i = 0; i < selection.count / 2; i++) {
        struct row row = selection.rows[i];
        selection.rows[i] = selection.rows[selection.count - 1 - i];
        selection.rows[selection.count - 1 - i] = row;
    }
    struct run_outcome outcome;
    assert_true(run_selection(&registry, &selection, &outcome, &error));
    assert_string_equal(results[0].variant, "cpu_scalar");
    for (size_t i = 0; i < result_count; i++)
        assert_string_equal(results[i].baseline, "cpu_scalar");
}

static void a_budget_counts_from_the_start_of_all_rounds(void **state)
{
    (void)state;
    fake.host_s = fake.device_s = 100;
    facts.start_s = 1;
    options.budget_s = 50;
    struct rung rungs[] = {device_rung("right", fake_right)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 1, &outcome, &error));
    assert_int_equal(outcome.skipped, 3);
    facts.start_s = 0;
}

static void what_cannot_run_is_skipped_with_its_reason(void **state)
{
    (void)state;
    struct rung absent = device_rung("absent", NULL);
    absent.unavailable = "built without CUDA";
    absent.backend = &entries[2];
    struct rung rungs[] = {device_rung("right", fake_right), absent};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 2, &outcome, &error));
    assert_int_equal(outcome.ok, 3);
    assert_int_equal(outcome.skipped, 3);
    assert_string_equal(find("matmul/small/absent/hot")->reason, "built without CUDA");
}

static void a_device_that_does_not_open_skips_its_rows(void **state)
{
    (void)state;
    fake.open_error = "no CUDA-capable device is detected";
    struct rung rungs[] = {device_rung("right", fake_right)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 1, &outcome, &error));
    assert_int_equal(outcome.skipped, 3);
    assert_string_equal(results[0].reason, "no CUDA-capable device is detected");
    assert_null(results[0].device);
}

static void a_workload_larger_than_memory_is_skipped_before_memory_is_taken(void **state)
{
    (void)state;
    fake.free_bytes = 10000;
    fake.allocate_error = "must not be asked";
    struct rung rungs[] = {device_rung("right", fake_right)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 1, &outcome, &error));
    assert_int_equal(outcome.skipped, 3);
    assert_non_null(strstr(results[0].reason, "too large: needs"));
}

static void a_slow_rung_is_skipped_and_the_next_baseline_serves(void **state)
{
    (void)state;
    options.user[0].workload = (struct workload){"big", {16, 1 << 20, 1 << 10}, 0}; /* 3.4e10 operations */
    options.budget_s = 1; /* too short for the reference: nothing is computed here */
    struct rung rungs[] = {host_rung("cpu_scalar", fake_right, RUNG_BASELINE | RUNG_SLOW)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 1, &outcome, &error));
    assert_non_null(strstr(results[0].reason, "too slow"));

    set_up(state);
    struct rung two[] = {host_rung("cpu_scalar", NULL, RUNG_BASELINE), host_rung("cpu_reordered", fake_right, 0),
                         host_rung("cpu_tuned", fake_right, RUNG_BASELINE)};
    two[0].unavailable = "absent";
    assert_true(run(two, 3, &outcome, &error));
    assert_string_equal(find("matmul/small/cpu_reordered/hot")->baseline, "cpu_tuned");
    assert_true(find("matmul/small/cpu_tuned/hot")->speedup == 1);
}

static void rows_beyond_the_budget_are_skipped(void **state)
{
    (void)state;
    struct rung rungs[] = {device_rung("first", fake_right), device_rung("second", fake_right),
                           device_rung("third", fake_right)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 3, &outcome, &error));
    assert_int_equal(outcome.ok, 9);
    options.budget_s = 0.6 * fake.host_s; /* of what all takes */
    facts.start_s = fake.host_s;
    result_count = 0;
    assert_true(run(rungs, 3, &outcome, &error));
    facts.start_s = 0;
    assert_true(outcome.ok >= 1 && outcome.skipped >= 1);
    assert_int_equal(outcome.ok + outcome.skipped, 9);
    assert_non_null(strstr(find("matmul/small/third/e2e")->reason, "--budget"));
}

static void an_interruption_keeps_finished_rows_only(void **state)
{
    (void)state;
    interrupt_after = 2;
    struct rung rungs[] = {device_rung("first", fake_right), device_rung("second", fake_right)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 2, &outcome, &error));
    assert_int_equal(result_count, 2);

    set_up(state);
    interrupt_after = 1;
    options.verify = true;
    assert_true(run(rungs, 2, &outcome, &error));
    assert_int_equal(result_count, 1);
}

static void a_full_disk_ends_the_run(void **state)
{
    (void)state;
    write_limit = 2;
    struct rung rungs[] = {device_rung("first", fake_right), device_rung("second", fake_right)};
    struct run_outcome outcome;
    struct error error;
    assert_false(run(rungs, 2, &outcome, &error));
    assert_string_equal(error.text, "no space left");
    assert_int_equal(result_count, 2);
}

static void verifying_times_nothing(void **state)
{
    (void)state;
    options.verify = true;
    struct rung rungs[] = {device_rung("right", fake_right), device_rung("wrong", fake_nan)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 2, &outcome, &error));
    assert_int_equal(outcome.ok, 1);
    assert_int_equal(outcome.failed, 1);
    assert_int_equal(find("matmul/small/right/verify")->statistics.count, 0);
    assert_true(find("matmul/small/right/verify")->rms_err > 0);
    assert_int_equal(fake.evictions, 0);
}

static void a_device_number_that_is_not_there_is_an_error(void **state)
{
    (void)state;
    struct registry registry = {entries, 2, ops, 1, NULL, 0};
    struct error error;
    struct backend_settings settings = {.device = 1};
    assert_false(devices_open(&registry, &settings, &devices, &error));
    assert_non_null(strstr(error.text, "--device=1"));
    settings.device = 0;
    assert_true(devices_open(&registry, &settings, &devices, &error));
    devices_close(&devices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_row_gets_a_time_and_a_speedup, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_row_has_the_digest_of_its_rungs_code, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_row_says_whose_kernel_its_rung_ran_on_the_workload, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_first_round_verifies_ragged_sizes_for_all, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_row_says_what_a_call_of_its_rung_launches, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_first_round_records_each_rung_in_a_graph, set_up, tear_down),
        cmocka_unit_test_setup_teardown(later_rounds_that_stand_alone_measure_no_ceilings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_budget_counts_from_the_start_of_all_rounds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_first_baseline_serves_in_any_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_cannot_run_is_skipped_with_its_reason, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_device_that_does_not_open_skips_its_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_workload_larger_than_memory_is_skipped_before_memory_is_taken, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_slow_rung_is_skipped_and_the_next_baseline_serves, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_beyond_the_budget_are_skipped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_interruption_keeps_finished_rows_only, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_full_disk_ends_the_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(verifying_times_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_device_number_that_is_not_there_is_an_error, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

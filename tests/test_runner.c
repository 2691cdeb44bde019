/* Whole runs on the fake backend: which results come out, and what happens to the others when one rung is wrong. */
#include "fake_backend.h"
#include "fake_rungs.h"
#include "runner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct backend host_backend; /* the fake one too, but another than the device's */
static const struct backend_entry entries[] = {
    {"host", "Host", false, &host_backend},
    {"fake", "Fake", true, &fake_backend},
    {"absent", "Absent", true, NULL},
};
static const struct op *const ops[] = {&matmul_op};

enum { RESULTS_MAX = 128 };
static struct result results[RESULTS_MAX];
static size_t result_count, write_limit;
static int64_t interrupt_after;

static bool keep(void *self, const struct result *result, struct error *error)
{
    (void)self;
    if (result_count == write_limit)
        return error_set(error, "no space left");
    results[result_count++] = *result;
    return true;
}

static int interrupted(void)
{
    return interrupt_after >= 0 && (int64_t)result_count >= interrupt_after;
}

static void step(size_t done, const char *name)
{
    (void)name;
    assert_int_equal(done, result_count);
}

static struct options options;
static struct devices devices;
static struct run_facts facts;

static int set_up(void **state)
{
    (void)state;
    fake_reset();
    fake_rungs_reset();
    fake.noise = 0.001;
    result_count = 0;
    write_limit = RESULTS_MAX;
    interrupt_after = -1;
    options = (struct options){
        .suite = suite_find("none"),
        .modes = {&mode_cold, &mode_hot, &mode_e2e},
        .mode_count = 3,
        .min_time_s = 0.001,
        .budget_s = INFINITY,
        .backend = {.device = -1},
        .seed = 42,
        .user = {{&matmul_op, {"small", {FAKE_COUNTED_M, 20, 30}, 0}}},
        .user_count = 1,
    };
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    fake_rungs_reset();
    assert_int_equal(fake.blocks, 0);
    assert_int_equal(fake.pinned, 0);
    assert_int_equal(fake.open_count, 0);
    return 0;
}

static struct rung host_rung(const char *variant, rung_function *run, unsigned traits)
{
    return (struct rung){variant, &matmul_op, &entries[0], run, NULL, PRECISION_FP32, traits, ""};
}

static struct rung device_rung(const char *variant, rung_function *run)
{
    return (struct rung){variant, &matmul_op, &entries[1], run, NULL, PRECISION_FP32, 0, ""};
}

/* Runs the rows, and frees them; false if the reporter could not write. */
static bool run_selection(const struct registry *registry, struct selection *selection, struct run_outcome *outcome,
                          struct error *error)
{
    struct reporter reporter = {NULL, keep, NULL};
    assert_true(devices_open(registry, &options.backend, &devices, error));
    struct runner_settings settings = {
        .options = &options,
        .registry = registry,
        .devices = &devices,
        .facts = &facts,
        .reporters = &reporter,
        .reporter_count = 1,
        .clock = {fake_now, interrupted},
        .step = step,
    };
    bool written = runner_run(&settings, selection, outcome, error);
    devices_close(&devices);
    free(selection->rows);
    return written;
}

static bool run(const struct rung *rungs, size_t count, struct run_outcome *outcome, struct error *error)
{
    struct registry registry = {entries, 3, ops, 1, rungs, count};
    struct selection selection;
    assert_true(selection_make(&registry, &options, &selection, error));
    return run_selection(&registry, &selection, outcome, error);
}

static const struct result *find(const char *name)
{
    for (size_t i = 0; i < result_count; i++)
        if (strcmp(results[i].name, name) == 0)
            return &results[i];
    fail_msg("no result is called %s", name);
    return NULL;
}

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

static void a_wrong_rung_gets_no_number_and_the_others_go_on(void **state)
{
    (void)state;
    rung_function *const wrong[] = {fake_nan,
                                    fake_zeros,
                                    fake_one_element,
                                    fake_wrong_from_the_hundredth_call,
                                    fake_writes_behind_from_the_hundredth_call,
                                    fake_changes_last_bit,
                                    fake_cached_by_pointer,
                                    fake_idle_from_the_third_call,
                                    fake_idle_when_pointer_known,
                                    fake_writes_behind,
                                    fake_ruins_its_input,
                                    fake_other_stream,
                                    fake_waits,
                                    fake_fails_to_launch};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        set_up(state);
        struct rung rungs[] = {host_rung("cpu_scalar", fake_right, RUNG_BASELINE), device_rung("wrong", wrong[i]),
                               device_rung("right", fake_right)};
        struct run_outcome outcome;
        struct error error;
        assert_true(run(rungs, 3, &outcome, &error));
        if (outcome.ok < 5 || outcome.failed == 0)
            fail_msg("wrong rung %zu: %zu ok, %zu failed", i, outcome.ok, outcome.failed);
        const struct result *last = find("matmul/small/wrong/hot");
        assert_int_equal(last->status, STATUS_FAILED);
        assert_true(isnan(last->statistics.median) && isnan(last->speedup) && isnan(result_gflops(last)));
        assert_true(strlen(last->reason) > 10);
        assert_int_equal(find("matmul/small/right/hot")->status, STATUS_OK);
    }
}

/* In one mode alone, so that no other mode's poison shows it. */
static void a_rung_idle_after_its_first_timed_call_is_found(void **state)
{
    (void)state;
    options.mode_count = 1;
    struct rung rungs[] = {device_rung("idle", fake_idle_from_the_third_call)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 1, &outcome, &error));
    assert_int_equal(outcome.failed, 1);
    assert_int_equal(outcome.ok, 0);
}

static void a_row_says_how_near_it_is_to_the_ceiling(void **state)
{
    (void)state;
    fake.ceiling_bytes_s = 3e9; /* 6 kB or so in 2 us, of the kernel's 5 */
    fake.launch_s = 0.1e-6;
    struct rung rungs[] = {device_rung("right", fake_right)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 1, &outcome, &error));
    assert_int_equal(outcome.ok, 3);
    const struct result *hot = find("matmul/small/right/hot"), *e2e = find("matmul/small/right/e2e");
    assert_string_equal(hot->ceiling, "read");
    assert_true(fabs(hot->floor_s - hot->bytes / 3e9) < 0.2e-6);
    assert_true(result_ceiling_pct(hot) > 30 && result_ceiling_pct(hot) < 90);
    assert_true(fabs(hot->empty_kernel_s - 0.1e-6) < fake.tick_s);
    assert_string_equal(e2e->ceiling, "transfer");
    assert_true(result_ceiling_pct(e2e) > 10 && result_ceiling_pct(e2e) < 100);
}

static void a_row_faster_than_the_ceiling_is_an_error_without_a_number(void **state)
{
    (void)state;
    options.mode_count = 2;
    fake.ceiling_bytes_s = 1e9; /* 7 kB in 7 us at best, and the kernel needs 5 */
    struct rung rungs[] = {device_rung("right", fake_right)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 1, &outcome, &error));
    assert_int_equal(outcome.failed, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_non_null(strstr(results[i].reason, "error in the measurement"));
        assert_true(isnan(results[i].statistics.median) && isnan(results[i].floor_s));
        assert_null(results[i].sample_s);
    }
}

static void a_floor_that_the_timer_cannot_tell_from_the_row_is_unknown(void **state)
{
    (void)state;
    options.mode_count = 1;
    fake.ceiling_bytes_s = 1e9;
    fake.tick_s = 2e-6;
    struct rung rungs[] = {device_rung("right", fake_right)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 1, &outcome, &error));
    assert_int_equal(outcome.ok, 1);
    assert_true(isnan(results[0].floor_s));
    assert_string_equal(results[0].ceiling, "");
}

static void a_row_carries_the_state_of_its_device(void **state)
{
    (void)state;
    strcpy(fake.state.throttled, "power-cap");
    struct rung rungs[] = {device_rung("right", fake_right)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 1, &outcome, &error));
    const struct result *hot = find("matmul/small/right/hot");
    assert_true(fabs(hot->conditions.sm_clock_mhz - 1980) < 1e-3);
    assert_string_equal(hot->conditions.marks, "throttled");
    assert_true(hot->sample_s != NULL);
}

static void only_pinned_transfers_pin(void **state)
{
    (void)state;
    options.modes[0] = &mode_e2e_pageable;
    options.modes[1] = &mode_graph;
    struct rung rungs[] = {device_rung("right", fake_right)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 1, &outcome, &error));
    assert_int_equal(outcome.ok, 3);
    assert_string_equal(find("matmul/small/right/e2e_pageable")->transfer, "pageable");
    assert_string_equal(find("matmul/small/right/graph")->transfer, "");
}

static void memory_that_cannot_be_pinned_fails_its_rows_alone(void **state)
{
    (void)state;
    fake.pin_trouble = "no more pages";
    fake.pins_until_trouble = 1;
    struct rung rungs[] = {device_rung("right", fake_right)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 1, &outcome, &error));
    assert_int_equal(outcome.ok, 2);
    assert_int_equal(outcome.failed, 1);
    assert_non_null(strstr(find("matmul/small/right/e2e")->reason, "no more pages"));
    assert_int_equal(fake.pinned, 0);
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
    assert_true(selection_make(&registry, &options, &selection, &error));
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

static void a_rung_that_leaves_its_work_out_of_the_graph_is_found(void **state)
{
    (void)state;
    options.modes[0] = &mode_graph;
    options.mode_count = 1;
    struct rung rungs[] = {device_rung("eager", fake_works_while_recorded)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 1, &outcome, &error));
    assert_int_equal(outcome.failed, 1);
}

/* The host's CPUs may have been busy while the ceiling was measured. */
static void a_host_row_faster_than_the_ceiling_is_marked(void **state)
{
    (void)state;
    options.mode_count = 2;
    fake.ceiling_bytes_s = 1e9;
    struct rung rungs[] = {host_rung("cpu_scalar", fake_right, RUNG_BASELINE)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 1, &outcome, &error));
    assert_int_equal(outcome.ok, 2);
    assert_string_equal(results[0].conditions.marks, "over-ceiling");
    assert_true(result_ceiling_pct(&results[0]) > 102);
}

static void three_per_cent_too_fast_is_too_fast(void **state)
{
    (void)state;
    options.modes[0] = &mode_hot;
    options.mode_count = 1;
    fake.tick_s = 1e-9;
    struct rung rungs[] = {device_rung("right", fake_right)};
    struct run_outcome outcome;
    struct error error;
    double bytes = 4.0 * (FAKE_COUNTED_M * 20 + 20 * 30 + FAKE_COUNTED_M * 30);
    for (int i = 0; i < 2; i++) {
        fake.noise = 0;
        fake.ceiling_bytes_s = bytes / (FAKE_KERNEL_NS * 1e-9 * (i ? 1.04 : 1.01));
        result_count = 0;
        assert_true(run(rungs, 1, &outcome, &error));
        assert_int_equal(outcome.failed, i);
    }
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

static void an_unordered_rung_may_round_differently(void **state)
{
    (void)state;
    struct rung rungs[] = {device_rung("unordered", fake_changes_last_bit)};
    rungs[0].traits = RUNG_UNORDERED;
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 1, &outcome, &error));
    assert_int_equal(outcome.ok, 3);
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
    fake.open_trouble = "no CUDA-capable device is detected";
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
    fake.allocate_trouble = "must not be asked";
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
    options.budget_s = 0.012;
    struct rung rungs[] = {device_rung("first", fake_right), device_rung("second", fake_right),
                           device_rung("third", fake_right)};
    struct run_outcome outcome;
    struct error error;
    assert_true(run(rungs, 3, &outcome, &error));
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
    host_backend = fake_backend;
    host_backend.pin = NULL;
    host_backend.unpin = NULL;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_row_gets_a_time_and_a_speedup, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_wrong_rung_gets_no_number_and_the_others_go_on, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_rung_idle_after_its_first_timed_call_is_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_row_says_how_near_it_is_to_the_ceiling, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_row_faster_than_the_ceiling_is_an_error_without_a_number, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_floor_that_the_timer_cannot_tell_from_the_row_is_unknown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_row_carries_the_state_of_its_device, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_rung_that_leaves_its_work_out_of_the_graph_is_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_host_row_faster_than_the_ceiling_is_marked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(three_per_cent_too_fast_is_too_fast, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_budget_counts_from_the_start_of_all_rounds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_that_cannot_be_pinned_fails_its_rows_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(only_pinned_transfers_pin, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_first_baseline_serves_in_any_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_unordered_rung_may_round_differently, set_up, tear_down),
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

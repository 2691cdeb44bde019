/* Rungs that are skipped: simulated ones that would take too long, and those that need what the device lacks. */
#include "bench/place/feasible.h"
#include "tests/fakes/fake_backend.h"
#include "tests/fakes/fake_rungs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

static struct backend older; /* lacks features of newer devices */

static const struct backend_entry backends[] = {
    {"fake", "Fake", false, false, &fake_backend},
    {"simulated", "Simulated", false, true, &fake_backend},
    {"older", "Older", false, false, &older},
};
static const struct registry registry = {.backends = backends, .backend_count = 3};
static const struct workload workload = {"5x7x30", {5, 7, 30}, 0};
static struct op op; /* matmul with the cost that a test sets */
static struct op_cost costs;
static struct devices devices;

static struct op_cost cost(const struct workload *any)
{
    (void)any;
    return costs;
}

static const char *lacks(unsigned traits)
{
    return (traits & RUNG_HOPPER) != 0 ? "needs what this device lacks" : NULL;
}

static int set_up(void **state)
{
    (void)state;
    older = fake_backend;
    older.lacks = lacks;
    struct backend_settings settings = {.device = -1};
    struct error error;
    fake_reset();
    op = matmul_op;
    op.cost = cost;
    return !devices_open(&registry, &settings, &devices, &error);
}

static int tear_down(void **state)
{
    (void)state;
    devices_close(&devices);
    return 0;
}

static bool is_feasible(size_t backend, double flops, double bytes, struct error *reason)
{
    struct rung rung = {.variant = "any", .op = &op, .backend = &backends[backend], .run = fake_right};
    costs = (struct op_cost){.flops = flops, .bytes = bytes};
    return feasible_rung(&devices, &rung, &workload, reason);
}

static const double limit = FEASIBLE_SIMULATED_LIMIT;

static void a_simulated_rung_runs_up_to_the_limit(void **state)
{
    (void)state;
    struct error reason;
    assert_true(is_feasible(1, 0, 0, &reason));
    assert_true(is_feasible(1, limit, 0, &reason));
    assert_true(is_feasible(1, 0, limit, &reason));
    assert_true(is_feasible(1, 0.75 * limit, 0.25 * limit, &reason));
}

static void a_simulated_rung_is_skipped_above_the_limit(void **state)
{
    (void)state;
    const struct op_cost above[] = {{limit + 1, 0}, {0, limit + 1}, {0.75 * limit, 0.25 * limit + 1}, {1e12, 1e9}};
    for (size_t i = 0; i < sizeof above / sizeof above[0]; i++) {
        struct error reason;
        char expected[128];
        snprintf(expected, sizeof expected,
                 "too slow: %.3g operations and bytes, and a simulated rung's limit is 2e+07",
                 above[i].flops + above[i].bytes);
        assert_false(is_feasible(1, above[i].flops, above[i].bytes, &reason));
        assert_string_equal(reason.text, expected);
    }
}

static void other_rungs_have_no_such_limit(void **state)
{
    (void)state;
    struct error reason;
    assert_true(is_feasible(0, limit + 1, 0, &reason));
    assert_true(is_feasible(0, 0, limit + 1, &reason));
    assert_true(is_feasible(0, 1e12, 1e9, &reason));
}

static bool runs_on(size_t backend, unsigned traits, struct error *reason)
{
    struct rung rung = {
        .variant = "any", .op = &op, .backend = &backends[backend], .run = fake_right, .traits = traits};
    costs = (struct op_cost){0};
    return feasible_rung(&devices, &rung, &workload, reason);
}

static void a_rung_is_skipped_where_the_device_lacks_what_it_needs(void **state)
{
    (void)state;
    struct error reason;
    assert_false(runs_on(2, RUNG_HOPPER | RUNG_UNORDERED, &reason));
    assert_string_equal(reason.text, "needs what this device lacks");
    assert_true(runs_on(2, RUNG_UNORDERED, &reason));
    assert_true(runs_on(0, RUNG_HOPPER, &reason)); /* its lacks() is NULL: it can run all */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_simulated_rung_runs_up_to_the_limit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_simulated_rung_is_skipped_above_the_limit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_rungs_have_no_such_limit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_rung_is_skipped_where_the_device_lacks_what_it_needs, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Rungs that are skipped: those that would take too long, or need what the device lacks. */
#include "bench/place/devices.h"
#include "tests/fakes/fake_backend.h"
#include "tests/fakes/fake_rungs.h"
#include "tests/unit.h"

static struct backend older; /* lacks features of newer devices */

enum { FAKE, SIMULATED, OLDER, BACKENDS };
static const struct backend_entry backends[BACKENDS] = {
    {"fake", "Fake", false, false, &fake_backend},
    {"simulated", "Simulated", false, true, &fake_backend},
    {"older", "Older", false, false, &older},
};
static const struct registry registry = {.backends = backends, .backend_count = BACKENDS};
static struct devices devices;
static const char *lacks(unsigned traits)
{
    return (traits & RUNG_HOPPER) != 0 ? "needs what this device lacks" : NULL;
}

static int set_up(void **state)
{
    struct error error;
    fake_reset();
    older = fake_backend;
    older.lacks = lacks;
    return !devices_open(&registry, &(struct backend_settings){.device = -1}, &devices, &error);
}

static int tear_down(void **state)
{
    devices_close(&devices);
    return 0;
}

TEST(a_rung_is_skipped_for_what_the_reason_says)
{
    static const double most = FEASIBLE_SIMULATED_LIMIT, bytes = 4 * (5 * 7 + 7 * 30 + 5 * 30),
                        slowest = FEASIBLE_SLOW_FLOP_LIMIT;
    static const struct workload small = {"5x7x30", {5, 7, 30}, 0}, wide = {"1x65536x65536", {1, 65536, 65536}, 0};
    const struct {
        size_t backend;
        unsigned traits;
        double flops;
        const struct workload *workload;
        const char *reason; /* NULL: it is not */
    } cases[] = {
        {SIMULATED, 0, 0, &small, NULL},
        {SIMULATED, 0, most - bytes, &small, NULL},
        {SIMULATED, 0, most - bytes + 1, &small,
         "too slow: 2e+07 operations and bytes, and a simulated rung's limit is 2e"},
        {FAKE, 0, 1e12, &small, NULL},
        {FAKE, RUNG_SLOW, slowest, &small, NULL},
        {FAKE, RUNG_SLOW, slowest * 1.01, &small, "too slow: 5.05e+09 operations, and this rung's limit is 5e+09"},
        {OLDER, RUNG_HOPPER | RUNG_UNORDERED, 0, &small, "needs what this device lacks"},
        {OLDER, RUNG_UNORDERED, 0, &small, NULL},
        {FAKE, RUNG_HOPPER, 0, &small, NULL},
        {FAKE, RUNG_INT_SIZES, 0, &small, NULL},
        {FAKE, RUNG_INT_SIZES, 0, &wide, "too large: a buffer has 2^31 elements or more"},
        {FAKE, 0, 0, &wide, "too large: needs 17.2 GB of Fake memory, 8.59 GB are free"},
    };
    struct op op = matmul_op;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct error reason = {""};
        const struct rung rung = {
            .op = &op, .backend = &backends[cases[i].backend], .run = fake_right, .traits = cases[i].traits};
        char operations[32];
        snprintf(operations, sizeof operations, "%.0f", cases[i].flops);
        op.operations = operations;
        bool is_feasible = feasible_rung(&devices, &rung, cases[i].workload, &reason);
        if (is_feasible != !cases[i].reason || (!is_feasible && !strstr(reason.text, cases[i].reason)))
            fail_msg("case %zu: '%s'", i, reason.text);
    }
}

AROUND_EACH_TEST(set_up, tear_down)

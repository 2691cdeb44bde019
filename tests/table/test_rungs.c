/* Every rung that this machine can run, against the reference: on ragged sizes with several seeds and thread counts,
 * on extreme sizes, and greyscale on all 2^24 colours. */
#include "bench/place/buffers.h"
#include "bench/place/devices.h"
#include "bench/place/feasible.h"
#include "bench/place/host_problem.h"
#include "bench/table/registry.h"
#include "bench/verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

extern const struct op grayscale_op;

#ifdef __SANITIZE_ADDRESS__
enum { IS_SLOW = 1 }; /* the plain build does the rest */
#else
enum { IS_SLOW = 0 };
#endif

static void assert_verified(const struct rung *rung, const struct check *check, const char *on)
{
    if (!check->correct)
        fail_msg("%s %s, %s: %s", rung->op->name, rung->variant, on, check->reason);
}

static void open_with(int threads, struct devices *devices)
{
    struct error error;
    struct backend_settings settings = {.device = -1, .threads = threads};
    assert_true(devices_open(&rungbench_registry, &settings, devices, &error));
}

static bool can_run(const struct devices *devices, const struct rung *rung)
{
    struct error reason;
    return feasible_rung(devices, rung, &rung->op->ragged[0], &reason);
}

static void all_rungs_are_correct_on_ragged_sizes(void **state)
{
    (void)state;
    const int threads[] = {5, 1, 2};
    for (size_t t = 0; t < (IS_SLOW ? 1 : sizeof threads / sizeof threads[0]); t++) {
        struct devices devices;
        open_with(threads[t], &devices);
        size_t tried = 0;
        for (size_t i = 0; i < rungbench_registry.rung_count; i++) {
            const struct rung *rung = &rungbench_registry.rungs[i];
            if (!can_run(&devices, rung) || rung->backend->simulates) /* test_kernels.c verifies simulated rungs */
                continue;
            struct check check;
            verify_ragged(rung, 7 + t, &check);
            assert_verified(rung, &check, "ragged");
            tried++;
        }
        assert_true(tried >= 5); /* every build has the CPU rungs */
        devices_close(&devices);
    }
}

/* Verifies a rung on the input in `host_problem`. */
static void run_on(const struct rung *rung, struct host_problem *host_problem, struct check *check)
{
    struct buffers buffers;
    assert_null(buffers_make(&buffers, rung->backend->backend, host_problem->op, host_problem->workload));
    verify_run(rung, &buffers, host_problem->host, host_problem->reference, false, check);
    buffers_free(&buffers);
}

static void greyscale_is_exact_for_every_colour(void **state)
{
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    skip(); /* arithmetic: the sizes below touch all memory that this does */
#endif
    enum { SIDE = 4096, COLOURS = SIDE * SIDE };
    static const struct workload workload = {"every colour", {1, SIDE, SIDE}, 0};
    struct input_source source = {.seed = 1};
    struct host_problem host_problem;
    assert_true(host_problem_make(&host_problem, &grayscale_op, &workload, &source));
    unsigned char *rgb = host_problem.host[0];
    for (int channel = 0; channel < 3; channel++)
        for (int colour = 0; colour < COLOURS; colour++)
            rgb[channel * COLOURS + colour] = (unsigned char)(colour >> (8 * channel));
    grayscale_op.reference_free(host_problem.reference);
    host_problem.reference = grayscale_op.reference_make(&workload, &host_problem.note, host_problem.host);
    assert_non_null(host_problem.reference);

    struct devices devices;
    open_with(0, &devices);
    for (size_t i = 0; i < rungbench_registry.rung_count; i++) {
        const struct rung *rung = &rungbench_registry.rungs[i];
        if (rung->op != &grayscale_op || !can_run(&devices, rung))
            continue;
        struct check check;
        run_on(rung, &host_problem, &check);
        assert_verified(rung, &check, "every colour");
    }
    devices_close(&devices);
    host_problem_free(&host_problem);
}

/* One dimension far larger than the others: tests the limits of grids, strides and splits among threads. */
static void extreme_sizes_are_correct(void **state)
{
    (void)state;
    static const struct {
        const char *op;
        struct workload workload;
    } cases[] = {
        {"matmul", {"200000x1x1", {200000, 1, 1}, 0}},
        {"matmul", {"1x1x2000000", {1, 1, 2000000}, 0}},
        {"matmul", {"1x100000x1", {1, 100000, 1}, 0}},
        {"matmul", {"3x2x70000", {3, 2, 70000}, 0}},
        {"matmul", {"70000x2x3", {70000, 2, 3}, 0}},
        {"matmul", {"15x17x16", {15, 17, 16}, 0}},
        {"matmul", {"169x385x33", {169, 385, 33}, 0}},
        {"matmul", {"30x1024x300", {30, 1024, 300}, 0}},
        {"matmul_grad_a", {"200000x1x1", {200000, 1, 1}, 0}},
        {"matmul_grad_a", {"1x2000000x1", {1, 2000000, 1}, 0}},
        {"matmul_grad_a", {"1x1x100000", {1, 1, 100000}, 0}},
        {"matmul_grad_a", {"169x33x385", {169, 33, 385}, 0}},
        {"matmul_grad_b", {"100000x1x1", {100000, 1, 1}, 0}},
        {"matmul_grad_b", {"1x200000x1", {1, 200000, 1}, 0}},
        {"matmul_grad_b", {"1x1x2000000", {1, 1, 2000000}, 0}},
        {"matmul_grad_b", {"20011x85x13", {20011, 85, 13}, 0}},
        {"matmul_grad_b", {"4100x1100x1030", {4100, 1100, 1030}, 0}},
        {"grayscale", {"1x65535", {1, 1, 65535}, 0}},
        {"grayscale", {"2000000x1", {1, 2000000, 1}, 0}},
        {"grayscale", {"1x2000000", {1, 1, 2000000}, 0}},
        {"grayscale", {"70000 of 3x5", {70000, 3, 5}, 0}},
        {"grayscale", {"3 of 1001x999", {3, 1001, 999}, 0}},
    };
    struct devices devices;
    open_with(0, &devices);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const int64_t *size = cases[c].workload.size;
        if (IS_SLOW && size[0] * size[1] * size[2] > 1000000000)
            continue;
        struct host_problem host_problem = {0};
        for (size_t i = 0; i < rungbench_registry.rung_count; i++) {
            const struct rung *rung = &rungbench_registry.rungs[i];
            if (strcmp(rung->op->name, cases[c].op) != 0 || !can_run(&devices, rung) || rung->backend->simulates)
                continue;
            struct input_source source = {.seed = c};
            if (!host_problem.reference)
                assert_true(host_problem_make(&host_problem, rung->op, &cases[c].workload, &source));
            struct check check;
            run_on(rung, &host_problem, &check);
            assert_verified(rung, &check, cases[c].workload.name);
        }
        host_problem_free(&host_problem);
    }
    devices_close(&devices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_rungs_are_correct_on_ragged_sizes),
        cmocka_unit_test(greyscale_is_exact_for_every_colour),
        cmocka_unit_test(extreme_sizes_are_correct),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

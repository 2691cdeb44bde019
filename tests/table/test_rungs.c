/* Every rung that this machine can run, against the reference: on ragged sizes with several seeds and thread counts,
 * on extreme sizes, and greyscale on all 2^24 colours. */
#include "bench/place/devices.h"
#include "tests/fakes/here.h"
#include "tests/unit.h"

extern const struct op grayscale_op;

static void assert_verified(const struct rung *rung, const struct check *check, const char *on)
{
    if (!check->correct)
        fail_msg("%s %s, %s: %s", rung->op->name, rung->variant, on, check->reason);
}

static struct link *here;

static void open_with(int threads)
{
    here = here_open(&rungbench_registry, &(struct backend_settings){.device = -1, .threads = threads}, host_now);
}

/* Simulated rungs are in test_kernels.c. */
static bool can_run(const struct rung *rung)
{
    const struct workload ragged = op_ragged(rung->op, 0);
    struct error reason;
    return !rung->backend->simulates && feasible_rung(&here->devices, rung, &ragged, &reason);
}

TEST(all_rungs_are_correct_on_ragged_sizes)
{
    const int threads[] = {5, 1};
    for (size_t t = 0; t < (unit_at_length() ? LENGTH(threads) : 1); t++) {
        size_t tried = 0;
        open_with(threads[t]);
        for (size_t i = 0; i < rungbench_registry.rung_count; i++) {
            const struct rung *rung = &rungbench_registry.rungs[i];
            struct check check;
            if (!can_run(rung))
                continue;
            verify_ragged(here, rung, 7 + t, &check);
            assert_verified(rung, &check, "ragged");
            tried++;
        }
        assert_true(tried >= 5); /* every build has the CPU rungs */
        here_close();
    }
}

TEST(greyscale_is_exact_for_every_colour)
{
    enum { SIDE = 4096, COLOURS = SIDE * SIDE };
    static const struct workload workload = {"every colour", {1, SIDE, SIDE}, 0};
    struct problem problem;
    open_with(0);
    assert_true(problem_make(&problem, here, &grayscale_op, &workload, &(struct input_source){.seed = 1}));
    unsigned char *rgb = problem.host[0];
    for (int channel = 0; channel < 3; channel++)
        for (int colour = 0; colour < COLOURS; colour++)
            rgb[channel * COLOURS + colour] = (unsigned char)(colour >> (8 * channel));
    op_reference_free(problem.reference);
    problem.reference = op_reference_make(&grayscale_op, &workload, &problem.note, problem.host);
    assert_non_null(problem.reference);
    for (size_t i = 0; i < rungbench_registry.rung_count; i++) {
        const struct rung *rung = &rungbench_registry.rungs[i];
        if (rung->op != &grayscale_op || !can_run(rung))
            continue;
        struct check check = here_verdict_on(rung, &problem);
        assert_verified(rung, &check, "every colour");
    }
    problem_free(&problem);
    here_close();
}

/* One dimension far larger than the others: tests the limits of grids, strides and splits among threads. */
TEST(extreme_sizes_are_correct)
{
    static const struct {
        const char *op;
        int64_t size[OP_SIZES_MAX];
    } cases[] = {
        {"matmul", {200000, 1, 1}},         {"matmul", {1, 1, 2000000}},        {"matmul", {1, 100000, 1}},
        {"matmul", {3, 2, 70000}},          {"matmul", {70000, 2, 3}},          {"matmul", {15, 17, 16}},
        {"matmul", {169, 385, 33}},         {"matmul", {30, 1024, 300}},        {"matmul_grad_a", {200000, 1, 1}},
        {"matmul_grad_a", {1, 2000000, 1}}, {"matmul_grad_a", {1, 1, 100000}},  {"matmul_grad_a", {169, 33, 385}},
        {"matmul_grad_b", {100000, 1, 1}},  {"matmul_grad_b", {1, 200000, 1}},  {"matmul_grad_b", {1, 1, 2000000}},
        {"matmul_grad_b", {20011, 85, 13}}, {"matmul_grad_b", {4100, 300, 70}}, {"grayscale", {1, 1, 65535}},
        {"grayscale", {1, 2000000, 1}},     {"grayscale", {1, 1, 2000000}},     {"grayscale", {70000, 3, 5}},
        {"grayscale", {3, 1001, 999}},
    };
    open_with(0);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct workload workload = {0};
        struct problem problem = {0};
        memcpy(workload.size, cases[c].size, sizeof workload.size);
        for (size_t i = 0; i < rungbench_registry.rung_count; i++) {
            const struct rung *rung = &rungbench_registry.rungs[i];
            if (strcmp(rung->op->name, cases[c].op) != 0 || !can_run(rung))
                continue;
            if (!problem.reference)
                assert_true(problem_make(&problem, here, rung->op, &workload, &(struct input_source){.seed = c}));
            struct check check = here_verdict_on(rung, &problem);
            op_shape(rung->op, &workload, workload.name, sizeof workload.name);
            assert_verified(rung, &check, workload.name);
        }
        problem_free(&problem);
    }
    here_close();
}

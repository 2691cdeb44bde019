/* Questions: made inputs of which any element of the answer is known without holding them. Honest FP32 answers pass,
 * however long the sums are, and answers of fewer bits fail. */
#include "bench/data/mnist.h"
#include "bench/ops/answer.h"
#include "array_problem.h"
#include "matmul_problem.h"
#include "tests/unit.h"

enum { M = 40, N = 25, ELEMENTS = M * N };
enum { A, B, C };

/* A question, and what is known of its answer. */
struct asked {
    struct problem p;
    struct workload workload;
    struct exact exact[ELEMENTS];
};

/* Of the first seed with such a question. */
static struct asked ask(int64_t k, enum precision precision, const struct mnist *mnist, bool dense)
{
    struct asked asked = {.p = problem_without_reference(M, N, k), .workload = {"asked", {M, k, N}, 0}};
    struct made made[OP_BUFFERS_MAX] = {0};
    struct input_note note;
    for (uint64_t seed = 1; seed == 1 || (made[B].kind == MADE_UNIT) != dense; seed++)
        op_made(&matmul_op, &asked.workload, &(struct input_source){.seed = seed, .real.mnist = mnist, .asks = true},
                made, &note);
    made_fill(asked.p.a, (size_t)(M * k) * sizeof(float), &made[A], 0);
    made_fill(asked.p.b, (size_t)(k * N) * sizeof(float), &made[B], 0);
    for (int64_t e = 0; e < ELEMENTS; e++)
        assert_true(
            op_element(&matmul_op, &asked.workload, made, op_output(&matmul_op), e, precision, &asked.exact[e]));
    return asked;
}

struct found {
    int64_t wrong;
    double closest, rms, rms_limit; /* the largest error by its bound */
};

static struct found look(struct asked *asked, enum precision precision, dot *order, rounding *round)
{
    const double u = precision == PRECISION_TF32 ? 0x1p-11 : 0x1p-24;
    struct found found = {
        .rms_limit = op_rms_limit(&matmul_op, &asked->workload, precision, ELEMENTS, asked->exact[0].is_dense)};
    int64_t scaled = 0;
    multiply_rounded(&asked->p, order, round, round);
    for (int64_t e = 0; e < ELEMENTS; e++) {
        const struct exact *exact = &asked->exact[e];
        const double error = fabs((double)asked->p.c[e] - exact->value);
        found.wrong += !(error <= exact->bound);
        found.closest = fmax(found.closest, exact->bound > 0 ? error / exact->bound : 0);
        if (isnan(exact->scale))
            continue;
        found.rms += pow(error / (u * exact->scale), 2);
        scaled++;
    }
    found.rms = sqrt(found.rms / (double)scaled);
    return found;
}

static float rounded_to_16_bits(float x)
{
    return rounded_to(x, 16);
}

static float rounded_to_18_bits(float x)
{
    return rounded_to(x, 18);
}

static bool passes(const struct found *found)
{
    return found->wrong == 0 && found->rms <= found->rms_limit;
}

static const int64_t ks[] = {1, 3, 10, 63, 784, 5000};
enum { KS = 6 };

static void assert_right_in_fp32(struct asked *asked, dot *order)
{
    const struct found found = look(asked, PRECISION_FP32, order, unrounded);
    if (!passes(&found) || found.closest > 0.6)
        fail_msg("k %ld: %ld wrong, %.3g of the bound, RMS %.3g of %.3g", (long)asked->workload.size[1],
                 (long)found.wrong, found.closest, found.rms, found.rms_limit);
}

static void assert_imprecise(struct asked *asked, enum precision precision, dot *order, rounding *round)
{
    const struct found found = look(asked, precision, order, round);
    if (passes(&found))
        fail_msg("k %ld: passes with %.3g of the bound, RMS %.3g of %.3g", (long)asked->workload.size[1], found.closest,
                 found.rms, found.rms_limit);
}

static void try_all(struct asked *asked)
{
    static dot *const honest[] = {positives_first, three_tf32, three_tf32_in_one_chain, three_tf32_in_short_chains,
                                  nine_bf16};
    for (size_t d = 0; d < ORDERS; d++)
        assert_right_in_fp32(asked, orders[d]);
    for (size_t d = 0; d < sizeof honest / sizeof honest[0]; d++)
        assert_right_in_fp32(asked, honest[d]);
    static rounding *const coarse[] = {rounded_to_18_bits, tf32_nearest, bf16_nearest};
    for (size_t r = 0; r < sizeof coarse / sizeof coarse[0]; r++)
        assert_imprecise(asked, PRECISION_FP32, in_eight_lanes, coarse[r]);
    assert_imprecise(asked, PRECISION_FP32, three_bf16, unrounded);
    assert_imprecise(asked, PRECISION_FP32, accumulator_of_11_bits, unrounded);
    if (asked->workload.size[1] >= 63)
        assert_imprecise(asked, PRECISION_FP32, truncating_accumulator, unrounded);
}

TEST(honest_sums_pass_and_fewer_bits_fail_however_long_they_are)
{
    for (size_t i = 0; i < KS; i++) {
        struct asked asked = ask(ks[i], PRECISION_FP32, NULL, false);
        try_all(&asked);
        free_problem(&asked.p);
    }
}

TEST(dense_sums_pass_and_those_of_short_factors_fail)
{
    for (size_t i = 0; i < KS; i++) {
        struct asked asked = ask(ks[i], PRECISION_FP32, NULL, true);
        for (size_t d = 0; d < ORDERS; d++)
            assert_right_in_fp32(&asked, orders[d]);
        assert_right_in_fp32(&asked, three_tf32);
        assert_imprecise(&asked, PRECISION_FP32, in_eight_lanes, tf32_nearest);
        free_problem(&asked.p);
    }
}

/* Whoever leaves out what is small in the others is wrong here, and these are more. */
TEST(most_questions_are_dense)
{
    const struct workload workload = {"asked", {M, 784, N}, 0};
    int dense = 0;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        struct made made[OP_BUFFERS_MAX];
        struct input_note note;
        op_made(&matmul_op, &workload, &(struct input_source){.seed = seed, .asks = true}, made, &note);
        assert_true((made[A].kind == MADE_UNIT) == (made[B].kind == MADE_UNIT));
        dense += made[A].kind == MADE_UNIT;
    }
    assert_in_range(dense, 560, 690);
}

TEST(images_times_weights_are_as_telling)
{
    static uint8_t pixels[30 * MNIST_PIXELS];
    for (size_t i = 0; i < sizeof pixels; i++) {
        const uint64_t bits = made_bits(99, i);
        pixels[i] = (uint8_t)(bits % 5 == 0 ? bits >> 32 : 0);
    }
    struct asked asked = ask(784, PRECISION_FP32, &(struct mnist){"t10k-images", 30, pixels, NULL}, false);
    for (int i = 0; i < M * 784; i++)
        assert_true(asked.p.a[i] >= 0 && asked.p.a[i] * 255 == rintf(asked.p.a[i] * 255));
    try_all(&asked);
    free_problem(&asked.p);
}

TEST(tf32_passes_as_such_and_bf16_does_not)
{
    for (size_t i = 0; i < 2 * KS; i++) {
        struct asked asked = ask(ks[i / 2], PRECISION_TF32, NULL, i % 2 == 1);
        const struct found found = look(&asked, PRECISION_TF32, in_eight_lanes, tf32_nearest);
        assert_true(passes(&found));
        assert_imprecise(&asked, PRECISION_TF32, in_eight_lanes, bf16_nearest);
        free_problem(&asked.p);
    }
}

/* Of each operation a problem whose sums, if it has some, are long. */
static const struct posed {
    const struct op *op;
    struct workload workload;
    bool sums;
} all[] = {
    {&matmul_op, {"a", {13, 784, 17}, 0}, true},
    {&matmul_grad_a_op, {"a", {9, 19, 800}, 0}, true},
    {&matmul_grad_b_op, {"a", {800, 19, 9}, 0}, true},
    {&matmul_batched_op, {"a", {5, 7, 900, 11}, 0}, true},
    {&conv2d_op, {"a", {2, 40, 3, 9, 11, 5}, 0}, true},
    {&dot_op, {"a", {3000}, 0}, true},
    {&reduce_rows_op, {"a", {200, 784}, 0}, true},
    {&reduce_columns_op, {"a", {784, 200}, 0}, true},
    {&softmax_op, {"a", {9, 67}, 0}, false},
    {&map_op, {"a", {100}, 0}, false},
    {&zip_op, {"a", {9, 11, 4}, 0}, false},
    {&transpose_op, {"a", {9, 11}, 0}, false},
    {&mnist_step_op, {"a", {7, 15, 6, 4}, 0}, false},
    {&grayscale_op, {"a", {3, 7, 9}, 0}, false},
};
enum { ALL = sizeof all / sizeof all[0] };

struct answered {
    struct made made[OP_BUFFERS_MAX];
    struct array_problem problem;
    size_t output; /* the last */
};

static struct answered pose(const struct posed *posed, uint64_t seed, rounding *round)
{
    const struct input_source source = {.seed = seed, .asks = true};
    struct answered a = {.problem = array_problem_of(posed->op, &posed->workload, &source),
                         .output = op_output(posed->op)};
    op_made(posed->op, &posed->workload, &source, a.made, &a.problem.note);
    for (size_t i = 0; i < a.output && round != unrounded; i++)
        for (size_t e = 0; e < a.problem.elements[i]; e++)
            ((float *)a.problem.host[i])[e] = round(((float *)a.problem.host[i])[e]);
    return a;
}

static struct exact exact_of(const struct posed *posed, const struct answered *a, int64_t e)
{
    struct exact exact;
    assert_true(op_element(posed->op, &posed->workload, a->made, op_output(posed->op), e, PRECISION_FP32, &exact));
    return exact;
}

static void put_exact_answer(const struct posed *posed, const struct answered *a)
{
    for (int64_t e = 0; e < (int64_t)a->problem.elements[a->output]; e++) {
        const struct exact exact = exact_of(posed, a, e);
        assert_true(exact.bound >= 0);
        element_set(posed->op->args[a->output].type, a->problem.host[a->output], e, exact.value);
    }
}

TEST(elements_are_those_of_the_reference)
{
    for (size_t i = 0; i < ALL; i++) {
        struct answered a = pose(&all[i], 5, unrounded);
        put_exact_answer(&all[i], &a);
        assert_answer_right(&a.problem);
        const struct op *op = all[i].op;
        const double together = op->piece ? op_value(op, &all[i].workload, op->piece) : 1;
        assert_true(op_element_reads(op, &all[i].workload) >= together);
        array_problem_free(&a.problem);
    }
}

/* What is computed from rounded inputs, in double precision, and seen by the bounds for those that are not. */
static bool is_found(const struct posed *posed, uint64_t seed)
{
    struct answered asked = pose(posed, seed, unrounded), rounded = pose(posed, seed, rounded_to_16_bits);
    struct reference *reference =
        op_reference_make(posed->op, &posed->workload, &asked.problem.note, rounded.problem.host);
    assert_non_null(reference);
    bool found = false;
    for (int64_t e = 0; e < (int64_t)asked.problem.elements[asked.output]; e++) {
        const struct exact exact = exact_of(posed, &asked, e);
        found |= fabs((float)reference->value[e] - exact.value) > exact.bound;
    }
    op_reference_free(reference);
    array_problem_free(&asked.problem);
    array_problem_free(&rounded.problem);
    return found;
}

/* dot has one element: some questions find it. */
TEST(factors_of_16_bits_are_found_in_all_sums)
{
    for (size_t i = 0; i < ALL; i++) {
        bool found = !all[i].sums;
        for (uint64_t seed = 1; seed <= 20 && !found; seed++)
            found = is_found(&all[i], seed);
        if (!found)
            fail_msg("%s takes factors of 16 bits", all[i].op->name);
    }
}

TEST(questions_differ_by_their_seed_alone)
{
    for (size_t i = 0; i < ALL; i++) {
        struct answered a = pose(&all[i], 5, unrounded), same = pose(&all[i], 5, unrounded),
                        other = pose(&all[i], 6, unrounded);
        for (size_t b = 0; b < a.output; b++) {
            const size_t bytes = a.problem.elements[b] * element_bytes(all[i].op->args[b].type);
            assert_memory_equal(a.problem.host[b], same.problem.host[b], bytes);
            assert_memory_not_equal(a.problem.host[b], other.problem.host[b], bytes);
        }
        array_problem_free(&a.problem);
        array_problem_free(&same.problem);
        array_problem_free(&other.problem);
    }
}

/* Sums of one input are sharp in some questions, and inputs that are not summed reach further in most. */
TEST(questions_are_of_two_kinds)
{
    int sharp = 0, far = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        const struct input_source source = {.seed = seed, .asks = true};
        struct made of_sums[OP_BUFFERS_MAX], of_elements[OP_BUFFERS_MAX];
        struct input_note note;
        op_made(&reduce_rows_op, &(struct workload){.size = {5, 300}}, &source, of_sums, &note);
        op_made(&map_op, &(struct workload){.size = {300}}, &source, of_elements, &note);
        sharp += of_sums[0].kind == MADE_SHARP;
        far += of_elements[0].scale == 32;
        assert_true(of_sums[0].kind == MADE_SHARP || of_sums[0].kind == MADE_UNIT);
    }
    assert_in_range(sharp, 5, 25);
    assert_in_range(far, 15, 35);
}

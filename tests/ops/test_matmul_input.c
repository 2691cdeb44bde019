/* The kinds of input of matmul: what each of them holds, and that answers to all but the random one are exact. */
#include "bench/data/mnist.h"
#include "bench/table/op.h"
#include "matmul_problem.h"
#include "tests/unit.h"

static const enum input_kind exact_kinds[] = {INPUT_ZEROS, INPUT_ONES, INPUT_POWERS_OF_TWO, INPUT_EQUAL_ROWS,
                                              INPUT_INTEGERS};
enum { EXACT_KINDS = sizeof exact_kinds / sizeof exact_kinds[0] };

static struct input_note fill(struct problem *p, enum input_kind kind, uint64_t seed)
{
    struct workload workload = {.size = {p->m, p->k, p->n}};
    struct input_source source = {.seed = seed, .kind = kind};
    struct input_note note;
    void *const host[] = {p->a, p->b, p->c};
    memset(&note, 0xFF, sizeof note);
    op_fill(&matmul_op, &workload, &source, host, &note);
    return note;
}

static struct problem problem_of_kind(int64_t m, int64_t n, int64_t k, enum input_kind kind, uint64_t seed)
{
    struct problem p = problem_without_reference(m, n, k);
    struct input_note note = fill(&p, kind, seed);
    p.reference = op_reference_make(&matmul_op, &(struct workload){.size = {m, k, n}}, &note, (void *[]){p.a, p.b});
    assert_non_null(p.reference);
    return p;
}

TEST(kinds_have_names_and_are_exact_or_have_mean_0)
{
    static const struct {
        enum input_kind kind;
        int64_t k;
        bool exact;
        const char *name;
    } cases[] = {
        {INPUT_RANDOM, 6, false, "random"},
        {INPUT_ZEROS, 65536, true, "zeros"},
        {INPUT_ONES, 65536, true, "ones"},
        {INPUT_POWERS_OF_TWO, 65536, true, "powers of two"},
        {INPUT_POWERS_OF_TWO, 65537, false, "powers of two"}, /* sums may be rounded */
        {INPUT_EQUAL_ROWS, 65536, true, "equal rows"},
        {INPUT_INTEGERS, 65536, true, "integers"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct problem p = problem_without_reference(2, 2, cases[i].k);
        struct input_note note = fill(&p, cases[i].kind, 7);
        assert_int_equal(note.exact, cases[i].exact);
        assert_int_equal(note.zero_mean, cases[i].kind == INPUT_RANDOM);
        assert_string_equal(note.text, cases[i].name);
        free_problem(&p);
    }
}

/* In FP32 in any order, and with factors that are rounded to TF32 or BF16: these hold them. */
TEST(answers_are_exact_in_any_order_and_format)
{
    static const int64_t ks[] = {1, 2, 3, 16, 257, 1299, 20000, 65536};
    for (size_t kind = 0; kind < EXACT_KINDS; kind++) {
        for (size_t i = 0; i < sizeof ks / sizeof ks[0]; i++) {
            struct problem p = problem_of_kind(5, 4, ks[i], exact_kinds[kind], 3 + i);
            assert_true(p.reference->note.exact);
            for (size_t order = 0; order < ORDERS; order++) {
                multiply(&p, orders[order]);
                assert_right(&p);
                assert_true(check_as(&p, PRECISION_FP32).max_abs_err == 0);
            }
            multiply_rounded(&p, forwards, tf32_nearest, tf32_truncated);
            assert_right_as(&p, PRECISION_TF32);
            multiply_rounded(&p, forwards, bf16_truncated, bf16_truncated);
            assert_right(&p);
            free_problem(&p);
        }
    }
}

TEST(the_smallest_error_is_found)
{
    for (size_t kind = 0; kind < EXACT_KINDS; kind++) {
        struct problem p = problem_of_kind(30, 31, 784, exact_kinds[kind], 5);
        multiply(&p, forwards);
        for (int64_t e = 0; e < p.m * p.n; e += 41) {
            float right = p.c[e];
            p.c[e] = nextafterf(right, INFINITY);
            assert_wrong(&p, "exactly; 1 of 930");
            assert_false(check_as(&p, PRECISION_TF32).correct);
            p.c[e] = right;
        }
        assert_right(&p);
        free_problem(&p);
    }
}

/* Too large for a full reference, so Freivalds' check must see a sum that is off by one unit in the last place. */
TEST(one_integer_off_by_one_is_found_in_a_large_answer)
{
    struct problem p = problem_without_reference(1250, 2000, 4096);
    struct input_note note = fill(&p, INPUT_INTEGERS, 5);
    p.distinct = 7; /* for speed */
    for (int64_t i = p.distinct; i < p.m; i++)
        memcpy(p.a + i * p.k, p.a + (i - p.distinct) * p.k, (size_t)p.k * sizeof *p.a);
    p.reference =
        op_reference_make(&matmul_op, &(struct workload){.size = {p.m, p.k, p.n}}, &note, (void *[]){p.a, p.b});
    assert_non_null(p.reference);
    multiply(&p, in_eight_lanes);
    assert_right(&p);
    int64_t row = p.reference->index[3] + 1;
    p.c[row * p.n + 777] += 1;
    assert_wrong(&p, "Freivalds");
    free_problem(&p);
}

TEST(zeros_fill_rows_columns_and_places_between)
{
    struct problem p = problem_of_kind(64, 4, 64, INPUT_ZEROS, 5);
    int zero_rows = 0, zero_columns = 0, zeros = 0, subnormals = 0;
    for (int64_t i = 0; i < 64; i++) {
        int in_row = 0, in_column = 0;
        for (int64_t j = 0; j < 64; j++) {
            in_row += p.a[i * 64 + j] == 0;
            in_column += p.a[j * 64 + i] == 0;
            subnormals += fpclassify(p.a[i * 64 + j]) == FP_SUBNORMAL;
        }
        zero_rows += in_row == 64;
        zero_columns += in_column == 64;
        zeros += in_row;
    }
    assert_true(p.a[0] == 0);
    assert_in_range(zero_rows, 5, 30);
    assert_in_range(zero_columns, 5, 30);
    assert_in_range(zeros, 64 * 64 / 3, 64 * 64 * 3 / 4);
    assert_true(subnormals > 0);
    free_problem(&p);
}

TEST(equal_rows_are_equal_or_differ_in_one_element)
{
    struct problem p = problem_of_kind(100, 4, 784, INPUT_EQUAL_ROWS, 5);
    int equal = 0;
    for (int64_t i = 1; i < p.m; i++) {
        int differences = 0;
        for (int64_t q = 0; q < p.k; q++)
            differences += p.a[i * p.k + q] != p.a[q];
        assert_in_range(differences, 0, 1);
        equal += differences == 0;
    }
    assert_in_range(equal, 30, 70);
    multiply(&p, forwards);
    for (int64_t i = 1; i < p.m; i++)
        memcpy(p.c + i * p.n, p.c, (size_t)p.n * sizeof *p.c);
    assert_wrong(&p, "wrong answer");
    free_problem(&p);
}

TEST(powers_of_two_are_spread_widely_within_fp32)
{
    struct problem p = problem_of_kind(200, 50, 200, INPUT_POWERS_OF_TWO, 5);
    int lowest = 127, highest = -126;
    for (int64_t e = 0; e < 40000; e++) {
        int exponent;
        assert_true(fabsf(frexpf(p.a[e], &exponent)) == 0.5f);
        lowest = exponent < lowest ? exponent : lowest;
        highest = exponent > highest ? exponent : highest;
    }
    assert_true(lowest >= -102 && lowest < -70); /* splitting into TF32 parts needs 2^-114 */
    assert_true(highest <= 103 && highest > 70);
    free_problem(&p);
}

/* A kernel may take one scale for so many rows and terms: it must be that of the right part. */
TEST(parts_of_powers_of_two_have_one_scale_and_others_none)
{
    enum { ROWS = 16, TERMS = 64, M = 256, K = 512 };
    struct problem p = problem_of_kind(M, 3, K, INPUT_POWERS_OF_TWO, 5);
    int close = 0, far = 0;
    for (int part = 0; part < M / ROWS * (K / TERMS); part++) {
        int lowest = 127, highest = -126, exponent;
        for (int e = 0; e < ROWS * TERMS; e++) {
            int row = part / (K / TERMS) * ROWS + e / TERMS, term = part % (K / TERMS) * TERMS + e % TERMS;
            (void)frexpf(p.a[row * K + term], &exponent);
            lowest = exponent < lowest ? exponent : lowest;
            highest = exponent > highest ? exponent : highest;
        }
        close += highest - lowest <= 4;
        far += highest - lowest >= 48;
    }
    assert_in_range(close, 20, 80); /* of 128 */
    assert_in_range(far, 20, 80);
    free_problem(&p);
}

TEST(images_stand_for_what_belongs_to_a_layer_s_input)
{
    static uint8_t pixels[2 * MNIST_PIXELS] = {[MNIST_PIXELS + 5] = 51};
    static const struct mnist mnist = {.name = "mnist-test", .count = 2, .pixels = pixels};
    const struct input_source source = {.seed = 1, .real.mnist = &mnist};
    const struct workload of_b = {"3x784x4", {3, 784, 4}, 0}, of_a = {"3x4x784", {3, 4, 784}, 0};
    static float a[3 * MNIST_PIXELS], dc[3 * MNIST_PIXELS], other[4 * MNIST_PIXELS];
    struct input_note note;
    op_fill(&matmul_grad_b_op, &of_b, &source, (void *[]){a, dc, other}, &note);
    assert_true(a[0] == 0 && a[MNIST_PIXELS + 5] == 0.2F && !note.zero_mean);
    assert_non_null(strstr(note.text, "mnist-test"));
    op_fill(&matmul_grad_a_op, &of_a, &source, (void *[]){dc, other, a}, &note);
    assert_string_equal(note.text, "random");
    assert_true(note.zero_mean);
}

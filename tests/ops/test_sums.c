/* How far a sum may be off (bench/ops/sums.h): sums in FP32 are within the bound, wrong ones are not. */
#include "bench/ops/answer.h"
#include "array_problem.h"
#include "tests/unit.h"

enum { TERMS = 20000 };
static float terms[TERMS];

static void fill_random(uint64_t seed)
{
    const struct made made = made_unit(seed, 1);
    made_fill(terms, sizeof terms, &made, 0);
}

static struct sum sum_of(int count)
{
    struct sum sum = {0};
    for (int i = 0; i < count; i++)
        sum_add(&sum, (double)terms[i]);
    return sum;
}

static float in_order(int count)
{
    float sum = 0;
    for (int i = 0; i < count; i++)
        sum += terms[i];
    return sum;
}

static float in_parts(int count, int parts)
{
    float sum = 0;
    for (int part = 0; part < parts; part++) {
        float of_part = 0;
        for (int i = part; i < count; i += parts)
            of_part += terms[i];
        sum += of_part;
    }
    return sum;
}

TEST(sums_in_any_order_are_within_the_bound)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        fill_random(seed);
        for (int count = 1; count <= TERMS; count += 1 + count / 3) {
            const struct sum sum = sum_of(count);
            const double bound = sum_bound(&sum);
            assert_true(fabs(in_order(count) - sum.value) <= bound);
            assert_true(fabs(in_parts(count, 7) - sum.value) <= bound);
            assert_true(fabs(in_parts(count, 256) - sum.value) <= bound);
        }
    }
}

TEST(a_missing_term_of_a_long_sum_is_found)
{
    int found = 0;
    fill_random(1);
    const struct sum sum = sum_of(TERMS);
    for (int i = 0; i < TERMS; i++)
        found += fabs((double)terms[i]) > sum_bound(&sum);
    assert_true(found > TERMS * 9 / 10);
}

TEST(the_bound_of_a_very_long_sum_is_finite)
{
    const double k = 0x1p28;
    const struct sum sum = {.value = 9000, .magnitude = k / 2, .squares = k / 3, .terms = 1 << 28};
    assert_true(sum_bound(&sum) < 200);
}

/* Which elements of the inputs an element of an output sums, by its formula. */
static void assert_terms(const struct op *op, const int64_t size[OP_SIZES_MAX], int64_t element, size_t input,
                         const int64_t *expected, size_t count)
{
    struct workload workload = {0};
    struct sums sums;
    size_t found = 0;
    memcpy(workload.size, size, sizeof workload.size);
    assert_true(sums_of(op, &workload, &sums));
    assert_int_equal(sums.terms, count);
    struct walk walk = sums_walk(&sums, element);
    do
        assert_int_equal(walk.at[1 + input], expected[found++]);
    while (sums_next(&sums, &walk));
    assert_int_equal(found, count);
    assert_int_equal(walk.at[SUMS_OUTPUT], element);
}

TEST(formulas_say_where_terms_lie)
{
    const int64_t product[OP_SIZES_MAX] = {3, 4, 5}, filtered[OP_SIZES_MAX] = {2, 2, 3, 4, 5, 2},
                  rows[OP_SIZES_MAX] = {3, 4}, batch[OP_SIZES_MAX] = {2, 2, 3, 2};
    assert_terms(&matmul_op, product, 7, 0, (const int64_t[]){4, 5, 6, 7}, 4); /* C[1,2] */
    assert_terms(&matmul_op, product, 7, 1, (const int64_t[]){2, 7, 12, 17}, 4);
    assert_terms(&matmul_grad_a_op, product, 6, 1, (const int64_t[]){10, 11, 12, 13, 14}, 5); /* dA[1,2] */
    assert_terms(&matmul_grad_b_op, product, 6, 0, (const int64_t[]){1, 5, 9}, 3);            /* dB[1,1] */
    assert_terms(&matmul_batched_op, batch, 7, 0, (const int64_t[]){9, 10, 11}, 3);           /* C[1,1,1] */
    assert_terms(&matmul_batched_op, batch, 7, 1, (const int64_t[]){7, 9, 11}, 3);
    assert_terms(&reduce_columns_op, rows, 1, 0, (const int64_t[]){1, 5, 9}, 3);
    assert_terms(&conv2d_op, filtered, 17, 0, (const int64_t[]){6, 7, 11, 12, 26, 27, 31, 32}, 8); /* y[0,1,1,1] */
    assert_terms(&conv2d_op, filtered, 17, 1, (const int64_t[]){8, 9, 10, 11, 12, 13, 14, 15}, 8);
}

/* Freivalds' check needs an axis of the output that one factor has, and no sum of letters there. */
TEST(precision_can_be_told_of_products_alone)
{
    const struct workload workload = {.size = {3, 3, 3, 3, 3, 3}};
    const struct {
        const struct op *op;
        bool is_precise, are_matrices;
    } cases[] = {{&matmul_op, true, true},
                 {&matmul_batched_op, true, true},
                 {&conv2d_op, true, false},
                 {&dot_op, false, false},
                 {&reduce_rows_op, false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sums sums;
        assert_true(sums_of(cases[i].op, &workload, &sums));
        assert_int_equal(sums_are_precise(&sums), cases[i].is_precise);
        assert_int_equal(sums.are_matrices, cases[i].are_matrices);
    }
}

/* A problem whose answer is that of the sums themselves, rounded to FP32. */
struct solved {
    struct workload workload;
    struct sums sums;
    struct array_problem made;
};

static void make(struct solved *s, const struct op *op, const int64_t size[OP_SIZES_MAX], enum input_kind kind)
{
    *s = (struct solved){0};
    memcpy(s->workload.size, size, sizeof s->workload.size);
    assert_true(sums_of(op, &s->workload, &s->sums));
    s->made = array_problem_of(op, &s->workload, &(struct input_source){.seed = 3, .kind = kind});
}

static float *answer_of(const struct solved *s)
{
    return s->made.host[op_output(s->made.op)];
}

static struct sum sum_of_element(const struct solved *s, int64_t element)
{
    struct sum sum;
    sums_compute(&s->sums, (const void *const *)s->made.host, element, 1, &sum);
    return sum;
}

static void solve(struct solved *s, const struct op *op, const int64_t size[OP_SIZES_MAX], enum input_kind kind)
{
    make(s, op, size, kind);
    for (int64_t e = 0; e < s->sums.elements; e++)
        answer_of(s)[e] = (float)sum_of_element(s, e).value;
    array_problem_refer(&s->made);
}

static const struct {
    const struct op *op;
    int64_t size[OP_SIZES_MAX];
} all[] = {{&matmul_op, {9, 40, 7}},         {&matmul_grad_a_op, {9, 7, 40}},
           {&matmul_grad_b_op, {40, 9, 7}},  {&matmul_batched_op, {3, 5, 40, 7}},
           {&conv2d_op, {2, 3, 5, 9, 8, 3}}, {&dot_op, {400}},
           {&reduce_rows_op, {5, 67}},       {&reduce_columns_op, {67, 5}}};
enum { ALL = sizeof all / sizeof all[0] };

TEST(sums_of_small_integers_must_be_exact)
{
    for (size_t i = 0; i < ALL; i++) {
        struct solved s;
        solve(&s, all[i].op, all[i].size, INPUT_INTEGERS);
        float *last = &answer_of(&s)[s.sums.elements - 1];
        assert_answer_right(&s.made);
        *last = nextafterf(*last, INFINITY);
        if (array_problem_check(&s.made).correct)
            fail_msg("%s: an integer that is off by little is right", all[i].op->name);
        array_problem_free(&s.made);
    }
}

/* Each error is within the bound, but together they are not those of FP32. */
TEST(errors_that_are_all_large_are_imprecise)
{
    for (size_t i = 0; i < ALL; i++) {
        struct solved s;
        solve(&s, all[i].op, all[i].size, INPUT_RANDOM);
        assert_answer_right(&s.made);
        const double *at_most = s.made.reference->bound;
        for (int64_t e = 0; e < s.sums.elements && sums_are_precise(&s.sums); e++) {
            const double error = 12 * 0x1p-24 * s.made.reference->scale[e];
            answer_of(&s)[e] += (float)fmin(error, 0.8 * at_most[e]);
        }
        assert_int_equal(!array_problem_check(&s.made).correct, sums_are_precise(&s.sums));
        assert_true(!sums_are_precise(&s.sums) || strstr(array_problem_check(&s.made).reason, "imprecise"));
        if (sums_are_precise(&s.sums)) {
            answer_of(&s)[3] = (float)(s.made.reference->value[3] + 1.2 * at_most[3]);
            assert_answer_wrong(&s.made, "1 of");
        }
        array_problem_free(&s.made);
    }
}

/* Above 2e9 operations. The first factor is 1 everywhere, so that the answer is known: the sums of the other's. */
TEST(large_answers_are_checked_along_one_axis)
{
    const struct {
        const struct op *op;
        int64_t size[OP_SIZES_MAX];
    } large[] = {{&matmul_batched_op, {2, 600, 2000, 1000}}, {&conv2d_op, {8, 3, 64, 200, 200, 5}}};
    for (size_t i = 0; i < 2; i++) {
        struct solved s;
        make(&s, large[i].op, large[i].size, INPUT_RANDOM);
        s.made.note = (struct input_note){.text = "ones"};
        for (size_t e = 0; e < s.made.elements[0]; e++)
            ((float *)s.made.host[0])[e] = 1;
        array_problem_refer(&s.made);
        assert_non_null(s.made.reference->freivalds);
        for (int64_t e = 0; e < s.sums.elements; e++) { /* the same for all that differ in what the other lacks */
            int64_t first = e;
            for (int a = 0; a < s.sums.outer; a++)
                first -= s.sums.axis[a].step[2] > 0
                             ? 0
                             : e / s.sums.axis[a].step[0] % s.sums.axis[a].extent * s.sums.axis[a].step[0];
            answer_of(&s)[e] = first == e ? (float)sum_of_element(&s, e).value : answer_of(&s)[first];
        }
        assert_answer_right(&s.made);
        const int64_t row = s.made.reference->index[3] + 1;
        assert_true(row < s.made.reference->index[4]);
        answer_of(&s)[row * s.made.reference->columns + 5] += 1;
        assert_answer_wrong(&s.made, "Freivalds");
        array_problem_free(&s.made);
    }
}

/* The gradients of matmul: products with a factor that lies transposed. */
#include "bench/data/mnist.h"
#include "bench/ops/answer.h"
#include "bench/table/matmul_grad_a.h"
#include "bench/table/matmul_grad_b.h"
#include "bench/table/op.h"
#include "tests/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct op matmul_grad_a_op, matmul_grad_b_op;

/* The textbook sums, in double. */
static void solve_grad_a(const void *problem)
{
    const struct matmul_grad_a_problem *p = problem;
    for (int64_t i = 0; i < p->m; i++) {
        for (int64_t j = 0; j < p->k; j++) {
            double sum = 0;
            for (int64_t r = 0; r < p->n; r++)
                sum += (double)p->dc[i * p->n + r] * p->b[j * p->n + r];
            p->da[i * p->k + j] = (float)sum;
        }
    }
}

static void solve_grad_b(const void *problem)
{
    const struct matmul_grad_b_problem *p = problem;
    for (int64_t i = 0; i < p->k; i++) {
        for (int64_t j = 0; j < p->n; j++) {
            double sum = 0;
            for (int64_t r = 0; r < p->m; r++)
                sum += (double)p->a[r * p->k + i] * p->dc[r * p->n + j];
            p->db[i * p->n + j] = (float)sum;
        }
    }
}

static const struct {
    const struct op *op;
    void (*solve)(const void *problem);
    const char *answer;
} grads[] = {
    {&matmul_grad_a_op, solve_grad_a, "dA"},
    {&matmul_grad_b_op, solve_grad_b, "dB"},
};
enum { GRADS = 2, INPUTS = 2, OUTPUT = 2, BUFFERS = 3 };

static const struct workload small = {"7x37x29", {7, 37, 29}, 0}, long_sums = {"50000x3x5", {50000, 3, 5}, 0},
                             sampled = {"1250x2000x4096", {1250, 2000, 4096}, 0};

struct solved {
    const struct op *op;
    struct input_note note;
    void *host[OP_BUFFERS_MAX];
    int64_t elements, columns; /* of the answer */
    struct reference *reference;
};

static void allocate(struct solved *s, size_t grad, const struct workload *workload)
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    s->op = grads[grad].op;
    assert_int_equal(op_buffers(s->op, workload, specs), BUFFERS);
    for (size_t i = 0; i < BUFFERS; i++) {
        assert_int_equal(specs[i].is_output, i == OUTPUT);
        assert_non_null(s->host[i] = malloc(specs[i].bytes));
    }
    s->elements = (int64_t)(specs[OUTPUT].bytes / sizeof(float));
    s->columns = s->op == &matmul_grad_a_op ? workload->size[1] : workload->size[2];
}

static void solve(struct solved *s, size_t grad, const struct workload *workload)
{
    _Alignas(max_align_t) unsigned char problem[OP_PROBLEM_BYTES_MAX];
    op_bind(s->op, workload, s->host, problem);
    grads[grad].solve(problem);
}

static struct solved make(size_t grad, const struct workload *workload, const struct input_source *source)
{
    struct solved s = {0};
    allocate(&s, grad, workload);
    op_fill(s.op, workload, source, s.host, &s.note);
    assert_non_null(s.reference = op_reference_make(s.op, workload, &s.note, s.host));
    solve(&s, grad, workload);
    return s;
}

static void release(struct solved *s)
{
    op_reference_free(s->reference);
    for (size_t i = 0; i < BUFFERS; i++)
        free(s->host[i]);
}

static float *answer(const struct solved *s)
{
    return s->host[OUTPUT];
}

static struct check check(const struct solved *s)
{
    struct check result;
    op_check(s->reference, PRECISION_FP32, s->host, &result);
    return result;
}

static void assert_right(const struct solved *s)
{
    struct check result = check(s);
    if (!result.correct)
        fail_msg("%s: %s", s->op->name, result.reason);
}

static void assert_wrong(const struct solved *s, const char *reason)
{
    struct check result = check(s);
    assert_false(result.correct);
    if (!strstr(result.reason, reason))
        fail_msg("%s: '%s' does not say '%s'", s->op->name, result.reason, reason);
}

TEST(the_textbook_sums_are_right_on_every_kind_of_input)
{
    for (size_t grad = 0; grad < GRADS; grad++) {
        for (int kind = 0; kind < INPUT_KINDS; kind++) {
            struct solved s = make(grad, &small, &(struct input_source){.seed = 3, .kind = (enum input_kind)kind});
            assert_right(&s);
            assert_int_equal(s.note.exact, kind != INPUT_RANDOM && kind != INPUT_SPARSE);
            release(&s);
        }
    }
}

/* The sum of rows from `first` on, the last row first. */
static float sum_in_fp32(const struct solved *s, int64_t first, int64_t row, int64_t column)
{
    const float *a = s->host[0], *dc = s->host[1];
    float sum = 0;
    for (int64_t r = long_sums.size[0]; r-- > first;)
        sum += a[r * long_sums.size[1] + row] * dc[r * long_sums.size[2] + column];
    return sum;
}

/* A sum over a batch of MNIST's size is still exact where it has to be, in any order, so no row can be lost. */
TEST(sums_over_a_whole_batch_are_exact)
{
    static const enum input_kind kinds[] = {INPUT_ONES, INPUT_INTEGERS, INPUT_POWERS_OF_TWO, INPUT_ZEROS,
                                            INPUT_EQUAL_ROWS};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct solved s = make(1, &long_sums, &(struct input_source){.seed = 5, .kind = kinds[i]});
        float *got = answer(&s);
        assert_true(s.note.exact);
        for (int64_t e = 0; e < s.elements; e++)
            got[e] = sum_in_fp32(&s, 0, e / s.columns, e % s.columns);
        assert_right(&s);
        int64_t column = 0;
        while (column < s.columns && sum_in_fp32(&s, 1, 1, column) == got[s.columns + column])
            column++;
        if (column < s.columns) { /* the first row counts */
            got[s.columns + column] = sum_in_fp32(&s, 1, 1, column);
            assert_wrong(&s, "dB[1,");
        }
        assert_true(column < s.columns || kinds[i] == INPUT_ZEROS);
        release(&s);
    }
}

TEST(rounding_over_a_whole_batch_is_tolerated)
{
    struct solved s = make(1, &long_sums, &(struct input_source){.seed = 5});
    float *got = answer(&s);
    for (int64_t e = 0; e < s.elements; e++)
        got[e] = sum_in_fp32(&s, 0, e / s.columns, e % s.columns);
    assert_right(&s);
    got[0] = 0;
    assert_wrong(&s, "dB[0,0]");
    release(&s);
}

TEST(wrong_answers_are_refused)
{
    for (size_t grad = 0; grad < GRADS; grad++) {
        struct solved s = make(grad, &small, &(struct input_source){.seed = 7});
        char element[16];
        snprintf(element, sizeof element, "%s[1,2]", grads[grad].answer);
        float *at = answer(&s) + s.columns + 2, right = *at;
        *at = NAN;
        assert_wrong(&s, element);
        *at = 0;
        assert_wrong(&s, element);
        *at = right + 0.001F;
        assert_wrong(&s, element);
        *at = at[1];
        at[1] = right;
        assert_wrong(&s, element);
        memset(answer(&s), 0, (size_t)s.elements * sizeof(float));
        assert_wrong(&s, grads[grad].answer);
        release(&s);
    }
}

/* The mistake that is made first: an operand is taken as it lies. All matrices are square here. */
TEST(a_factor_that_was_not_transposed_is_noticed)
{
    static const struct workload square = {"16x16x16", {16, 16, 16}, 0};
    for (size_t grad = 0; grad < GRADS; grad++) {
        struct solved s = make(grad, &square, &(struct input_source){.seed = 9});
        const float *x = s.host[0], *y = s.host[1];
        for (int e = 0; e < 256; e++) {
            double sum = 0;
            for (int p = 0; p < 16; p++)
                sum += (double)x[e / 16 * 16 + p] * y[p * 16 + e % 16];
            answer(&s)[e] = (float)sum;
        }
        assert_wrong(&s, grads[grad].answer);
        release(&s);
    }
}

/* Where the reference has some rows only, Freivalds' check takes the same factors. The rows of the answer are copied
 * from a few that were computed, with the factor's. */
TEST(large_answers_are_checked_by_sums)
{
    struct solved s = {0};
    const int64_t m = sampled.size[0], k = sampled.size[1], n = sampled.size[2], distinct = 2;
    allocate(&s, 0, &sampled);
    op_fill(s.op, &sampled, &(struct input_source){.seed = 5}, s.host, &s.note);
    float *dc = s.host[0];
    for (int64_t i = distinct; i < m; i++)
        memcpy(dc + i * n, dc + (i - distinct) * n, (size_t)n * sizeof *dc);
    assert_non_null(s.reference = op_reference_make(s.op, &sampled, &s.note, s.host));
    struct workload part = {"", {distinct, k, n}, 0};
    solve(&s, 0, &part);
    for (int64_t i = distinct; i < m; i++)
        memcpy(answer(&s) + i * k, answer(&s) + (i - distinct) * k, (size_t)k * sizeof(float));
    assert_right(&s);
    const struct reference *reference = s.reference;
    int64_t row = reference->index[3] + 1; /* not a sampled row */
    answer(&s)[row * k + 777] += 3;
    assert_wrong(&s, "the weighted sum from dA[");
    release(&s);
}

TEST(a_has_the_images_and_dc_has_not)
{
    static uint8_t pixels[2 * MNIST_PIXELS];
    pixels[0] = 255;
    pixels[MNIST_PIXELS + 5] = 51;
    struct mnist mnist = {.name = "mnist-test", .count = 2, .pixels = pixels};
    static const struct workload images = {"3x784x4", {3, 784, 4}, 0}, no_images = {"3x4x784", {3, 4, 784}, 0};
    struct solved s = make(1, &images, &(struct input_source){.seed = 1, .real.mnist = &mnist});
    const float *a = s.host[0];
    assert_true(a[0] == 1 && a[1] == 0 && a[MNIST_PIXELS + 5] == 0.2F && a[2 * MNIST_PIXELS] == 1);
    assert_false(s.note.zero_mean);
    assert_non_null(strstr(s.note.text, "mnist-test"));
    assert_right(&s);
    release(&s);
    s = make(0, &no_images, &(struct input_source){.seed = 1, .real.mnist = &mnist});
    assert_string_equal(s.note.text, "random");
    assert_true(s.note.zero_mean);
    release(&s);
}

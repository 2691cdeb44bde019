/* The operation softmax: rows become probabilities, within a bound that is derived. What it shares with others is in
 * test_operations.c. */
#include "bench/table/softmax.h"
#include "array_problem.h"
#include "tests/unit.h"

enum { X, Y, BUFFERS };
enum { M = 7, N = 300 };

static const struct workload workload = {"7x300", {M, N}, 0};
static struct array_problem made;
static float *x, *y;

static int make(void **state)
{
    made = array_problem_make(&softmax_op, &workload, INPUT_RANDOM);
    x = made.host[X];
    y = made.host[Y];
    return 0;
}

static int free_made(void **state)
{
    array_problem_free(&made);
    return 0;
}

static void answer(void)
{
    for (int i = 0; i < M; i++) {
        float largest = x[i * N], sum = 0;
        for (int j = 0; j < N; j++)
            largest = fmaxf(largest, x[i * N + j]);
        for (int j = 0; j < N; j++)
            sum += y[i * N + j] = expf(x[i * N + j] - largest);
        for (int j = 0; j < N; j++)
            y[i * N + j] /= sum;
    }
}

/* With the largest last, each element rescales the sum. */
TEST(a_running_maximum_that_rises_is_within_the_bound)
{
    for (int i = 0; i < M * N; i++)
        x[i] = (float)(i % N) / (float)(1 + i / N);
    for (int i = 0; i < M; i++) {
        float largest = x[i * N], sum = 0;
        for (int j = 0; j < N; j++) {
            const float larger = fmaxf(largest, x[i * N + j]);
            sum = sum * expf(largest - larger) + expf(x[i * N + j] - larger);
            largest = larger;
        }
        for (int j = 0; j < N; j++)
            y[i * N + j] = expf(x[i * N + j] - largest) / sum;
    }
    assert_true(array_problem_check(&made).correct);
}

TEST(a_sum_without_one_of_its_terms_is_found)
{
    for (int kind = 0; kind <= INPUT_ONES; kind++) {
        array_problem_fill(&made, &(struct input_source){.seed = 5, .kind = (enum input_kind)kind});
        answer();
        float *row = y + 3 * N;
        int largest = 0;
        for (int j = 0; j < N; j++)
            largest = row[j] > row[largest] ? j : largest;
        const float missing = row[largest];
        for (int j = 0; j < N; j++)
            row[j] /= 1 - missing / 2; /* half of a term */
        assert_answer_wrong(&made, "wrong answer: y[3,");
    }
}

TEST(what_underflows_may_be_zero)
{
    memset(x, 0, M * N * sizeof *x);
    x[0] = 1000;
    answer();
    assert_true(y[0] == 1 && y[1] == 0 && array_problem_check(&made).correct);
    y[1] = 0x1p-140f;
    assert_false(array_problem_check(&made).correct);
}

AROUND_EACH_TEST(make, free_made)

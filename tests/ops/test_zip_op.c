/* The operation zip: its views and its rule. What it shares with others is in test_operations.c. */
#include "array_problem.h"
#include "bench/table/zip.h"
#include "tests/unit.h"

enum { X, Z, Y, BUFFERS };
enum { M = 5, N = 37 };

/* What bench/table/zip.h says of each view. */
static const struct view {
    struct workload workload;
    const char *shape;
    int64_t z_row, z_column;
    size_t z_elements;
} views[] = {
    {{"whole", {M, N, 1}, 0}, "5x37xwhole", N, 1, M *N},
    {{"row", {M, N, 2}, 0}, "5x37xrow", 0, 1, N},
    {{"column", {M, N, 3}, 0}, "5x37xcolumn", 1, 0, M},
    {{"transposed", {M, N, 4}, 0}, "5x37xtransposed", 1, M, M *N},
};
enum { VIEWS = sizeof views / sizeof views[0] };
static const struct view *view;

/* With the product rounded by itself, which makes a difference only where it is subnormal. */
static struct array_problem solved(enum input_kind kind)
{
    struct array_problem problem = array_problem_make(&zip_op, &view->workload, kind);
    const float *x = problem.host[X], *z = problem.host[Z];
    float *y = problem.host[Y];
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            const float product = 0.5f * x[i * N + j];
            y[i * N + j] = product + z[i * view->z_row + j * view->z_column];
        }
    return problem;
}

static void elements_that_are_nearly_right_are_wrong(void)
{
    struct array_problem problem = solved(INPUT_RANDOM);
    float *y = problem.host[Y];
    for (int e = 0; e < M * N; e++) {
        const float right = y[e];
        y[e] = nextafterf(right, 2);
        assert_answer_wrong(&problem, "exactly; 1 of 185");
        y[e] = right;
    }
    array_problem_free(&problem);
}

/* The answer to another view of the same z. */
static void other_views_are_wrong(void)
{
    const struct view *right = view;
    struct array_problem problem = solved(INPUT_RANDOM);
    const float *x = problem.host[X], *z = problem.host[Z];
    float *y = problem.host[Y];
    for (const struct view *other = views; other < views + VIEWS; other++) {
        for (int e = 0; e < M * N && other != right && other->z_elements <= right->z_elements; e++)
            y[e] = 0.5f * x[e] + z[e / N * other->z_row + e % N * other->z_column];
        assert_int_equal(array_problem_check(&problem).correct,
                         other == right || other->z_elements > right->z_elements);
        for (int e = 0; e < M * N; e++)
            y[e] = 0.5f * x[e] + z[e / N * right->z_row + e % N * right->z_column];
    }
    array_problem_free(&problem);
}

static void half_of_an_odd_subnormal_number_may_be_rounded(void)
{
    const float tiny = 0x1p-149f;
    const struct workload one = {"1", {1, 1, view->workload.size[2]}, 0};
    struct array_problem problem = array_problem_make(&zip_op, &one, INPUT_ONES);
    float *x = problem.host[X], *z = problem.host[Z], *y = problem.host[Y];
    const struct {
        float x, z, y;
        bool is_right;
    } cases[] = {{tiny, tiny, tiny, true},         {tiny, tiny, 2 * tiny, true},  {tiny, tiny, 4 * tiny, false},
                 {2 * tiny, tiny, 2 * tiny, true}, {2 * tiny, tiny, tiny, false}, {tiny, 1, 1, true},
                 {tiny, 1, 1 + 0x1p-22f, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        *x = cases[i].x;
        *z = cases[i].z;
        *y = cases[i].y;
        assert_int_equal(array_problem_check(&problem).correct, cases[i].is_right);
    }
    array_problem_free(&problem);
}

static void problems_are_bound_to_buffers_and_named(void)
{
    float x, y, z;
    void *memory[] = {&x, &z, &y};
    char text[64];
    struct zip_problem problem;
    struct buffer_spec specs[OP_BUFFERS_MAX];
    op_bind(&zip_op, &view->workload, memory, &problem);
    assert_true(problem.m == M && problem.n == N && problem.x == &x && problem.z == &z && problem.y == &y);
    assert_true(problem.z_row == view->z_row && problem.z_column == view->z_column);
    assert_int_equal(op_buffers(&zip_op, &view->workload, specs), BUFFERS);
    assert_true(specs[X].bytes == M * N * 4 && specs[Z].bytes == view->z_elements * 4 && specs[Y].bytes == M * N * 4);
    op_shape(&zip_op, &view->workload, text, sizeof text);
    assert_string_equal(text, view->shape);
}

TEST(each_view_has_its_answer_and_its_name)
{
    for (view = views; view < views + VIEWS; view++) {
        elements_that_are_nearly_right_are_wrong();
        other_views_are_wrong();
        half_of_an_odd_subnormal_number_may_be_rounded();
        problems_are_bound_to_buffers_and_named();
    }
}

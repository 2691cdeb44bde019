/* What follows from the description of an operation, with one of this test: y[i,j] = a[i,j] + b[j]. */
#include "bench/ops/answer.h"
#include "array_problem.h"
#include "tests/unit.h"

enum { A, B, Y, ARRAYS };
enum { ROWS, COLUMNS };

static int64_t pieces_computed;

static bool compute(const struct op_piece *piece)
{
    const int64_t columns = piece->size[COLUMNS];
    pieces_computed++;
    assert_true(piece->first % columns == 0 && piece->count == columns);
    for (int64_t j = 0; j < columns; j++) {
        piece->value[j] = op_read(&piece->inputs[A], piece->first + j) + op_read(&piece->inputs[B], j);
        piece->bound[j] = 0x1p-24 * fabs(piece->value[j]);
    }
    return true;
}

static const int64_t ragged[][OP_SIZES_MAX] = {{70, 3}};

static const struct op op = {
    .name = "sum",
    .sizes = "m n",
    .args = {{"a", "m,n"}, {"b", "n"}, {"y", "m,n", .is_output = true}},
    .compute = compute,
    .piece = "n",
    .operations = "m*n",
    OP_LIST(ragged),
};

static const struct workload small = {"5x37", {5, 37}, 0};
enum { SMALL_ELEMENTS = 5 * 37 };

static struct array_problem solve(enum input_kind kind)
{
    struct array_problem p = array_problem_of(&op, &small, &(struct input_source){.seed = 3, .kind = kind});
    const float *a = p.host[A], *b = p.host[B];
    assert_int_equal(p.count, ARRAYS);
    for (int64_t i = 0; i < SMALL_ELEMENTS; i++)
        ((float *)p.host[Y])[i] = a[i] + b[i % small.size[COLUMNS]];
    array_problem_refer(&p);
    return p;
}

TEST(kinds_of_input_are_what_they_are_called)
{
    for (int kind = 0; kind < INPUT_KINDS; kind++) {
        struct array_problem p = solve((enum input_kind)kind);
        const float *a = p.host[A];
        int zeros = 0, ones = 0, integers = 0, powers = 0, equal = 0, exponent;
        for (int i = 0; i < SMALL_ELEMENTS; i++) {
            assert_true(isfinite(a[i])); /* this rule does not take any number */
            zeros += a[i] == 0;
            ones += a[i] == 1;
            integers += a[i] == rintf(a[i]);
            powers += fabsf(frexpf(a[i], &exponent)) == 0.5f;
            equal += a[i] == a[i % small.size[COLUMNS]];
        }
        assert_true(kind == INPUT_ZEROS || kind == INPUT_SPARSE ? zeros > SMALL_ELEMENTS / 2
                                                                : zeros < SMALL_ELEMENTS / 2);
        assert_true((kind == INPUT_ONES) == (ones == SMALL_ELEMENTS));
        assert_true((kind == INPUT_RANDOM || kind == INPUT_POWERS_OF_TWO || kind == INPUT_SPARSE) ==
                    (integers < SMALL_ELEMENTS));
        assert_true((kind == INPUT_ONES || kind == INPUT_POWERS_OF_TWO) == (powers == SMALL_ELEMENTS));
        assert_true(kind != INPUT_EQUAL_ROWS || (equal > SMALL_ELEMENTS - 4 && equal < SMALL_ELEMENTS));
        array_problem_free(&p);
    }
}

TEST(one_wrong_element_is_named_wherever_it_is)
{
    struct array_problem p = solve(INPUT_RANDOM);
    float *y = p.host[Y];
    for (int i = 0; i < SMALL_ELEMENTS; i++) {
        const float wrong[] = {NAN, INFINITY, -INFINITY, 0, -y[i], y[i] * (1 + 0x1p-20f)};
        float right = y[i];
        for (size_t w = 0; w < sizeof wrong / sizeof wrong[0]; w++) {
            char text[64];
            y[i] = wrong[w];
            snprintf(text, sizeof text, "y[%d,%d] is %.9g, expected ", i / 37, i % 37, (double)y[i]);
            assert_answer_wrong(&p, text);
            assert_answer_wrong(&p, "; 1 of 185 checked elements are wrong");
        }
        y[i] = right;
    }
    assert_answer_right(&p);
    array_problem_free(&p);
}

static struct check met(double expected, double bound, float got)
{
    double value[] = {expected}, bounds[] = {bound};
    struct reference reference = {
        .op = &op, .workload = {.size = {1, 1}}, .rows = 1, .columns = 1, .value = value, .bound = bounds};
    void *outputs[] = {&got};
    struct check result;
    op_check(&reference, PRECISION_FP32, outputs, &result);
    return result;
}

TEST(infinities_and_nan_must_be_met)
{
    static const double special[] = {INFINITY, -INFINITY, NAN, 1};
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++) {
            assert_int_equal(met(special[i], 1e-3, (float)special[j]).correct, i == j);
            assert_int_equal(met(special[i], INFINITY, (float)special[j]).correct, i == j);
        }
    assert_true(met(NAN, NAN, NAN).correct && met(INFINITY, NAN, INFINITY).correct);
    assert_true(met(0, 0, -0.0f).correct && met(-0.0, 0, 0).correct);
    assert_false(met(0, 0, 0x1p-149f).correct);
    assert_true(isnan(met(1, 1, NAN).max_abs_err));
}

/* A piece is computed once for all of its elements, as long as no other is asked for. */
TEST(an_element_is_that_of_the_reference)
{
    struct array_problem p = solve(INPUT_RANDOM);
    const float *y = p.host[Y];
    struct made made[OP_BUFFERS_MAX];
    op_made(&op, &small, &(struct input_source){.seed = 3, .asks = true}, made, &p.note);
    pieces_computed = 0;
    for (int64_t e = 0; e < SMALL_ELEMENTS; e++) {
        struct exact exact;
        assert_true(op_element(&op, &small, made, op_output(&op), e, PRECISION_FP32, &exact));
        assert_true(met(exact.value, exact.bound, y[e]).correct && isnan(exact.scale));
        assert_false(met(exact.value, exact.bound, y[e] * (1 + 0x1p-20f)).correct);
    }
    assert_int_equal(pieces_computed, 5);
    struct exact last, other;
    assert_true(op_element(&op, &small, made, op_output(&op), 0, PRECISION_FP32, &last));
    op_made(&op, &small, &(struct input_source){.seed = 4, .asks = true}, made, &p.note);
    assert_true(op_element(&op, &small, made, op_output(&op), 0, PRECISION_FP32, &other));
    assert_true(last.value != other.value);
    assert_true(op_element_reads(&op, &small) == 2 * 37);
    array_problem_free(&p);
}

TEST(costs_names_and_buffers_follow_from_sizes)
{
    const struct workload workload = {"70x3", {70, 3}, 0};
    const struct workload huge = {"huge", {1 << 30, 1 << 20}, 0};
    struct buffer_spec specs[OP_BUFFERS_MAX];
    char text[48];
    op_shape(&op, &workload, text, sizeof text);
    assert_string_equal(text, "70x3");
    assert_true(op_cost(&op, &workload).bytes == 4 * (210 + 3 + 210) && op_cost(&op, &workload).flops == 210);
    assert_true(op_reference_bytes(&op, &workload) >= 210 * 2 * sizeof(double));
    assert_true(op_cost(&op, &huge).bytes == 0x1p53 + 0x1p22);
    assert_true(op_reference_bytes(&op, &huge) >= (size_t)1 << 54);
    assert_int_equal(op_buffers(&op, &huge, specs), ARRAYS);
    assert_true(specs[A].bytes == (size_t)1 << 52 && specs[B].bytes == (size_t)1 << 22 && !specs[A].is_output);
    assert_true(specs[Y].bytes == (size_t)1 << 52 && specs[Y].is_output);
}

/* Elements of inputs that were visited. */
static bool visited[2][SMALL_ELEMENTS];

static void visit(void *self, size_t input, int64_t element)
{
    (void)self;
    visited[input][element] = true;
}

/* The last elements need whole pieces. */
TEST(what_the_end_needs_is_visited)
{
    assert_true(op_visit_inputs(&op, &small, NULL, op_output(&op), SMALL_ELEMENTS - 3, 3, visit, NULL));
    for (int64_t e = 0; e < SMALL_ELEMENTS; e++) {
        assert_int_equal(visited[A][e], e >= SMALL_ELEMENTS - 37);
        assert_int_equal(visited[B][e], e < 37);
    }
}

static int64_t extent_of(const char *text)
{
    const struct op described = {.sizes = "batch h r", .args = {{"y", text, .is_output = true}}};
    int64_t extent[OP_RANK_MAX];
    assert_int_equal(op_extents(&described, &(struct workload){.size = {5, 28, 3}}, 0, extent), 1);
    return extent[0];
}

TEST(extents_are_expressions)
{
    assert_int_equal(extent_of("batch"), 5);
    assert_int_equal(extent_of("7"), 7);
    assert_int_equal(extent_of("h-r+1"), 26);
    assert_int_equal(extent_of("h*r-batch"), 79);
    assert_int_equal(extent_of("(h-r+1)*(h-r+1)*batch"), 26 * 26 * 5);
    assert_int_equal(extent_of("h/r"), 9);
    assert_int_equal(extent_of("(r-h)/2*r"), -13 * 3); /* rounded down */
    assert_int_equal(extent_of("batch/(r-3)"), 0);
}

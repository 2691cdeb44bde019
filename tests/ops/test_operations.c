/* Every operation of the table, by its description alone: its plainest rung is right on each ragged size and kind of
 * input, wrong answers are refused, and suites have what they need of it. An operation whose rule has more to it has a
 * test of its own beside this one. */
#include "array_problem.h"
#include "bench/own/sound.h"
#include "bench/table/registry.h"
#include "tests/unit.h"

#include <ctype.h>

/* The first that may be a baseline and runs here. */
static const struct rung *plainest_rung(const struct op *op)
{
    for (size_t i = 0; i < rungbench_registry.rung_count; i++) {
        const struct rung *rung = &rungbench_registry.rungs[i];
        if (rung->op == op && (rung->traits & RUNG_BASELINE) && rung->run && !rung->backend->separate_memory)
            return rung;
    }
    fail_msg("%s has no rung with RUNG_BASELINE on a CPU", op->name);
    return NULL;
}

struct answer {
    struct array_problem problem;
    enum element_type type;
    void *output;
    int64_t count; /* of its elements */
    double largest;
};

static double value_at(const struct answer *answer, int64_t element)
{
    return element_value(answer->type, answer->output, element);
}

/* Into memory that holds NaN, or 255. */
static struct answer answer_of(const struct op *op, const struct workload *workload, enum input_kind kind)
{
    struct answer answer = {.problem = array_problem_make(op, workload, kind), .count = op_elements(op, workload)};
    void *const *host = answer.problem.host;
    const size_t output = op_output(op);
    unsigned char bound[OP_PROBLEM_BYTES_MAX];
    answer.type = op->args[output].type;
    answer.output = host[output];
    memset(answer.output, 0xFF, (size_t)answer.count * element_bytes(answer.type));
    struct workload same;
    void *memory[OP_BUFFERS_MAX];
    op_bind(op, workload, host, bound);
    if (!op->members) {
        op_unbind(op, bound, &same, memory);
        assert_memory_equal(same.size, workload->size, sizeof same.size);
        assert_ptr_equal(memory[output], host[output]);
    }
    assert_null(plainest_rung(op)->run(bound, NULL));
    array_problem_refer(&answer.problem);
    for (int64_t e = 0; e < answer.count; e++)
        answer.largest = fmax(answer.largest, fabs(value_at(&answer, e)));
    return answer;
}

static void assert_refused(const struct answer *answer, const char *mistake)
{
    if (array_problem_check(&answer->problem).correct)
        fail_msg("%s %s: %s is taken for right", answer->problem.op->name, answer->problem.workload->name, mistake);
}

/* Elements that differ by this much are not one number, rounded twice. */
static double much(const struct answer *answer)
{
    return answer->type == ELEMENT_BYTE ? 1 : answer->largest / 300;
}

static void assert_no_other_element_is_right(const struct answer *answer, int64_t element)
{
    const double right = value_at(answer, element);
    element_set(answer->type, answer->output, element, right < 1 ? right + much(answer) : right - much(answer));
    assert_refused(answer, "an element that is off");
    if (answer->problem.op->is_exact && answer->type == ELEMENT_FLOAT) {
        element_set(answer->type, answer->output, element, (double)nextafterf((float)right, 2));
        assert_refused(answer, "an element that is nearly right");
    }
    for (int special = 0; special < 2 && answer->type == ELEMENT_FLOAT; special++) {
        element_set(answer->type, answer->output, element, special == 0 ? NAN : INFINITY);
        assert_refused(answer, special == 0 ? "NaN" : "an infinity");
    }
    element_set(answer->type, answer->output, element, right);
}

static void assert_neighbours_may_not_swap(const struct answer *answer, int64_t element)
{
    const double first = value_at(answer, element), second = value_at(answer, element + 1);
    if (fabs(first - second) < much(answer))
        return;
    element_set(answer->type, answer->output, element, second);
    element_set(answer->type, answer->output, element + 1, first);
    assert_refused(answer, "a swap of neighbours");
    element_set(answer->type, answer->output, element, first);
    element_set(answer->type, answer->output, element + 1, second);
}

/* One in so many is tried, and all by scripts/test.sh --all. */
static bool is_tried(size_t number)
{
    enum { SHARE = 3 };
    return unit_at_length() || number % SHARE == 0;
}

static void each_kind_of_input(const struct op *op, const struct workload *workload, size_t number)
{
    for (int kind = 0; kind < INPUT_KINDS; kind++) {
        if (!is_tried(number + (size_t)kind))
            continue;
        struct answer answer = answer_of(op, workload, (enum input_kind)kind);
        assert_answer_right(&answer.problem);
        array_problem_free(&answer.problem);
    }
}

/* In so many places, the first and the last among them. */
enum { PLACES = 8 };

static void what_is_measured(const struct op *op, const struct workload *workload, size_t number)
{
    if (!is_tried(number))
        return;
    struct answer answer = answer_of(op, workload, INPUT_RANDOM);
    const int64_t last = answer.count - 1, places = last < PLACES - 1 ? last : PLACES - 1;
    for (int64_t i = 0; i <= places; i++) {
        const int64_t element = places == 0 ? 0 : last * i / places;
        assert_no_other_element_is_right(&answer, element);
        if (element < last)
            assert_neighbours_may_not_swap(&answer, element);
    }
    assert_answer_right(&answer.problem);
    memset(answer.output, 0, (size_t)answer.count * element_bytes(answer.type));
    if (answer.largest > 0)
        assert_refused(&answer, "zeros");
    array_problem_free(&answer.problem);
}

static void with_ragged_sizes(void test(const struct op *, const struct workload *, size_t number))
{
    for (size_t o = 0; o < rungbench_registry.op_count; o++) {
        const struct op *op = rungbench_registry.ops[o];
        assert_true(op->ragged_count > 0);
        for (size_t i = 0; i < op->ragged_count; i++) {
            const struct workload ragged = op_ragged(op, i);
            test(op, &ragged, i);
        }
    }
}

TEST(the_plainest_rung_is_right_on_all_kinds_of_input)
{
    with_ragged_sizes(each_kind_of_input);
}

TEST(wrong_answers_are_refused)
{
    with_ragged_sizes(what_is_measured);
}

static bool is_in(const struct op *op, unsigned suites, double work_max)
{
    for (size_t w = 0; w < op->workload_count; w++)
        if ((op->workloads[w].suites & suites) && op_work(op, &op->workloads[w]) <= work_max)
            return true;
    return false;
}

/* Small ones in suite smoke; suite network has what suite mnist has not, but for what cards tell each other. */
TEST(each_operation_has_its_suites)
{
    for (size_t o = 0; o < rungbench_registry.op_count; o++) {
        const struct op *op = rungbench_registry.ops[o];
        assert_true(is_in(op, SUITE_SMOKE, 2e7));
        assert_true((is_in(op, SUITE_NETWORK, INFINITY) != is_in(op, SUITE_MNIST, INFINITY)) == !op->message);
    }
}

static const struct workload *first_of_smoke(const struct op *op)
{
    const struct workload *workload = op->workloads;
    while (!(workload->suites & SUITE_SMOKE))
        workload++;
    return workload;
}

/* Of each input that has elements enough to differ. */
TEST(input_depends_on_kind_and_seed_alone)
{
    for (size_t o = 0; o < rungbench_registry.op_count; o++) {
        const struct op *op = rungbench_registry.ops[o];
        for (enum input_kind kind = 0; kind < INPUT_KINDS; kind++) {
            struct array_problem one = array_problem_make(op, first_of_smoke(op), kind),
                                 other = array_problem_make(op, first_of_smoke(op), kind);
            for (size_t i = 0; i < op_output(op); i++)
                assert_memory_equal(one.host[i], other.host[i], one.elements[i] * element_bytes(op->args[i].type));
            array_problem_fill(&other, &(struct input_source){.seed = 2, .kind = kind});
            for (size_t i = 0; i < op_output(op) && kind != INPUT_ONES; i++)
                if (one.elements[i] > 1000 && memcmp(one.host[i], other.host[i], one.elements[i]) == 0)
                    fail_msg("%s: input %zu of kind %d is the same with another seed", op->name, i, (int)kind);
            array_problem_free(&one);
            array_problem_free(&other);
        }
    }
}

/* "row" of 64x128xrow; empty for 64x128. */
static const char *kind_of(const struct op *op, const struct workload *workload, char shape[64])
{
    op_shape(op, workload, shape, 64);
    const char *last = strrchr(shape, 'x');
    return last && isalpha((unsigned char)last[1]) ? last + 1 : "";
}

static bool is_same_kind(const struct op *op, const struct workload *a, const struct workload *b)
{
    char shape[2][64];
    return strcmp(kind_of(op, a, shape[0]), kind_of(op, b, shape[1])) == 0;
}

/* How many sizes of the workload's kind are in the suite that has most of them. */
static size_t most_sizes(const struct op *op, const struct workload *like)
{
    static const unsigned suites[] = {SUITE_MNIST, SUITE_LECTURE, SUITE_SWEEP, SUITE_NETWORK, SUITE_SCALING};
    size_t most = 0;
    for (size_t s = 0; s < sizeof suites / sizeof suites[0]; s++) {
        size_t sizes = 0;
        for (size_t w = 0; w < op->workload_count; w++)
            sizes += (op->workloads[w].suites & suites[s]) && is_same_kind(op, &op->workloads[w], like);
        most = sizes > most ? sizes : most;
    }
    return most;
}

/* A crossover needs three sizes of a kind (bench/report/crossover.c). */
TEST(each_operation_has_a_suite_with_three_sizes_of_it)
{
    for (size_t o = 0; o < rungbench_registry.op_count; o++) {
        const struct op *op = rungbench_registry.ops[o];
        for (size_t w = 0; w < op->workload_count; w++)
            if (most_sizes(op, &op->workloads[w]) < 3)
                fail_msg("%s has %zu sizes like %s in a suite, expected 3", op->name, most_sizes(op, &op->workloads[w]),
                         op->workloads[w].name);
    }
}

TEST(each_description_is_sound)
{
    for (size_t o = 0; o < rungbench_registry.op_count; o++) {
        struct error error;
        if (!op_is_sound(rungbench_registry.ops[o], &error))
            fail_msg("%s: %s", rungbench_registry.ops[o]->name, error.text);
    }
}

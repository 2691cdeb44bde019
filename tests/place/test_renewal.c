/* Renewed inputs: for every operation, the answer to rotated inputs is the answer, rotated. */
#include "bench/place/renewal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "bench/table/registry.h"

#include <string.h>

static const struct rung *first_rung_of(const struct op *op)
{
    for (size_t i = 0; i < rungbench_registry.rung_count; i++)
        if (rungbench_registry.rungs[i].op == op && rungbench_registry.rungs[i].backend->backend == &cpu_backend)
            return &rungbench_registry.rungs[i];
    return NULL;
}

struct made {
    struct host_problem host_problem;
    struct buffers buffers;
    struct renewal renewal;
};

/* The verified answer is that of the rung itself. */
static void make(struct made *made, const struct rung *rung, const struct workload *workload)
{
    struct input_source source = {.seed = 3};
    assert_true(host_problem_make(&made->host_problem, rung->op, workload, &source));
    assert_null(buffers_make(&made->buffers, &cpu_backend, rung->op, workload));
    assert_null(buffers_upload(&made->buffers, made->host_problem.host));
    assert_null(rung->run(made->buffers.problem, NULL));
    assert_null(buffers_download(&made->buffers, made->host_problem.host));
    host_problem_keep_answer(&made->host_problem);
    assert_null(renewal_make(&made->renewal, &made->buffers, &made->host_problem));
}

static void free_made(struct made *made)
{
    renewal_free(&made->renewal);
    buffers_free(&made->buffers);
    host_problem_free(&made->host_problem);
}

/* Whether the outputs in host memory are a correct answer. */
static bool is_correct(const struct made *made, const struct rung *rung)
{
    struct check check;
    rung->op->check(made->host_problem.reference, rung->precision, made->host_problem.host, &check);
    return check.correct;
}

static void test_rotated_inputs_have_the_rotated_answer(void **state)
{
    (void)state;
    for (size_t o = 0; o < rungbench_registry.op_count; o++) {
        const struct rung *rung = first_rung_of(rungbench_registry.ops[o]);
        assert_non_null(rung);
        for (size_t w = 0; w < rung->op->ragged_count; w++) {
            struct made made;
            make(&made, rung, &rung->op->ragged[w]);
            for (uint64_t turn = 0; turn < 9; turn++) {
                assert_null(renewal_turn(&made.renewal, turn));
                assert_null(rung->run(made.buffers.problem, NULL));
                assert_null(renewal_download(&made.renewal, made.host_problem.host));
                assert_true(is_correct(&made, rung));
                assert_null(renewal_spoil(&made.renewal, turn));
                assert_null(renewal_download(&made.renewal, made.host_problem.host));
                assert_true(host_problem_same_answer(&made.host_problem));
            }
            free_made(&made);
        }
    }
}

/* Whether no turn makes another answer: all of its elements are the same, or it does not depend on how its inputs are
 * arranged. New noise alone does then. */
static bool never_moves(const struct rung *rung, const struct workload *workload, size_t output, const void *answer,
                        size_t bytes)
{
    const size_t element = rung->op->element_bytes;
    bool moves = false;
    for (uint64_t turn = 1; turn < 9; turn++) {
        struct rotation rotations[OP_BUFFERS_MAX];
        rung->op->rotate(workload, turn, rotations);
        moves = moves || rotations[output].first_row != 0 || rotations[output].first_byte != 0;
    }
    return !moves || memcmp(answer, (const char *)answer + element, bytes - element) == 0;
}

/* What a rung kept of earlier inputs is a wrong answer for new ones; and turn 0 brings the old ones back. */
static void test_an_old_answer_is_wrong_for_new_inputs(void **state)
{
    (void)state;
    for (size_t o = 0; o < rungbench_registry.op_count; o++) {
        const struct rung *rung = first_rung_of(rungbench_registry.ops[o]);
        for (size_t w = 0; w < rung->op->ragged_count; w++) {
            struct made made;
            struct buffer_spec specs[OP_BUFFERS_MAX];
            make(&made, rung, &rung->op->ragged[w]);
            size_t wrong = 0, count = rung->op->buffers(&rung->op->ragged[w], specs);
            for (uint64_t turn = 1; turn < 9; turn++) {
                made.renewal.turn = turn;
                for (size_t i = 0; i < count; i++)
                    if (specs[i].is_output)
                        assert_null(made.buffers.backend->upload(made.buffers.data[i].start,
                                                                 made.host_problem.verified[i], specs[i].bytes));
                assert_null(renewal_download(&made.renewal, made.host_problem.host));
                wrong += !is_correct(&made, rung);
            }
            if (wrong == 0 && !never_moves(rung, &rung->op->ragged[w], count - 1, made.host_problem.verified[count - 1],
                                           specs[count - 1].bytes))
                fail_msg("%s %s: an answer that was kept passes", rung->op->name, rung->op->ragged[w].name);
            assert_null(renewal_turn(&made.renewal, 0));
            assert_null(buffers_check_inputs(&made.buffers, made.host_problem.host));
            free_made(&made);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rotated_inputs_have_the_rotated_answer),
        cmocka_unit_test(test_an_old_answer_is_wrong_for_new_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "array_problem.h"
#include "tests/unit.h"

struct array_problem array_problem_of(const struct op *op, const struct workload *workload,
                                      const struct input_source *source)
{
    struct array_problem problem = {.op = op, .workload = workload};
    struct buffer_spec specs[OP_BUFFERS_MAX];
    problem.count = op_buffers(op, workload, specs);
    for (size_t i = 0; i < problem.count; i++) {
        problem.elements[i] = specs[i].bytes / element_bytes(specs[i].type);
        problem.host[i] = calloc(1, specs[i].bytes);
        assert_non_null(problem.host[i]);
    }
    array_problem_fill(&problem, source);
    return problem;
}

struct array_problem array_problem_make(const struct op *op, const struct workload *workload, enum input_kind kind)
{
    return array_problem_of(op, workload, &(struct input_source){.seed = 1, .kind = kind});
}

void array_problem_fill(struct array_problem *problem, const struct input_source *source)
{
    op_fill(problem->op, problem->workload, source, problem->host, &problem->note);
}

void array_problem_free(struct array_problem *problem)
{
    for (size_t i = 0; i < problem->count; i++)
        free(problem->host[i]);
    op_reference_free(problem->reference);
}

void array_problem_refer(struct array_problem *problem)
{
    problem->reference = op_reference_make(problem->op, problem->workload, &problem->note, problem->host);
    assert_non_null(problem->reference);
}

struct check array_problem_check(const struct array_problem *problem)
{
    struct check check;
    struct array_problem referred = *problem;
    if (!problem->reference)
        array_problem_refer(&referred);
    memset(&check, 0xFF, sizeof check);
    op_check(referred.reference, PRECISION_FP32, problem->host, &check);
    if (!problem->reference)
        op_reference_free(referred.reference);
    return check;
}

void assert_answer_right(const struct array_problem *problem)
{
    const struct check check = array_problem_check(problem);
    if (!check.correct)
        fail_msg("%s %s, input %s: %s", problem->op->name, problem->workload->name, problem->note.text, check.reason);
}

void assert_answer_wrong(const struct array_problem *problem, const char *reason)
{
    const struct check check = array_problem_check(problem);
    assert_false(check.correct);
    if (!strstr(check.reason, reason))
        fail_msg("'%s' does not say '%s'", check.reason, reason);
}

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
}

struct check array_problem_check(const struct array_problem *problem)
{
    struct check check;
    void *const *host = problem->host;
    struct reference *reference = op_reference_make(problem->op, problem->workload, &problem->note, host);
    assert_non_null(reference);
    memset(&check, 0xFF, sizeof check);
    op_check(reference, PRECISION_FP32, host, &check);
    op_reference_free(reference);
    return check;
}

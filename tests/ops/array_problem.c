#include "array_problem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

struct array_problem array_problem_make(const struct op *op, const struct workload *workload, enum input_kind kind)
{
    struct array_problem problem = {.op = op, .workload = workload};
    struct buffer_spec specs[OP_BUFFERS_MAX];
    struct input_note note;
    problem.count = op->buffers(workload, specs);
    for (size_t i = 0; i < problem.count; i++) {
        problem.elements[i] = specs[i].bytes / sizeof(float);
        problem.host[i] = calloc(problem.elements[i], sizeof(float));
        assert_non_null(problem.host[i]);
    }
    op->fill(workload, &(struct input_source){.seed = 1, .kind = kind}, problem.host, &note);
    return problem;
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
    void *reference = problem->op->reference_make(problem->workload, &(struct input_note){.text = "made"}, host);
    assert_non_null(reference);
    problem->op->check(reference, PRECISION_FP32, host, &check);
    problem->op->reference_free(reference);
    return check;
}

int64_t array_problem_place(const struct window *window, int64_t element)
{
    const int64_t row = (int64_t)(window->row_bytes / sizeof(float));
    assert_true(element / row < (int64_t)window->rows);
    return (int64_t)(window->offset + (size_t)(element / row) * window->stride) / (int64_t)sizeof(float) +
           element % row;
}

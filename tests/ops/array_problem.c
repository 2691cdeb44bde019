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

static void rotate(float *to, const float *from, const struct rotation *r)
{
    for (size_t row = 0; row < r->rows; row++)
        for (size_t byte = 0; byte < r->row_bytes; byte++)
            ((char *)to)[row * r->row_bytes + byte] =
                ((const char *)
                     from)[(row + r->first_row) % r->rows * r->row_bytes + (byte + r->first_byte) % r->row_bytes];
}

void array_problem_assert_rotates(const struct array_problem *solved)
{
    struct rotation rotations[OP_BUFFERS_MAX];
    struct array_problem turned = array_problem_make(solved->op, solved->workload, INPUT_ZEROS);
    solved->op->rotate(solved->workload, 0, rotations);
    for (size_t i = 0; i < solved->count; i++)
        assert_true(rotations[i].first_row == 0 && rotations[i].first_byte == 0);
    solved->op->rotate(solved->workload, 12345, rotations);
    for (size_t i = 0; i < solved->count; i++) {
        rotate(turned.host[i], solved->host[i], &rotations[i]);
        assert_memory_not_equal(turned.host[i], solved->host[i], solved->elements[i] * sizeof(float));
    }
    assert_true(array_problem_check(&turned).correct);
    array_problem_free(&turned);
}

int64_t array_problem_place(const struct window *window, int64_t element)
{
    const int64_t row = (int64_t)(window->row_bytes / sizeof(float));
    assert_true(element / row < (int64_t)window->rows);
    return (int64_t)(window->offset + (size_t)(element / row) * window->stride) / (int64_t)sizeof(float) +
           element % row;
}

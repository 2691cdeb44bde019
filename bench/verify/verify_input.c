#include "verify_input.h"

#include "verify_orders.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

struct check verify_none(void)
{
    return (struct check){.correct = true, .max_abs_err = 0, .err_bound = NAN, .rms_err = NAN};
}

void verify_note(struct check *worst, const struct check *check, const struct workload *workload, const char *how, ...)
{
    if (!check->correct) {
        char special[96];
        va_list arguments;
        va_start(arguments, how);
        vsnprintf(special, sizeof special, how, arguments);
        va_end(arguments);
        *worst = *check;
        int used = snprintf(worst->reason, sizeof worst->reason, "at size %s%s: ", workload->name, special);
        size_t left = sizeof worst->reason - (size_t)used;
        snprintf(worst->reason + used, left, "%.*s", (int)left - 1, check->reason);
        return;
    }
    if (check->max_abs_err > worst->max_abs_err) {
        worst->max_abs_err = check->max_abs_err;
        worst->err_bound = check->err_bound;
    }
    worst->rms_err = fmax(worst->rms_err, check->rms_err); /* fmax() ignores NAN */
}

void verify_input(const struct rung *rung, struct buffers *buffers, const struct workload *workload,
                  const struct input_source *source, bool in_all_orders, enum call_kind kind, struct check *worst)
{
    struct host_problem host_problem;
    struct check check;
    if (!host_problem_make(&host_problem, rung->op, workload, source)) {
        verify_give_up(&check, "cannot prepare its buffers: ", "no memory for input and reference");
        verify_note(worst, &check, workload, "%s", "");
        return;
    }
    if (in_all_orders && verify_has_orders(buffers->backend))
        verify_orders(rung, buffers, host_problem.host, host_problem.reference, &check);
    else
        verify_answer(rung, buffers, host_problem.host, host_problem.reference, kind, &check);
    if (source->kind == INPUT_RANDOM)
        verify_note(worst, &check, workload, "%s", "");
    else
        verify_note(worst, &check, workload, ", input %s", host_problem.note.text);
    host_problem_free(&host_problem);
}

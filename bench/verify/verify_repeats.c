#include "verify_repeats.h"

#include "bench/base/entropy.h"
#include "bench/base/host.h"
#include "verify_leaks.h"

#include <math.h>
#include <stdio.h>

enum { ELEMENTS_AT_LEAST = 64, WORK_AT_MOST = 2 };

/* After that many seconds the fewest calls are enough. */
static const double enough_s = 0.2;

static bool has_size_of_one(const struct workload *workload)
{
    for (size_t i = 0; i < OP_SIZES_MAX; i++)
        if (workload->size[i] == 1)
            return true;
    return false;
}

static bool is_suitable(const struct op *op, const struct workload *workload)
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    size_t count = op->buffers(workload, specs), answer_bytes = 0;
    for (size_t i = 0; i < count; i++)
        answer_bytes += specs[i].is_output ? specs[i].bytes : 0;
    return answer_bytes >= ELEMENTS_AT_LEAST * op->element_bytes && !has_size_of_one(workload);
}

/* One of the ragged sizes of little work that are no special case: no size is 1, and there are some elements. Which
 * one, nobody can foresee. */
static const struct workload *choose_size(const struct op *op)
{
    const struct workload *chosen = NULL;
    double least = INFINITY;
    uint64_t number = 0;
    for (size_t i = 0; i < op->ragged_count; i++)
        if (is_suitable(op, &op->ragged[i]))
            least = fmin(least, op_work(op, &op->ragged[i]));
    for (size_t i = 0; i < op->ragged_count; i++)
        if (is_suitable(op, &op->ragged[i]) && op_work(op, &op->ragged[i]) <= WORK_AT_MOST * least &&
            entropy_bits() % ++number == 0)
            chosen = &op->ragged[i];
    return chosen;
}

static void check_answer(const struct rung *rung, const struct host_problem *host_problem, struct check *check)
{
    if (host_problem_same_answer(host_problem))
        return;
    rung->op->check(host_problem->reference, rung->precision, host_problem->host, check);
    if (check->correct && (rung->traits & RUNG_UNORDERED) == 0)
        verify_fail(check, "", "the answer is not the first one bit for bit");
}

static bool wants_more(const struct rung *rung, int calls, double end_s)
{
    return calls < REPEATS_AT_LEAST || (calls < REPEATS && !rung->backend->simulates && host_now() < end_s);
}

static void repeat(const struct rung *rung, struct buffers *buffers, const struct host_problem *host_problem,
                   struct check *worst)
{
    const double end_s = host_now() + enough_s;
    struct check check = verify_none();
    int calls = 0;
    while (worst->correct && wants_more(rung, calls, end_s)) {
        calls++;
        const char *error = buffers_poison_outputs(buffers);
        error = error ? error : rung->run(buffers->problem, buffers->backend->stream());
        const char *failed = buffers_download(buffers, host_problem->host);
        if (error || failed)
            verify_fail(&check, "failed: ", error ? error : failed);
        else
            check_answer(rung, host_problem, &check);
        verify_note(worst, &check, host_problem->workload, ", call %d", calls);
    }
    const char *error = worst->correct ? buffers_check_guards(buffers) : NULL;
    if (error) {
        verify_fail(&check, "", error);
        verify_note(worst, &check, host_problem->workload, ", after %d calls", calls);
    }
}

static void verify_size(const struct rung *rung, struct host_problem *host_problem, struct check *worst)
{
    struct buffers buffers;
    struct check check;
    const char *error = buffers_make(&buffers, rung->backend->backend, rung->op, host_problem->workload);
    if (error) {
        verify_give_up(&check, "cannot prepare its buffers: ", error);
        verify_note(worst, &check, host_problem->workload, "%s", "");
        return;
    }
    verify_answer(rung, &buffers, host_problem->host, host_problem->reference, CALL_FRESH, &check);
    host_problem_keep_answer(host_problem);
    if (check.correct)
        verify_leaks(rung, &buffers, &check);
    verify_note(worst, &check, host_problem->workload, "%s", "");
    if (worst->correct)
        repeat(rung, &buffers, host_problem, worst);
    buffers_free(&buffers);
}

void verify_repeats(const struct rung *rung, uint64_t seed, struct check *worst)
{
    const struct workload *workload = choose_size(rung->op);
    struct host_problem host_problem;
    struct input_source source = {.seed = seed};
    struct check check;
    if (!workload)
        return;
    if (!host_problem_make(&host_problem, rung->op, workload, &source)) {
        verify_give_up(&check, "cannot prepare its buffers: ", "no memory for input and reference");
        verify_note(worst, &check, workload, "%s", "");
        return;
    }
    verify_size(rung, &host_problem, worst);
    host_problem_free(&host_problem);
}

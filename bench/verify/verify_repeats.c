#include "verify_repeats.h"

#include "bench/base/entropy.h"
#include "bench/base/host.h"
#include "bench/place/renewal.h"
#include "quiet.h"
#include "verify_leaks.h"

#include <math.h>
#include <stdio.h>

/* One call in so many finds other inputs, and the next one the first inputs again. After one in so many its buffers may
 * not be touched: that takes longer than the call. */
enum { CALLS_PER_TURN = 16, CALLS_PER_LOOK = 8, ELEMENTS_AT_LEAST = 64, WORK_AT_MOST = 2 };

/* After that many seconds the fewest calls are enough. */
static const double enough_s = 0.2;

struct repeats {
    const struct rung *rung;
    struct host_problem host_problem;
    struct buffers buffers;
    struct renewal renewal;
};

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

/* Queues an answer that is right but for one element: a rung that looks at others takes it for its own work. */
static const char *spoil_one_element(const struct repeats *repeats)
{
    const struct buffers *buffers = &repeats->buffers;
    size_t element = repeats->rung->op->element_bytes;
    const char *error = renewal_spoil(&repeats->renewal, repeats->renewal.turn);
    for (size_t i = 0; i < buffers->count && !error; i++) {
        struct span data = buffers->data[i];
        if (buffers->is_output[i])
            error = buffers->backend->noise((char *)data.start + entropy_bits() % (data.bytes / element) * element,
                                            element, noise_seed(entropy_bits(), NOISE_BITS));
    }
    return error;
}

/* They may also stay as the last call left them. */
static const char *change_outputs(struct repeats *repeats)
{
    switch (entropy_bits() % 4) {
    case 0: return NULL;
    case 1: return spoil_one_element(repeats);
    default: return buffers_poison_outputs(&repeats->buffers);
    }
}

static const char *call(struct repeats *repeats)
{
    struct buffers *buffers = &repeats->buffers;
    const char *error = NULL;
    uint64_t turn = entropy_bits() % CALLS_PER_TURN == 0 ? entropy_bits() : 0;
    if (turn != repeats->renewal.turn)
        error = renewal_turn(&repeats->renewal, turn);
    error = error ? error : change_outputs(repeats);
    error = error ? error : repeats->rung->run(buffers->problem, buffers->backend->stream());
    if (entropy_bits() % CALLS_PER_LOOK == 0)
        quiet_look(buffers);
    const char *failed = renewal_download(&repeats->renewal, repeats->host_problem.host);
    return error ? error : failed;
}

/* The answer to inputs that were rotated may be summed in another order than the first one. */
static void check_answer(const struct repeats *repeats, struct check *check)
{
    const struct host_problem *host_problem = &repeats->host_problem;
    bool is_first_input = repeats->renewal.turn == 0;
    if (is_first_input && host_problem_same_answer(host_problem))
        return;
    repeats->rung->op->check(host_problem->reference, repeats->rung->precision, host_problem->host, check);
    if (check->correct && is_first_input && (repeats->rung->traits & RUNG_UNORDERED) == 0)
        verify_fail(check, "", "the answer is not the first one bit for bit");
}

static bool wants_more(const struct repeats *repeats, int calls, double end_s)
{
    bool is_simulated = repeats->rung->backend->simulates;
    return calls < REPEATS_AT_LEAST || (calls < REPEATS && !is_simulated && host_now() < end_s);
}

static void repeat(struct repeats *repeats, struct check *worst)
{
    const struct workload *workload = repeats->host_problem.workload;
    const double end_s = host_now() + enough_s;
    struct check check = verify_none();
    int calls = 0;
    while (worst->correct && wants_more(repeats, calls, end_s)) {
        calls++;
        const char *error = call(repeats);
        if (error)
            verify_fail(&check, "failed: ", error);
        else
            check_answer(repeats, &check);
        verify_note(worst, &check, workload, ", call %d", calls);
    }
    const char *error = worst->correct ? buffers_check_guards(&repeats->buffers) : NULL;
    if (error) {
        verify_fail(&check, "", error);
        verify_note(worst, &check, workload, ", after %d calls", calls);
    }
}

/* Verifies the first answer and keeps it. NULL, or an error message. */
static const char *begin(struct repeats *repeats, const struct workload *workload, struct check *check)
{
    const struct rung *rung = repeats->rung;
    struct host_problem *host_problem = &repeats->host_problem;
    const char *error = buffers_make(&repeats->buffers, rung->backend->backend, rung->op, workload);
    if (error)
        return error;
    verify_answer(rung, &repeats->buffers, host_problem->host, host_problem->reference, CALL_FRESH, check);
    host_problem_keep_answer(host_problem);
    error = renewal_make(&repeats->renewal, &repeats->buffers, host_problem);
    if (error)
        buffers_free(&repeats->buffers);
    return error;
}

void verify_repeats(const struct rung *rung, uint64_t seed, struct check *worst)
{
    const struct workload *workload = choose_size(rung->op);
    struct repeats repeats = {.rung = rung};
    struct input_source source = {.seed = seed};
    struct check check;
    if (!workload || !rung->op->rotate)
        return;
    const char *error = host_problem_make(&repeats.host_problem, rung->op, workload, &source)
                            ? begin(&repeats, workload, &check)
                            : "no memory for input and reference";
    if (error)
        verify_give_up(&check, "cannot prepare its buffers: ", error);
    if (!error && check.correct)
        verify_leaks(rung, &repeats.buffers, &check);
    verify_note(worst, &check, workload, "%s", "");
    if (!error) {
        if (worst->correct)
            repeat(&repeats, worst);
        renewal_free(&repeats.renewal);
        buffers_free(&repeats.buffers);
    }
    host_problem_free(&repeats.host_problem);
}

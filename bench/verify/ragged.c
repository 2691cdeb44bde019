/* Verification on awkward sizes, at odd addresses, and by many calls. */
#include "bench/base/host.h"
#include "bench/base/plain_text.h"
#include "verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ALIGNED_BYTES = 256 };

/* A pass over the sizes. */
struct pass {
    struct link *link;
    const struct rung *rung;
    uint64_t seed;
    struct verify_sizes sizes;
    struct check *worst; /* so far */
};

/* Small ones, and one like the costliest of the ragged ones. */
enum { MULTIPLES = 3 };

static size_t count_sizes(const struct pass *pass)
{
    return pass->sizes.multiple > 1 ? MULTIPLES : pass->rung->op->ragged_count;
}

static struct workload size_at(const struct pass *pass, size_t number);

static size_t costliest(const struct pass *pass)
{
    size_t most = 0;
    double most_work = 0;
    for (size_t i = 0; i < count_sizes(pass); i++) {
        const struct workload workload = size_at(pass, i);
        const double work = op_work(pass->rung->op, &workload);
        most = work > most_work ? i : most;
        most_work = fmax(most_work, work);
    }
    return most;
}

/* Makes the sizes multiples: so many times that, or the next one; a word for the last one stays. */
static void multiply(const struct op *op, int64_t multiple, size_t number, bool alike, struct workload *workload)
{
    size_t count = 0;
    while (count < OP_SIZES_MAX && workload->size[count] > 0)
        count++;
    for (size_t i = 0; i < count - (op->words != NULL); i++)
        workload->size[i] = number == MULTIPLES - 1 ? (workload->size[i] + multiple - 1) / multiple * multiple
                                                    : multiple * (alike ? 1 : 1 + (int64_t)(i + number) % 3);
}

/* Size number `number` of the pass, as far as the rung takes it. */
static struct workload size_at(const struct pass *pass, size_t number)
{
    const struct op *op = pass->rung->op;
    const struct pass ragged = {.rung = pass->rung, .sizes.multiple = 1};
    const int multiple = pass->sizes.multiple;
    struct workload workload = op_ragged(op, multiple > 1 && number == MULTIPLES - 1 ? costliest(&ragged) : number);
    struct error refused;
    if (multiple > 1)
        multiply(op, multiple, number, false, &workload);
    if (multiple > 1 && !op_takes(op, &workload, &refused))
        multiply(op, multiple, 0, true, &workload);
    op_fit(op, pass->rung->only ? pass->rung->only : "", &workload);
    if (pass->link)
        device_fit(devices_find(&pass->link->devices, pass->rung->backend), op, &workload);
    op_shape(op, &workload, workload.name, sizeof workload.name);
    return workload;
}

enum { REPEATS_AT_LEAST = 1100 };

/* A problem and how it is asked. */
struct trial {
    struct workload workload;
    struct placement placement;
    struct input_source source;
    enum { FRESH, AWAITED, IN_ALL_ORDERS, IN_SOME_ORDER, OFTEN } way;
    char special[80]; /* behind the size in the reason for a failure */
};

/* Another order each time: what a kernel keeps of the first input is worth nothing for another one in another order. */
static void ask_in_some_order(const struct pass *pass, struct problem *problem, struct check *check)
{
    const size_t orders = verify_order_count(pass->link, pass->rung);
    struct ask ask = {.kind = ASK_CALL, .call = CALL_HELD, .order = (int)(entropy_bits() % orders)};
    if (verify_ask(pass->link, pass->rung, &ask, NULL, check))
        op_check(problem->reference, pass->rung->precision, problem->host, check);
    if (!check->correct && ask.order > 0 && !pass->link->has_ended)
        verify_orders(pass->link, pass->rung, problem, check); /* which say more */
}

/* Looks for leaks, and at each answer that is not the one before. Those of an unordered rung may all differ. */
static void ask_often(const struct pass *pass, const struct problem *problem, struct trial *trial, struct check *check)
{
    struct ask leaks = {.kind = ASK_LEAKS}, ask = {.kind = ASK_REPEAT};
    struct reply reply = {.number = 1};
    int64_t calls = 0;
    verify_answer(pass->link, pass->rung, problem, CALL_FRESH, check);
    if (!check->correct || !verify_ask(pass->link, pass->rung, &leaks, NULL, check))
        return;
    while (check->correct && calls < REPEATS_AT_LEAST && reply.number > 0) {
        if (!verify_ask(pass->link, pass->rung, &ask, &reply, check) || reply.number <= 0)
            return;
        calls += reply.number;
        op_check(problem->reference, pass->rung->precision, problem->host, check);
        if (check->correct && (pass->rung->traits & RUNG_UNORDERED) == 0)
            verify_differs(check, "the answer is not the first one");
    }
    snprintf(trial->special, sizeof trial->special, ", call %lld", (long long)calls);
}

/* Takes the result for one size into that of the pass. */
static void note(const struct pass *pass, const struct trial *trial, const struct check *check)
{
    struct check *worst = pass->worst;
    if (!check->correct) {
        *worst = *check;
        verify_say_where(worst, "at size %s%s: ", trial->workload.name, trial->special);
        return;
    }
    if (check->max_abs_err > worst->max_abs_err) {
        worst->max_abs_err = check->max_abs_err;
        worst->err_bound = check->err_bound;
    }
    worst->rms_err = fmax(worst->rms_err, check->rms_err); /* fmax() ignores NAN */
}

/* Its buffers are those of the trial before, if they are as large and lie alike. */
static void ask(const struct pass *pass, struct problem *problem, struct trial *trial)
{
    struct check check;
    if (verify_place(pass->link, pass->rung, problem, &trial->placement, &check)) {
        if (trial->way == IN_ALL_ORDERS)
            verify_orders(pass->link, pass->rung, problem, &check);
        else if (trial->way == IN_SOME_ORDER)
            ask_in_some_order(pass, problem, &check);
        else if (trial->way == OFTEN)
            ask_often(pass, problem, trial, &check);
        else
            verify_answer(pass->link, pass->rung, problem, trial->way == AWAITED ? CALL_AWAITED : CALL_FRESH, &check);
        verify_say_writer(pass->link, pass->rung, problem, &check);
    }
    note(pass, trial, &check);
}

/* False, which is noted: there is no memory for it. */
static bool make(const struct pass *pass, struct problem *problem, const struct trial *trial)
{
    struct check check;
    if (problem_make(problem, pass->link, pass->rung->op, &trial->workload, &trial->source))
        return true;
    verify_give_up(&check, "cannot prepare its buffers: ", "no memory for input and reference");
    note(pass, trial, &check);
    return false;
}

static void judge_trial(const struct pass *pass, struct trial *trial)
{
    struct problem problem;
    if (!make(pass, &problem, trial))
        return;
    ask(pass, &problem, trial);
    problem_free(&problem);
}

/* A simulated thread costs as much as some operations; each element has one at least. */
static double cost(const struct op *op, const struct workload *workload)
{
    const double of_element = 4;
    return op_work(op, workload) + of_element * (double)op_elements(op, workload);
}

/* As cost() says: a costly size is run in all orders of a simulator against one of the edges only, the first, the
 * second, in turns. */
static const double costly = 5e4;

/* A simulator, which runs all threads one by one, runs the largest sizes once: against one of the edges, in one order,
 * with random input. */
static bool is_slow(const struct pass *pass, const struct workload *workload)
{
    const int64_t elements_at_most = 1 << 14;
    const double cost_at_most = 1e6;
    const struct op *op = pass->rung->op;
    return pass->rung->backend->simulates &&
           (op_elements(op, workload) > elements_at_most || cost(op, workload) > cost_at_most);
}

static enum edge edge_of(const struct pass *pass, const struct workload *workload, enum edge edge)
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    const size_t count = op_buffers(pass->rung->op, workload, specs);
    for (size_t i = 0; i < count && edge == EDGE_END && pass->sizes.are_aligned; i++)
        if (specs[i].bytes % ALIGNED_BYTES != 0) /* what ends there begins at no such address */
            return EDGE_ANY;
    return edge;
}

/* Random input, and input of two special kinds at the two edges; sizes that follow each other get others. What is found
 * wrong of special input is not for the size. */
static enum verify_finding verify_size(const struct pass *pass, size_t size, enum edge edge)
{
    const bool is_start = edge == EDGE_START, is_turn = (size % 2 == 0) == is_start;
    struct trial trial = {.workload = size_at(pass, size), .source.seed = pass->seed + (is_start ? 2 : 0)};
    const bool slow = is_slow(pass, &trial.workload);
    if (slow && !is_turn)
        return VERIFY_RIGHT;
    trial.placement.edge = edge_of(pass, &trial.workload, edge);
    if (!slow && verify_order_count(pass->link, pass->rung) > 1 &&
        (is_turn || cost(pass->rung->op, &trial.workload) <= costly))
        trial.way = IN_ALL_ORDERS;
    else if ((is_start || slow) && size == costliest(pass))
        trial.way = AWAITED;
    judge_trial(pass, &trial);
    if (!pass->worst->correct)
        return VERIFY_SIZE;
    if (slow)
        return VERIFY_RIGHT;
    trial.way = IN_SOME_ORDER;
    trial.source.seed++;
    trial.source.kind = (enum input_kind)(1 + (size + (is_start ? 2 : 0)) % (INPUT_KINDS - 1));
    snprintf(trial.special, sizeof trial.special, ", input %s", input_kind_names[trial.source.kind]);
    judge_trial(pass, &trial);
    return pass->worst->correct ? VERIFY_RIGHT : VERIFY_WRONG;
}

static enum verify_finding verify_all_sizes(const struct pass *pass)
{
    enum verify_finding found = VERIFY_RIGHT;
    for (size_t i = 0; i < 2 * count_sizes(pass) && found == VERIFY_RIGHT; i++)
        found = verify_size(pass, i / 2, i % 2 == 0 ? EDGE_END : EDGE_START);
    return found;
}

enum { ELEMENTS_AT_LEAST = 64 };

/* It is no special case: no size is 1, and there are some elements. */
static bool is_usual(const struct op *op, const struct workload *workload)
{
    for (size_t i = 0; i < OP_SIZES_MAX; i++)
        if (workload->size[i] == 1)
            return false;
    return op_cost(op, workload).bytes >= ELEMENTS_AT_LEAST * (double)op_element_bytes(op);
}

/* One of the usual sizes that has at most twice the least work. Which one, nobody can foresee. False: there is none. */
static bool choose_size(const struct pass *pass, struct workload *chosen)
{
    double least = INFINITY;
    for (size_t i = 0; i < count_sizes(pass); i++) {
        const struct workload workload = size_at(pass, i);
        const double by_chance = 1 + (double)(entropy_bits() >> 11) * 0x1p-53;
        const double work = op_work(pass->rung->op, &workload) * by_chance;
        if (work < least && is_usual(pass->rung->op, &workload)) {
            least = work;
            *chosen = workload;
        }
    }
    return least < INFINITY;
}

static void verify_repeats(const struct pass *pass)
{
    struct trial trial = {.placement.edge = EDGE_ANY, .source.seed = pass->seed, .way = OFTEN};
    if (choose_size(pass, &trial.workload))
        judge_trial(pass, &trial);
}

/* The most that a size may be. */
static const double shifted_work_at_most = 5e4;

/* One element, twice as much, and so on up to 16 bytes. */
static size_t count_shifts(size_t element_bytes)
{
    size_t count = 1;
    while (element_bytes << count <= 16)
        count++;
    return count;
}

/* Combination number `number` of the shifts of all buffers. A part of the sizes gets a part of them, in which each
 * shift of a buffer meets each of another. False: this one is not among them. */
static bool find_place(const struct op *op, size_t number, size_t part, struct trial *trial)
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    const size_t least = op_element_bytes(op), shifts = count_shifts(least);
    const size_t count = op_buffers(op, &trial->workload, specs);
    size_t sum = part;
    strcpy(trial->special, ", buffers ");
    for (size_t i = 0; i < count; i++, number /= shifts) {
        const size_t element = element_bytes(specs[i].type), shift = least << number % shifts;
        trial->placement.shift[i] = shift > element ? shift : element;
        sum += number % shifts;
        text_append(trial->special, sizeof trial->special, "%s%zu", i == 0 ? "" : ", ", trial->placement.shift[i]);
    }
    text_append(trial->special, sizeof trial->special, " bytes past aligned addresses");
    return count < 3 || sum % shifts == 0;
}

/* Buffers that start one element behind an aligned address, twice as far, and so on up to 16 bytes, in all
 * combinations. */
static void verify_shifts(const struct pass *pass, size_t size, size_t part)
{
    const struct op *op = pass->rung->op;
    struct trial trial = {
        .workload = size_at(pass, size), .placement.edge = EDGE_START, .source.seed = pass->seed, .way = FRESH};
    struct problem problem;
    size_t places = 1;
    for (size_t i = 0; op->args[i].name; i++)
        places *= count_shifts(op_element_bytes(op));
    if (!make(pass, &problem, &trial))
        return;
    for (size_t i = 0; i < places && pass->worst->correct; i++)
        if (find_place(op, i, part, &trial))
            ask(pass, &problem, &trial);
    problem_free(&problem);
}

static void verify_alignments(const struct pass *pass)
{
    size_t part = 0;
    for (size_t i = 0; i < count_sizes(pass) && pass->worst->correct; i++) {
        const struct workload workload = size_at(pass, i);
        if (cost(pass->rung->op, &workload) <= shifted_work_at_most)
            verify_shifts(pass, i, part++);
    }
}

enum verify_finding verify_on_sizes(struct link *link, const struct rung *rung, uint64_t seed,
                                    struct verify_sizes sizes, struct check *check)
{
    const struct pass pass = {link, rung, seed, sizes, check};
    *check = (struct check){.correct = true, .max_abs_err = 0, .err_bound = NAN, .rms_err = NAN};
    enum verify_finding found = verify_all_sizes(&pass);
    if (found != VERIFY_RIGHT)
        return found;
    verify_repeats(&pass);
    if (!check->correct)
        return VERIFY_WRONG;
    if (!sizes.are_aligned)
        verify_alignments(&pass);
    return check->correct ? VERIFY_RIGHT : VERIFY_SIZE;
}

void verify_ragged(struct link *link, const struct rung *rung, uint64_t seed, struct check *check)
{
    (void)verify_on_sizes(link, rung, seed, (struct verify_sizes){.multiple = 1}, check);
}

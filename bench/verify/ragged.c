/* Verification on awkward sizes, at odd addresses, and by many calls. */
#include "bench/base/host.h"
#include "bench/base/plain_text.h"
#include "verify.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

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

/* The costliest of an operation's ragged sizes. */
static size_t costliest_ragged(const struct op *op)
{
    size_t most = 0;
    double most_work = 0;
    for (size_t i = 0; i < op->ragged_count; i++) {
        const struct workload workload = op_ragged(op, i);
        most = op_work(op, &workload) > most_work ? i : most;
        most_work = fmax(most_work, op_work(op, &workload));
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
    const int multiple = pass->sizes.multiple;
    struct workload workload = op_ragged(op, multiple > 1 && number == MULTIPLES - 1 ? costliest_ragged(op) : number);
    struct error refused;
    if (multiple > 1)
        multiply(op, multiple, number, false, &workload);
    if (multiple > 1 && !op_takes(op, &workload, &refused))
        multiply(op, multiple, 0, true, &workload);
    op_fit(op, pass->rung->only ? pass->rung->only : "", &workload);
    op_shape(op, &workload, workload.name, sizeof workload.name);
    return workload;
}

/* Takes the result for one size into that of the pass. The reason for a failure names the size, and what is special
 * about the call. */
static void note(const struct pass *pass, const struct check *check, const struct workload *workload, const char *what,
                 const char *which)
{
    struct check *worst = pass->worst;
    if (!check->correct) {
        *worst = *check;
        verify_say_where(worst, "at size %s%s%s: ", workload->name, what, which);
        return;
    }
    if (check->max_abs_err > worst->max_abs_err) {
        worst->max_abs_err = check->max_abs_err;
        worst->err_bound = check->err_bound;
    }
    worst->rms_err = fmax(worst->rms_err, check->rms_err); /* fmax() ignores NAN */
}

/* Makes a problem of this size. False, with the reason. */
static bool make(const struct pass *pass, struct problem *problem, const struct workload *workload,
                 const struct input_source *source)
{
    struct check check;
    if (problem_make(problem, pass->link, pass->rung->op, workload, source))
        return true;
    verify_give_up(&check, "cannot prepare its buffers: ", "no memory for input and reference");
    note(pass, &check, workload, "", "");
    return false;
}

static bool place(const struct pass *pass, const struct problem *problem, const struct placement *placement)
{
    struct check check;
    bool ok = verify_place(pass->link, pass->rung, problem, placement, &check);
    if (!ok)
        note(pass, &check, problem->workload, "", "");
    return ok;
}

/* As op_work() says: a costly size is run in all orders of a simulator against one of the edges only, the first,
 * the second, in turns, and a very costly one in one order. */
static const double costly = 5e4, very_costly = 1e6;

static double work_of(const struct pass *pass, size_t size)
{
    const struct workload workload = size_at(pass, size);
    return op_work(pass->rung->op, &workload);
}

static size_t costliest(const struct pass *pass)
{
    size_t most = 0;
    for (size_t size = 1; size < count_sizes(pass); size++)
        if (work_of(pass, size) > work_of(pass, most))
            most = size;
    return most;
}

/* Each size gets two of these kinds; sizes that follow each other get others. */
static enum input_kind special_kind(size_t size, enum edge edge)
{
    return (enum input_kind)(1 + (size + (edge == EDGE_START ? 2 : 0)) % (INPUT_KINDS - 1));
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

/* Another order each time: what a kernel keeps of the first input is worth nothing for another one in another order. */
static void verify_in_some_order(const struct pass *pass, struct problem *problem, struct check *check)
{
    const size_t orders = verify_order_count(pass->link, pass->rung);
    struct ask ask = {.kind = ASK_CALL, .call = CALL_HELD, .order = (int)(entropy_bits() % orders)};
    if (verify_ask(pass->link, pass->rung, &ask, NULL, check))
        op_check(problem->reference, pass->rung->precision, problem->host, check);
    if (!check->correct && ask.order > 0 && !pass->link->has_ended)
        verify_orders(pass->link, pass->rung, problem, check); /* which say more */
}

/* Verifies one input, on the same buffers if they lie as those of the last one. */
static void verify_input(const struct pass *pass, size_t size, enum edge edge, const struct input_source *source)
{
    const struct op *op = pass->rung->op;
    const struct workload workload = size_at(pass, size);
    const struct placement placement = {.edge = edge_of(pass, &workload, edge)};
    const bool is_turn = (size % 2 == 0) == (edge == EDGE_START), is_special = source->kind != INPUT_RANDOM;
    struct problem problem;
    struct check check;
    if (!make(pass, &problem, &workload, source))
        return;
    if (place(pass, &problem, &placement)) {
        if (is_special)
            verify_in_some_order(pass, &problem, &check);
        else if (op_work(op, &workload) <= (is_turn ? very_costly : costly) &&
                 verify_order_count(pass->link, pass->rung) > 1)
            verify_orders(pass->link, pass->rung, &problem, &check);
        else
            verify_answer(pass->link, pass->rung, &problem,
                          edge == EDGE_START && size == costliest(pass) ? CALL_AWAITED : CALL_FRESH, &check);
        note(pass, &check, &workload, is_special ? ", input " : "", is_special ? problem.note.text : "");
    }
    problem_free(&problem);
}

/* Whether the answer to random input was right: what is found wrong of other input is not for the size. */
static enum verify_finding verify_size(const struct pass *pass, size_t size, enum edge edge)
{
    const uint64_t seed = pass->seed + (edge == EDGE_START ? 2 : 0);
    verify_input(pass, size, edge, &(struct input_source){.seed = seed});
    if (!pass->worst->correct)
        return VERIFY_SIZE;
    verify_input(pass, size, edge, &(struct input_source){.seed = seed + 1, .kind = special_kind(size, edge)});
    return pass->worst->correct ? VERIFY_RIGHT : VERIFY_WRONG;
}

static enum verify_finding verify_all_sizes(const struct pass *pass)
{
    enum verify_finding found = VERIFY_RIGHT;
    for (size_t size = 0; size < count_sizes(pass) && found == VERIFY_RIGHT; size++) {
        found = verify_size(pass, size, EDGE_END);
        if (found == VERIFY_RIGHT)
            found = verify_size(pass, size, EDGE_START);
    }
    return found;
}

enum { ELEMENTS_AT_LEAST = 64 };

/* It is no special case: no size is 1, and there are some elements. */
static bool is_usual(const struct op *op, const struct workload *workload)
{
    struct buffer_spec specs[OP_BUFFERS_MAX];
    size_t count = op_buffers(op, workload, specs), bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += specs[i].bytes;
    for (size_t i = 0; i < OP_SIZES_MAX; i++)
        if (workload->size[i] == 1)
            return false;
    return bytes >= ELEMENTS_AT_LEAST * op_element_bytes(op);
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

enum { REPEATS_AT_LEAST = 1100 };

/* Looks at each answer that is not the one before. Those of an unordered rung may all differ. */
static void repeat(const struct pass *pass, const struct problem *problem, struct check *check)
{
    struct ask leaks = {.kind = ASK_LEAKS}, ask = {.kind = ASK_REPEAT};
    struct reply reply;
    char call[24];
    if (!verify_ask(pass->link, pass->rung, &leaks, NULL, check))
        return;
    for (int64_t calls = 0; calls < REPEATS_AT_LEAST && check->correct;) {
        if (!verify_ask(pass->link, pass->rung, &ask, &reply, check) || reply.number <= 0)
            return;
        calls += reply.number;
        op_check(problem->reference, pass->rung->precision, problem->host, check);
        if (check->correct && (pass->rung->traits & RUNG_UNORDERED) == 0)
            verify_differs(check, "the answer is not the first one");
        snprintf(call, sizeof call, "%" PRId64, calls);
        note(pass, check, problem->workload, ", call ", call);
    }
}

static void verify_repeats(const struct pass *pass)
{
    const struct input_source source = {.seed = pass->seed};
    struct workload workload;
    struct problem problem;
    struct check check;
    if (!choose_size(pass, &workload) || !make(pass, &problem, &workload, &source))
        return;
    if (place(pass, &problem, &(struct placement){.edge = EDGE_ANY})) {
        verify_answer(pass->link, pass->rung, &problem, CALL_FRESH, &check);
        if (check.correct)
            repeat(pass, &problem, &check);
        if (pass->worst->correct)
            note(pass, &check, &workload, "", "");
    }
    problem_free(&problem);
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

/* Combination number `number` of the shifts of all buffers, of which elements may be larger than `least`. A part of the
 * sizes gets a part of them, in which each shift of a buffer meets each of another. False: this one is not among them.
 */
static bool find_place(size_t least, const struct problem *problem, size_t number, size_t part,
                       struct placement *placement, char *text, size_t size)
{
    size_t count = count_shifts(least), sum = part;
    *placement = (struct placement){.edge = EDGE_START};
    text[0] = '\0';
    for (size_t i = 0; i < problem->count; i++, number /= count) {
        const size_t element = element_bytes(problem->specs[i].type), shift = least << number % count;
        placement->shift[i] = shift > element ? shift : element;
        sum += number % count;
        text_append(text, size, "%s%zu", i == 0 ? ", buffers " : ", ", placement->shift[i]);
    }
    return problem->count < 3 || sum % count == 0;
}

/* Buffers that start one element behind an aligned address, twice as far, and so on up to 16 bytes, in all
 * combinations. */
static void verify_shifts(const struct pass *pass, size_t size, size_t part)
{
    const struct workload workload = size_at(pass, size);
    const size_t element = op_element_bytes(pass->rung->op);
    const struct input_source source = {.seed = pass->seed};
    struct problem problem;
    size_t places = 1;
    if (!make(pass, &problem, &workload, &source))
        return;
    for (size_t i = 0; i < problem.count; i++)
        places *= count_shifts(element);
    for (size_t i = 0; i < places && pass->worst->correct; i++) {
        struct placement placement;
        struct check check;
        char shifts[64];
        if (!find_place(element, &problem, i, part, &placement, shifts, sizeof shifts) ||
            !place(pass, &problem, &placement))
            continue;
        verify_answer(pass->link, pass->rung, &problem, CALL_FRESH, &check);
        note(pass, &check, &workload, shifts, " bytes behind aligned addresses");
    }
    problem_free(&problem);
}

static void verify_alignments(const struct pass *pass)
{
    size_t part = 0;
    for (size_t i = 0; i < count_sizes(pass) && pass->worst->correct; i++)
        if (work_of(pass, i) <= shifted_work_at_most)
            verify_shifts(pass, i, part++);
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

#include "verify_alignments.h"

#include <stdio.h>

/* The most that a size may be. */
static const double work_at_most = 5e4;
enum { SHIFTS_MAX = 5 };

static size_t list_shifts(size_t element_bytes, size_t shifts[SHIFTS_MAX])
{
    size_t count = 0;
    for (size_t shift = element_bytes; shift <= 16; shift *= 2)
        shifts[count++] = shift;
    return count;
}

/* Combination number `number` of the shifts of all buffers. A part of the sizes gets a part of them, in which each
 * shift of a buffer meets each of another. False: this one is not among them. */
static bool find_place(size_t element_bytes, size_t buffers, size_t number, size_t part, struct placement *placement)
{
    size_t shifts[SHIFTS_MAX], count = list_shifts(element_bytes, shifts), sum = part;
    *placement = (struct placement){.edge = EDGE_START};
    for (size_t i = 0; i < buffers; i++, number /= count) {
        placement->shift[i] = shifts[number % count];
        sum += number % count;
    }
    return buffers < 3 || sum % count == 0;
}

static size_t count_places(size_t element_bytes, size_t buffers)
{
    size_t shifts[SHIFTS_MAX], count = list_shifts(element_bytes, shifts), places = 1;
    for (size_t i = 0; i < buffers; i++)
        places *= count;
    return places;
}

/* "4, 8, 16" */
static void name_place(const struct placement *placement, size_t buffers, char *text, size_t size)
{
    int used = 0;
    for (size_t i = 0; i < buffers && used >= 0 && (size_t)used < size; i++)
        used += snprintf(text + used, size - (size_t)used, "%s%zu", i == 0 ? "" : ", ", placement->shift[i]);
}

static void verify_place(const struct rung *rung, const struct host_problem *host_problem,
                         const struct placement *placement, struct check *worst)
{
    char shifts[48];
    struct buffers buffers;
    struct check check;
    const char *error =
        buffers_make_placed(&buffers, rung->backend->backend, rung->op, host_problem->workload, placement);
    if (error) {
        verify_give_up(&check, "cannot prepare its buffers: ", error);
    } else {
        verify_answer(rung, &buffers, host_problem->host, host_problem->reference, CALL_FRESH, &check);
        buffers_free(&buffers);
    }
    name_place(placement, host_problem->count, shifts, sizeof shifts);
    verify_note(worst, &check, host_problem->workload, ", buffers %s bytes behind aligned addresses", shifts);
}

static void verify_size(const struct rung *rung, const struct workload *workload, size_t part, uint64_t seed,
                        struct check *worst)
{
    struct host_problem host_problem;
    struct input_source source = {.seed = seed};
    if (!host_problem_make(&host_problem, rung->op, workload, &source)) {
        struct check check;
        verify_give_up(&check, "cannot prepare its buffers: ", "no memory for input and reference");
        verify_note(worst, &check, workload, "%s", "");
        return;
    }
    size_t places = count_places(rung->op->element_bytes, host_problem.count);
    for (size_t i = 0; i < places && worst->correct; i++) {
        struct placement placement;
        if (find_place(rung->op->element_bytes, host_problem.count, i, part, &placement))
            verify_place(rung, &host_problem, &placement, worst);
    }
    host_problem_free(&host_problem);
}

void verify_alignments(const struct rung *rung, uint64_t seed, struct check *worst)
{
    size_t part = 0;
    for (size_t i = 0; i < rung->op->ragged_count && worst->correct; i++) {
        const struct workload *workload = &rung->op->ragged[i];
        if (op_work(rung->op, workload) <= work_at_most)
            verify_size(rung, workload, part++, seed, worst);
    }
}

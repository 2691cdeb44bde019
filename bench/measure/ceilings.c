#include "ceilings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Measured time per variant: short, since there are many variants and the best sample counts. */
static const double short_time_s = 0.001, long_time_s = 0.02;
/* Arithmetic runs at least this long, so that the cost of the launch is negligible. */
static const double min_arithmetic_s = 1e-3;

struct ceiling_problem {
    const struct backend *backend;
    enum ceiling_kind kind;
    int variant;
    void *memory;
    double amount;
};

static const char *run_ceiling(const void *problem, void *stream)
{
    (void)stream; /* the backend's only one */
    const struct ceiling_problem *p = problem;
    return p->backend->ceiling(p->kind, p->variant, p->memory, p->amount);
}

/* One measurement in progress. */
struct attempt {
    struct bench bench;
    double min_time_s;
    struct ceiling *ceiling;
};

static double best_sample(const struct attempt *attempt, rung_function *run, const void *problem, size_t problem_bytes)
{
    const struct ceiling *ceiling = attempt->ceiling;
    const struct mode *mode = mode_find(ceiling->mode, strlen(ceiling->mode));
    struct measurement measured;
    const char *error =
        bench_measure(&attempt->bench, mode, run, problem, problem_bytes, attempt->min_time_s, &measured);
    double best_s = ceiling->kind == CEILING_EMPTY ? measured.statistics.median : measured.statistics.min;
    measurement_free(&measured);
    return error || attempt->bench.clock->interrupted() ? (double)NAN : best_s;
}

/* The best time of the variants, or of the one that is asked for. */
static void time_variants(struct attempt *attempt, void *memory)
{
    struct ceiling *ceiling = attempt->ceiling;
    const struct backend *backend = attempt->bench.device->entry->backend;
    const struct buffers buffers = {.count = memory ? 1 : 0, .data = {{memory, (size_t)ceiling->amount}}};
    const int first = ceiling->variant < 0 ? 0 : ceiling->variant;
    struct ceiling_problem problem = {backend, (enum ceiling_kind)ceiling->kind, first, memory, ceiling->amount};
    const int end = ceiling->variant < 0 ? backend->ceiling_variants(problem.kind) : first + 1;
    attempt->bench.buffers = &buffers;
    for (; problem.variant < end && !attempt->bench.clock->interrupted(); problem.variant++) {
        double seconds = best_sample(attempt, run_ceiling, &problem, sizeof problem);
        if (!(seconds >= ceiling->seconds) && !isnan(seconds)) {
            ceiling->seconds = seconds;
            ceiling->variant = problem.variant;
        }
    }
    if (attempt->bench.clock->interrupted())
        ceiling->seconds = NAN; /* the best of only some variants may be too slow */
}

static void time_memory(struct attempt *attempt)
{
    const struct backend *backend = attempt->bench.device->entry->backend;
    size_t bytes = (size_t)attempt->ceiling->amount;
    void *memory;
    if (bytes > backend->free_memory() / 2 || backend->allocate(bytes, EDGE_ANY, &memory))
        return;
    if (!backend->fill(memory, bytes, &(struct made){.kind = MADE_POSITIVE}) && !backend->finish())
        time_variants(attempt, memory);
    backend->release(memory);
}

/* With the transfers of the buffers where those are the ceiling. */
static double time_empty(struct attempt *attempt)
{
    const struct spin_problem problem = {attempt->bench.device->entry->backend, BACKEND_NO_SPIN};
    if (attempt->ceiling->kind == CEILING_EMPTY)
        attempt->bench.buffers = NULL;
    return best_sample(attempt, calibration_spin, &problem, sizeof problem);
}

void ceiling_time(void *bench, double min_time_s, struct ceiling *ceiling)
{
    struct attempt attempt = {*(const struct bench *)bench, min_time_s, ceiling};
    const struct backend *backend = attempt.bench.device->entry->backend;
    ceiling->seconds = NAN;
    if (ceiling->kind == CEILING_TRANSFER || ceiling->kind == CEILING_EMPTY)
        ceiling->seconds = time_empty(&attempt);
    else if (!backend->ceiling_variants || backend->ceiling_variants((enum ceiling_kind)ceiling->kind) == 0)
        return;
    else if (ceiling_is_arithmetic(ceiling->kind))
        time_variants(&attempt, NULL);
    else
        time_memory(&attempt);
}

/* The best time so far in seconds, measured with that care. */
static double look_up(struct ceilings *ceilings, const struct ceiling *needed, enum ceiling_care care)
{
    const struct ceiling *known = ceiling_table_find(&ceilings->table, needed);
    if (known && care == CEILING_ONCE)
        return known->seconds;
    struct ceiling measured = known ? *known : *needed;
    if (!known || care != CEILING_LAST)
        measured.variant = -1;
    ceilings->time(ceilings->self, care == CEILING_AGAIN ? long_time_s : short_time_s, &measured);
    if (!ceiling_table_add(&ceilings->table, &measured))
        return measured.seconds;
    return ceiling_table_find(&ceilings->table, needed)->seconds;
}

/* Finds how many operations take long enough, and measures them with that care. A launch takes no more time for more of
 * them, so what would take long enough if the time grew like the operations is not too many. */
static void measure_arithmetic(struct ceilings *ceilings, struct ceiling needed, enum ceiling_care care)
{
    for (;;) {
        double seconds = look_up(ceilings, &needed, CEILING_ONCE);
        if (seconds >= min_arithmetic_s && care != CEILING_ONCE) /* the first time may have been too long */
            seconds = look_up(ceilings, &needed, care);
        if (!(seconds < min_arithmetic_s) || needed.amount >= 1e15)
            return;
        do {
            needed.amount *= 4;
            seconds *= 4;
        } while (seconds > 0 && seconds < min_arithmetic_s && needed.amount < 1e15);
    }
}

void ceilings_measure(struct ceilings *ceilings, const struct floor_question *question, enum ceiling_care care)
{
    static const int kinds[] = {CEILING_READ, CEILING_COPY, CEILING_TRANSFER};
    struct ceiling needed;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (ceiling_needed(question, kinds[i], &needed))
            look_up(ceilings, &needed, care);
    for (int kind = CEILING_FMA; kind < CEILING_KINDS; kind++)
        if (ceiling_needed(question, kind, &needed))
            measure_arithmetic(ceilings, needed, care);
}

/* Short runs of arithmetic say nothing that a longer one does not. */
static bool is_worth_a_last_look(const struct ceiling *ceiling)
{
    if (ceiling_is_arithmetic(ceiling->kind))
        return ceiling->seconds >= min_arithmetic_s;
    return ceiling->kind < (int)CEILING_KINDS && !isnan(ceiling->seconds);
}

void ceilings_measure_last(struct ceilings *ceilings)
{
    for (size_t i = 0; i < ceilings->table.count; i++) {
        struct ceiling ceiling = ceilings->table.items[i];
        if (is_worth_a_last_look(&ceiling))
            look_up(ceilings, &ceiling, CEILING_LAST);
    }
}

double ceilings_empty_kernel(struct ceilings *ceilings, const char *backend, const struct mode *mode)
{
    struct ceiling needed = {.kind = CEILING_EMPTY, .seconds = NAN};
    snprintf(needed.backend, sizeof needed.backend, "%s", backend);
    snprintf(needed.mode, sizeof needed.mode, "%s", mode->name);
    return look_up(ceilings, &needed, CEILING_ONCE);
}

double ceilings_rate(struct ceilings *ceilings, const char *backend, const struct mode *mode, enum ceiling_kind kind,
                     double bytes)
{
    const struct arithmetic arithmetic = {"", kind, 1};
    struct floor_question question = {
        .backend = backend, .mode = mode, .bytes = bytes, .flops = 1, .arithmetic = &arithmetic};
    struct ceiling needed;
    if (!ceiling_needed(&question, (int)kind, &needed))
        return NAN;
    if (!ceiling_is_arithmetic((int)kind))
        return bytes / look_up(ceilings, &needed, CEILING_ONCE);
    measure_arithmetic(ceilings, needed, CEILING_ONCE);
    return ceiling_table_rate(&ceilings->table, needed.backend, kind);
}

void ceilings_free(struct ceilings *ceilings)
{
    ceiling_table_free(&ceilings->table);
}

#include "ceilings.h"

#include "calibration.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Measured time per variant: short, since there are many variants and the best sample counts. */
static const double short_time_s = 0.001, long_time_s = 0.02;
/* Arithmetic runs at least this long, so that the cost of the launch is negligible. */
static const double min_arithmetic_s = 1e-3;

/* One measurement in progress. */
struct attempt {
    const struct ceilings *ceilings;
    const struct device *device;
    const struct mode *mode;
    struct ceiling *ceiling;
    struct device_problem *device_problem; /* for transfers */
    double min_time_s;
    bool only_fastest; /* of the variants, the one that was the fastest */
};

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

static double best_sample(const struct attempt *attempt, const struct builtin_rung *builtin)
{
    const struct host_clock *clock = attempt->ceilings->clock;
    struct measurement measurement;
    const char *error =
        builtin_rung_measure(builtin, attempt->device, attempt->mode, clock, attempt->min_time_s, &measurement);
    if (clock->interrupted())
        error = "interrupted";
    double best_s = error                                     ? NAN
                    : attempt->ceiling->kind == CEILING_EMPTY ? measurement.statistics.median
                                                              : measurement.statistics.min;
    measurement_free(&measurement);
    return best_s;
}

/* The best time of the variants. */
static void time_variants(const struct attempt *attempt, void *memory)
{
    struct ceiling *ceiling = attempt->ceiling;
    const struct backend *backend = attempt->device->entry->backend;
    struct buffers buffers = {.count = memory ? 1 : 0, .data = {{memory, (size_t)ceiling->amount}}};
    struct ceiling_problem problem = {backend, (enum ceiling_kind)ceiling->kind, 0, memory, ceiling->amount};
    struct builtin_rung builtin = {run_ceiling, &problem, sizeof problem,
                                   &buffers,    NULL,     attempt->ceilings->evict_by_writing};
    int end = backend->ceiling_variants(problem.kind);
    if (attempt->only_fastest) {
        problem.variant = ceiling->variant;
        end = ceiling->variant + 1;
    }
    for (; problem.variant < end && !attempt->ceilings->clock->interrupted(); problem.variant++) {
        double seconds = best_sample(attempt, &builtin);
        if (!(seconds >= ceiling->seconds) && !isnan(seconds)) {
            ceiling->seconds = seconds;
            ceiling->variant = problem.variant;
        }
    }
    if (attempt->ceilings->clock->interrupted())
        ceiling->seconds = NAN; /* the best of only some variants may be too slow */
}

static void time_memory(const struct attempt *attempt)
{
    const struct backend *backend = attempt->device->entry->backend;
    size_t bytes = (size_t)attempt->ceiling->amount;
    void *memory;
    if (bytes > backend->free_memory() / 2 || backend->allocate(bytes, EDGE_ANY, &memory))
        return;
    if (!backend->fill(memory, bytes, &(struct made){.kind = MADE_POSITIVE}) && !backend->finish())
        time_variants(attempt, memory);
    backend->release(memory);
}

static double time_transfer(const struct attempt *attempt)
{
    struct device_problem *device_problem = attempt->device_problem;
    struct spin_problem problem = {device_problem->backend, BACKEND_NO_SPIN};
    struct builtin_rung builtin = {calibration_spin,
                                   &problem,
                                   sizeof problem,
                                   &device_problem->buffers,
                                   device_problem->host_problem->host,
                                   false};
    bool was_pinned = device_problem->pinned;
    double best_s = device_problem_pin(device_problem, true) ? NAN : best_sample(attempt, &builtin);
    return device_problem_pin(device_problem, was_pinned) ? NAN : best_s;
}

static double time_empty(const struct attempt *attempt)
{
    struct spin_problem problem = {attempt->device->entry->backend, BACKEND_NO_SPIN};
    struct builtin_rung builtin = {
        calibration_spin, &problem, sizeof problem, NULL, NULL, attempt->ceilings->evict_by_writing};
    return best_sample(attempt, &builtin);
}

static void take(const struct attempt *attempt)
{
    const struct backend *backend = attempt->device->entry->backend;
    struct ceiling *ceiling = attempt->ceiling;
    ceiling->seconds = NAN;
    if (ceiling->kind == CEILING_TRANSFER)
        ceiling->seconds = time_transfer(attempt);
    else if (ceiling->kind == CEILING_EMPTY)
        ceiling->seconds = time_empty(attempt);
    else if (!backend->ceiling_variants || backend->ceiling_variants((enum ceiling_kind)ceiling->kind) == 0)
        return;
    else if (ceiling_is_arithmetic(ceiling->kind))
        time_variants(attempt, NULL);
    else
        time_memory(attempt);
}

/* The best time so far in seconds, measured with that care. */
static double look_up(struct ceilings *ceilings, const struct device *device, const struct ceiling *needed,
                      struct device_problem *device_problem, enum ceiling_care care)
{
    const struct ceiling *known = ceiling_table_find(&ceilings->table, needed);
    if (known && care == CEILING_ONCE)
        return known->seconds;
    struct ceiling measured = known ? *known : *needed;
    struct attempt attempt = {.ceilings = ceilings,
                              .device = device,
                              .mode = mode_find(needed->mode, strlen(needed->mode)),
                              .ceiling = &measured,
                              .device_problem = device_problem,
                              .min_time_s = care == CEILING_AGAIN ? long_time_s : short_time_s,
                              .only_fastest = known && care == CEILING_LAST};
    take(&attempt);
    if (ceilings->tell && !isnan(measured.seconds))
        ceilings->tell(ceilings->self, &measured);
    if (!ceiling_table_add(&ceilings->table, &measured))
        return measured.seconds;
    return ceiling_table_find(&ceilings->table, needed)->seconds;
}

/* Finds how many operations take long enough, and measures them with that care. A launch takes no more time for more of
 * them, so what would take long enough if the time grew like the operations is not too many. */
static void measure_arithmetic(struct ceilings *ceilings, const struct device *device, struct ceiling needed,
                               enum ceiling_care care)
{
    for (;;) {
        double seconds = look_up(ceilings, device, &needed, NULL, CEILING_ONCE);
        if (seconds >= min_arithmetic_s && care != CEILING_ONCE) /* the first time may have been too long */
            seconds = look_up(ceilings, device, &needed, NULL, care);
        if (!(seconds < min_arithmetic_s) || needed.amount >= 1e15)
            return;
        do {
            needed.amount *= 4;
            seconds *= 4;
        } while (seconds > 0 && seconds < min_arithmetic_s && needed.amount < 1e15);
    }
}

void ceilings_measure(struct ceilings *ceilings, const struct device *device, const struct floor_question *question,
                      struct device_problem *device_problem, enum ceiling_care care)
{
    static const int kinds[] = {CEILING_READ, CEILING_COPY, CEILING_TRANSFER};
    struct ceiling needed;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (ceiling_needed(question, kinds[i], &needed))
            look_up(ceilings, device, &needed, device_problem, care);
    if (question->arithmetic && ceiling_needed(question, (int)question->arithmetic->kind, &needed))
        measure_arithmetic(ceilings, device, needed, care);
}

/* Short runs of arithmetic say nothing that a longer one does not. */
static bool is_worth_a_last_look(const struct ceiling *ceiling)
{
    if (ceiling_is_arithmetic(ceiling->kind))
        return ceiling->seconds >= min_arithmetic_s;
    return ceiling->kind < (int)CEILING_KINDS && !isnan(ceiling->seconds);
}

void ceilings_measure_last(struct ceilings *ceilings, const struct device *device)
{
    for (size_t i = 0; i < ceilings->table.count; i++) {
        struct ceiling ceiling = ceilings->table.items[i];
        if (strcmp(ceiling.backend, device->entry->name) == 0 && is_worth_a_last_look(&ceiling))
            look_up(ceilings, device, &ceiling, NULL, CEILING_LAST);
    }
}

double ceilings_empty_kernel(struct ceilings *ceilings, const struct device *device, const struct mode *mode)
{
    struct ceiling needed = {.kind = CEILING_EMPTY, .seconds = NAN};
    snprintf(needed.backend, sizeof needed.backend, "%s", device->entry->name);
    snprintf(needed.mode, sizeof needed.mode, "%s", mode->name);
    return look_up(ceilings, device, &needed, NULL, CEILING_ONCE);
}

double ceilings_rate(struct ceilings *ceilings, const struct device *device, const struct mode *mode,
                     enum ceiling_kind kind, double bytes)
{
    const struct arithmetic arithmetic = {"", kind, 1};
    struct floor_question question = {
        .backend = device->entry->name, .mode = mode, .bytes = bytes, .flops = 1, .arithmetic = &arithmetic};
    struct ceiling needed;
    if (!ceiling_needed(&question, (int)kind, &needed))
        return NAN;
    if (!ceiling_is_arithmetic((int)kind))
        return bytes / look_up(ceilings, device, &needed, NULL, CEILING_ONCE);
    measure_arithmetic(ceilings, device, needed, CEILING_ONCE);
    return ceiling_table_rate(&ceilings->table, needed.backend, kind);
}

void ceilings_free(struct ceilings *ceilings)
{
    ceiling_table_free(&ceilings->table);
}

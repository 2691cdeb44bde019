#include "ceilings.h"

#include "bench/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    unsigned trait; /* of the rungs that multiply so; 0: of no rung in particular */
    struct arithmetic arithmetic;
} all[] = {
    {RUNG_TF32, {"tf32", CEILING_TF32, 1}},
    {RUNG_TF32X3, {"tf32x3", CEILING_TF32, 3}},
    {RUNG_FP16X3, {"fp16x3", CEILING_FP16, 3}},
    {RUNG_BF16X9, {"bf16x9", CEILING_FP16, 9}}, /* BF16 has the rate of FP16 */
    {0, {"fma", CEILING_FMA, 1}},
    {0, {"any", CEILING_ANY, 1}},
};
enum { ALL = sizeof all / sizeof all[0] };

const struct arithmetic *arithmetic_of(enum precision precision, unsigned traits)
{
    for (size_t i = 0; i < ALL; i++)
        if (traits & all[i].trait)
            return &all[i].arithmetic;
    return precision == PRECISION_FP32 ? arithmetic_find("fma") : NULL;
}

const struct arithmetic *arithmetic_find(const char *name)
{
    for (size_t i = 0; i < ALL; i++)
        if (strcmp(name, all[i].arithmetic.name) == 0)
            return &all[i].arithmetic;
    return NULL;
}

/* Reading fewer bytes than BYTES_MIN would measure the cost of a call, not of memory. */
enum { BYTES_GRANULARITY = 32, BYTES_MIN = 4096 };
static const double least_operations = 1e7;
/* Arithmetic that ends sooner says nothing of the rate: ticks of the timer, and the launch, are too large a part. */
static const double long_enough_s = 1e-4;
/* A row is compared with copies if it writes at least this part of its bytes. */
static const double written_by_copies = 0.25;

static bool transfers(const struct floor_question *question)
{
    return question->mode->transfer[0] != '\0';
}

/* Whether this kind does operations, rather than move bytes. */
static bool is_arithmetic(int kind)
{
    return kind == CEILING_FMA || kind == CEILING_TF32 || kind == CEILING_FP16;
}

static bool may_use(const struct arithmetic *arithmetic, int kind)
{
    return arithmetic && (arithmetic->kind == kind || arithmetic->kind == CEILING_ANY);
}

/* The entry that a question needs of this kind; arithmetic has further ones, with larger amounts. Its time is unknown.
 * The same work has the same entry, whatever else the rows are. False: it needs none. */
static bool find_needed(const struct floor_question *question, int kind, struct ceiling *needed)
{
    const char *mode = question->mode->name;
    *needed = (struct ceiling){.kind = kind, .seconds = NAN};
    if (transfers(question) != (kind == CEILING_TRANSFER))
        return false;
    if (kind == CEILING_TRANSFER) {
        mode = mode_e2e.name;
        snprintf(needed->workload, sizeof needed->workload, "%s/%s", question->op, question->workload);
    } else if (is_arithmetic(kind)) {
        if (!may_use(question->arithmetic, kind) || !(question->flops > 0))
            return false;
        mode = mode_hot.name;
        needed->amount = least_operations;
    } else {
        if (!(question->bytes >= BYTES_MIN))
            return false;
        needed->amount = floor(question->bytes / BYTES_GRANULARITY) * BYTES_GRANULARITY;
    }
    snprintf(needed->backend, sizeof needed->backend, "%s", question->backend);
    snprintf(needed->mode, sizeof needed->mode, "%s", mode);
    return true;
}

/* The entry for the same measurement; NULL: there is none. */
static struct ceiling *find_known(const struct ceiling_table *table, const struct ceiling *like)
{
    for (size_t i = 0; i < table->count; i++) {
        struct ceiling *item = &table->items[i];
        if (item->kind == like->kind && item->amount == like->amount && strcmp(item->backend, like->backend) == 0 &&
            strcmp(item->mode, like->mode) == 0 && strcmp(item->workload, like->workload) == 0)
            return item;
    }
    return NULL;
}

struct ceiling *ceiling_table_add(struct ceiling_table *table, const struct ceiling *measured)
{
    struct ceiling *known = find_known(table, measured);
    if (!known) {
        table->items = memory_grow(table->items, table->count, sizeof *known);
        known = &table->items[table->count++];
        *known = *measured;
    } else if (!(known->seconds <= measured->seconds) && !isnan(measured->seconds)) {
        *known = *measured;
    }
    return known;
}

static double least_time(const struct ceiling_table *table, const struct floor_question *question, int kind)
{
    struct ceiling needed;
    const struct ceiling *known = find_needed(question, kind, &needed) ? find_known(table, &needed) : NULL;
    return known ? known->seconds : (double)NAN;
}

/* The best rate of this kind of arithmetic, or of any, in operations per second; NAN if unknown. */
static double best_rate(const struct ceiling_table *table, const char *backend, int kind)
{
    double rate = NAN;
    for (size_t i = 0; i < table->count; i++) {
        const struct ceiling *item = &table->items[i];
        bool is_asked = kind == CEILING_ANY ? is_arithmetic(item->kind) : item->kind == kind;
        if (is_asked && item->seconds >= long_enough_s && strcmp(item->backend, backend) == 0)
            rate = fmax(rate, item->amount / item->seconds);
    }
    return rate;
}

static double launch_time(const struct ceiling_table *table, const struct ceiling *needed)
{
    struct ceiling empty = *needed;
    empty.kind = CEILING_EMPTY;
    empty.amount = 0;
    const struct ceiling *known = find_known(table, &empty);
    return known ? fmax(known->seconds, 0) : 0;
}

/* What the row's bytes take at the best rate of so many or fewer in this mode; a launch takes no more time for more
 * bytes. What is mostly launch says nothing of a rate, and of fewer bytes alone nothing follows. */
static double least_time_of_fewer(const struct ceiling_table *table, const struct floor_question *question,
                                  double bytes_s)
{
    struct ceiling needed;
    if (!find_needed(question, CEILING_READ, &needed))
        return NAN;
    double launch_s = launch_time(table, &needed);
    for (size_t i = 0; i < table->count; i++) {
        const struct ceiling *item = &table->items[i];
        const bool is_like = (item->kind == CEILING_READ || item->kind == CEILING_COPY) &&
                             strcmp(item->backend, needed.backend) == 0 && strcmp(item->mode, needed.mode) == 0;
        double seconds = launch_s + (item->seconds - launch_s) * needed.amount / item->amount;
        if (is_like && item->amount <= needed.amount && item->seconds > 2 * launch_s && seconds < bytes_s)
            bytes_s = seconds;
    }
    return bytes_s;
}

/* Comparisons with NAN are false: an unknown time never counts, an unknown bound is always replaced. */
static void raise_bound(double *seconds, const char **ceiling, double least_s, const char *name)
{
    if (least_s > 0 && !(least_s <= *seconds))
        *seconds = least_s, *ceiling = name;
}

struct time_floor ceiling_table_floor(const struct ceiling_table *table, const struct floor_question *question)
{
    const struct arithmetic *arithmetic = question->arithmetic;
    struct ceiling needed;
    double read_s = least_time(table, question, CEILING_READ), copy_s = least_time(table, question, CEILING_COPY);
    bool copy_is_faster = isnan(read_s) || copy_s < read_s;
    bool writes = !(question->written < written_by_copies * question->bytes);
    bool is_copy = copy_is_faster && (writes || isnan(read_s));
    const char *of_bytes = is_copy ? "copy" : "read", *of_flops = arithmetic ? arithmetic->name : "";
    struct time_floor bound = {NAN, "", is_copy ? copy_s : read_s, NAN, NAN, ""};
    if (arithmetic && find_needed(question, arithmetic->kind == CEILING_ANY ? CEILING_FMA : arithmetic->kind, &needed))
        bound.flops_s = question->flops * arithmetic->products / best_rate(table, question->backend, arithmetic->kind);
    raise_bound(&bound.seconds, &bound.ceiling, least_time(table, question, CEILING_TRANSFER), "transfer");
    raise_bound(&bound.seconds, &bound.ceiling, bound.bytes_s, of_bytes);
    raise_bound(&bound.seconds, &bound.ceiling, bound.flops_s, of_flops);
    raise_bound(&bound.limit_s, &bound.limit, least_time_of_fewer(table, question, fmin(read_s, copy_s)),
                copy_is_faster ? "copy" : "read");
    raise_bound(&bound.limit_s, &bound.limit, bound.flops_s, of_flops);
    return bound;
}

/* Measured time per variant: short, since there are many variants and the best sample counts. */
static const double short_time_s = 0.001, long_time_s = 0.02;
/* The host's other work disturbs a device less. */
static const double share_of_device = 0.5;
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

/* NAN: there is none, or it was interrupted. */
static double best_sample(const struct bench *bench, const struct ceiling *ceiling, rung_function *run,
                          const void *problem, size_t problem_bytes)
{
    const struct mode *mode = mode_find(ceiling->mode);
    struct measurement measured;
    const char *error = bench_measure(bench, mode, run, problem, problem_bytes, &measured);
    double best_s = ceiling->kind == CEILING_EMPTY ? measured.statistics.median : measured.statistics.min;
    measurement_free(&measured);
    return error || bench->clock->interrupted() ? (double)NAN : best_s;
}

/* The best time of the variants, or of the one that is asked for. */
static void time_variants(struct bench bench, void *memory, struct ceiling *ceiling)
{
    const struct backend *backend = bench.device->entry->backend;
    const struct buffers buffers = {.count = memory ? 1 : 0, .data = {{memory, (size_t)ceiling->amount}}};
    const int first = ceiling->variant < 0 ? 0 : ceiling->variant;
    struct ceiling_problem problem = {backend, (enum ceiling_kind)ceiling->kind, first, memory, ceiling->amount};
    const int end = ceiling->variant < 0 ? backend->ceiling_variants(problem.kind) : first + 1;
    bench.buffers = &buffers;
    for (; problem.variant < end && !bench.clock->interrupted(); problem.variant++) {
        double seconds = best_sample(&bench, ceiling, run_ceiling, &problem, sizeof problem);
        if (!(seconds >= ceiling->seconds) && !isnan(seconds)) {
            ceiling->seconds = seconds;
            ceiling->variant = problem.variant;
        }
    }
    if (bench.clock->interrupted())
        ceiling->seconds = NAN; /* the best of only some variants may be too slow */
}

static void time_memory(const struct bench *bench, struct ceiling *ceiling)
{
    const struct backend *backend = bench->device->entry->backend;
    size_t bytes = (size_t)ceiling->amount;
    void *memory;
    if (bytes > backend->free_memory() / 2 || backend->allocate(bytes, EDGE_ANY, &memory))
        return;
    if (!backend->fill(memory, bytes, &(struct made){.kind = MADE_POSITIVE}) && !backend->finish())
        time_variants(*bench, memory, ceiling);
    backend->release(memory);
}

void ceiling_time(void *self, double min_time_s, struct ceiling *ceiling)
{
    struct bench bench = *(const struct bench *)self;
    const struct backend *backend = bench.device->entry->backend;
    const struct spin_problem nothing = {backend, BACKEND_NO_SPIN};
    ceiling->seconds = NAN;
    bench.min_time_s = min_time_s * (bench.device->entry->separate_memory ? share_of_device : 1);
    if (ceiling->kind == CEILING_EMPTY)
        bench.buffers = NULL;
    if (ceiling->kind == CEILING_TRANSFER || ceiling->kind == CEILING_EMPTY)
        ceiling->seconds = best_sample(&bench, ceiling, calibration_spin, &nothing, sizeof nothing);
    else if (!backend->ceiling_variants || backend->ceiling_variants((enum ceiling_kind)ceiling->kind) == 0)
        return;
    else if (is_arithmetic(ceiling->kind))
        time_variants(bench, NULL, ceiling);
    else
        time_memory(&bench, ceiling);
}

/* The best time so far in seconds, measured with that care. */
static double look_up(struct ceilings *ceilings, const struct ceiling *needed, enum ceiling_care care)
{
    const struct ceiling *known = find_known(&ceilings->table, needed);
    if (known && care == CEILING_ONCE)
        return known->seconds;
    struct ceiling measured = known ? *known : *needed;
    if (!known || care != CEILING_LAST)
        measured.variant = -1;
    ceilings->time(ceilings->self, care == CEILING_AGAIN ? long_time_s : short_time_s, &measured);
    return ceiling_table_add(&ceilings->table, &measured)->seconds;
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
    struct ceiling needed;
    for (int kind = 0; kind <= CEILING_TRANSFER; kind++) {
        if (kind == CEILING_EMPTY || !find_needed(question, kind, &needed))
            continue;
        if (is_arithmetic(kind))
            measure_arithmetic(ceilings, needed, care);
        else
            look_up(ceilings, &needed, care);
    }
}

/* Short runs of arithmetic say nothing that a longer one does not. */
static bool is_worth_a_last_look(const struct ceiling *ceiling)
{
    if (is_arithmetic(ceiling->kind))
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
    if (!find_needed(&question, (int)kind, &needed))
        return NAN;
    if (!is_arithmetic((int)kind))
        return bytes / look_up(ceilings, &needed, CEILING_ONCE);
    measure_arithmetic(ceilings, needed, CEILING_ONCE);
    return best_rate(&ceilings->table, needed.backend, kind);
}

void ceilings_free(struct ceilings *ceilings)
{
    free(ceilings->table.items);
    ceilings->table = (struct ceiling_table){0};
}

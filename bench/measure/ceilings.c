#include "ceilings.h"

#include "calibration.h"

#include <math.h>
#include <stdlib.h>

/* Further kinds, which need no function of the backend: an empty kernel, alone or with the row's transfers. */
enum { KIND_EMPTY = CEILING_KINDS, KIND_TRANSFER };

/* Measured time per variant: short, since there are many variants and the best sample counts. */
static const double short_time_s = 0.002, long_time_s = 0.02;
/* FMA kernels run at least this long, so that the cost of the launch is negligible. */
static const double min_arithmetic_s = 1e-3;
/* Reading fewer bytes than BYTES_MIN would measure the cost of a call, not of memory. */
enum { BYTES_GRANULARITY = 32, BYTES_MIN = 4096 };

struct ceiling_entry {
    const struct device *device;
    const struct mode *mode;
    int kind;
    double amount;                   /* bytes or operations */
    const struct workload *workload; /* for transfers */
    double seconds;                  /* best time so far; NAN: could not be measured */
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

static double best_sample(const struct builtin_rung *builtin, const struct ceiling_entry *entry,
                          const struct ceilings *ceilings, double min_time_s)
{
    struct measurement measurement;
    const char *error =
        builtin_rung_measure(builtin, entry->device, entry->mode, ceilings->clock, min_time_s, &measurement);
    if (ceilings->clock->interrupted())
        error = "interrupted";
    double best_s = error                       ? NAN
                    : entry->kind == KIND_EMPTY ? measurement.statistics.median
                                                : measurement.statistics.min;
    measurement_free(&measurement);
    return best_s;
}

/* The best time of all variants. */
static double time_variants(const struct ceiling_entry *entry, void *memory, const struct ceilings *ceilings,
                            double min_time_s)
{
    struct buffers buffers = {.count = memory ? 1 : 0, .data = {{memory, (size_t)entry->amount}}};
    struct ceiling_problem problem = {entry->device->entry->backend, (enum ceiling_kind)entry->kind, 0, memory,
                                      entry->amount};
    struct builtin_rung builtin = {run_ceiling, &problem, sizeof problem, &buffers, NULL, ceilings->evict_by_writing};
    double best_s = NAN;
    int variants = problem.backend->ceiling_variants(problem.kind);
    for (; problem.variant < variants && !ceilings->clock->interrupted(); problem.variant++)
        best_s = fmin(best_s, best_sample(&builtin, entry, ceilings, min_time_s));
    return ceilings->clock->interrupted() ? NAN : best_s; /* the best of only some variants may be too slow */
}

static double time_memory(const struct ceiling_entry *entry, const struct ceilings *ceilings, double min_time_s)
{
    const struct backend *backend = entry->device->entry->backend;
    size_t bytes = (size_t)entry->amount;
    void *memory;
    if (bytes > backend->free_memory() / 2 || backend->allocate(bytes, EDGE_START, &memory))
        return NAN;
    bool seeded = !backend->seed(memory, bytes) && !backend->finish();
    double best_s = seeded ? time_variants(entry, memory, ceilings, min_time_s) : NAN;
    backend->release(memory);
    return best_s;
}

static double time_transfer(const struct ceiling_entry *entry, struct device_problem *device_problem,
                            const struct ceilings *ceilings, double min_time_s)
{
    struct spin_problem problem = {device_problem->backend, BACKEND_NO_SPIN};
    struct builtin_rung builtin = {calibration_spin,
                                   &problem,
                                   sizeof problem,
                                   &device_problem->buffers,
                                   device_problem->host_problem->host,
                                   false};
    bool was_pinned = device_problem->pinned;
    double best_s = device_problem_pin(device_problem, true) ? NAN : best_sample(&builtin, entry, ceilings, min_time_s);
    return device_problem_pin(device_problem, was_pinned) ? NAN : best_s;
}

static double time_entry(const struct ceiling_entry *entry, struct device_problem *device_problem,
                         const struct ceilings *ceilings, double min_time_s)
{
    const struct backend *backend = entry->device->entry->backend;
    if (entry->kind == KIND_TRANSFER)
        return time_transfer(entry, device_problem, ceilings, min_time_s);
    if (entry->kind == KIND_EMPTY) {
        struct spin_problem problem = {backend, BACKEND_NO_SPIN};
        struct builtin_rung builtin = {calibration_spin,          &problem, sizeof problem, NULL, NULL,
                                       ceilings->evict_by_writing};
        return best_sample(&builtin, entry, ceilings, min_time_s);
    }
    if (!backend->ceiling_variants || backend->ceiling_variants((enum ceiling_kind)entry->kind) == 0)
        return NAN;
    return entry->kind == CEILING_FMA ? time_variants(entry, NULL, ceilings, min_time_s)
                                      : time_memory(entry, ceilings, min_time_s);
}

/* The entry for the same measurement, or a new one. NULL: out of memory. */
static struct ceiling_entry *find_or_add(struct ceilings *ceilings, const struct ceiling_entry *wanted)
{
    for (size_t i = 0; i < ceilings->count; i++) {
        struct ceiling_entry *entry = &ceilings->entries[i];
        if (entry->device == wanted->device && entry->mode == wanted->mode && entry->kind == wanted->kind &&
            entry->amount == wanted->amount && entry->workload == wanted->workload)
            return entry;
    }
    struct ceiling_entry *entries = realloc(ceilings->entries, (ceilings->count + 1) * sizeof *entries);
    if (!entries)
        return NULL;
    ceilings->entries = entries;
    entries[ceilings->count] = *wanted;
    return &entries[ceilings->count++];
}

/* The best time in seconds, measured the first time it is asked for, and once more and longer with `again`. */
static double look_up(struct ceilings *ceilings, const struct ceiling_entry *wanted,
                      struct device_problem *device_problem, bool again)
{
    size_t known = ceilings->count;
    struct ceiling_entry *entry = find_or_add(ceilings, wanted);
    if (!entry)
        return NAN;
    if (ceilings->count > known)
        entry->seconds = time_entry(entry, device_problem, ceilings, short_time_s);
    if (again)
        entry->seconds = fmin(entry->seconds, time_entry(entry, device_problem, ceilings, long_time_s));
    return entry->seconds;
}

/* The least time for a kind of memory traffic. */
static double least_time(struct ceilings *ceilings, const struct device *device, const struct mode *mode,
                         enum ceiling_kind kind, double bytes, bool again)
{
    struct ceiling_entry wanted = {
        .device = device, .mode = mode, .kind = kind, .amount = floor(bytes / BYTES_GRANULARITY) * BYTES_GRANULARITY};
    if (bytes < BYTES_MIN)
        return NAN;
    return look_up(ceilings, &wanted, NULL, again);
}

/* Operations per second, from an FMA kernel that runs long enough. */
static double arithmetic_rate(struct ceilings *ceilings, const struct device *device, bool again)
{
    struct ceiling_entry wanted = {.device = device, .mode = &mode_hot, .kind = CEILING_FMA, .amount = 1e7};
    double seconds;
    while ((seconds = look_up(ceilings, &wanted, NULL, again)) < min_arithmetic_s && wanted.amount < 1e15)
        wanted.amount *= 4;
    return wanted.amount / seconds;
}

double ceilings_rate(struct ceilings *ceilings, const struct device *device, const struct mode *mode,
                     enum ceiling_kind kind, double bytes)
{
    return kind == CEILING_FMA ? arithmetic_rate(ceilings, device, false)
                               : bytes / least_time(ceilings, device, mode, kind, bytes, false);
}

double ceilings_empty_kernel(struct ceilings *ceilings, const struct device *device, const struct mode *mode)
{
    struct ceiling_entry wanted = {.device = device, .mode = mode, .kind = KIND_EMPTY};
    return look_up(ceilings, &wanted, NULL, false);
}

/* Comparisons with NAN are false: an unknown `seconds` never counts, an unknown floor is always replaced. */
static void raise_floor(struct time_floor *bound, double seconds, const char *ceiling)
{
    if (seconds > 0 && !(seconds <= bound->seconds))
        *bound = (struct time_floor){seconds, ceiling};
}

static struct time_floor find_floor(struct ceilings *ceilings, const struct ceiling_question *q, bool again)
{
    struct time_floor bound = {NAN, ""};
    if (q->mode->transfer[0] != '\0') {
        struct ceiling_entry wanted = {.device = q->device,
                                       .mode = &mode_e2e,
                                       .kind = KIND_TRANSFER,
                                       .workload = q->device_problem->host_problem->workload};
        raise_floor(&bound, look_up(ceilings, &wanted, q->device_problem, again), "transfer");
        return bound;
    }
    double read_s = least_time(ceilings, q->device, q->mode, CEILING_READ, q->cost.bytes, again);
    double copy_s = least_time(ceilings, q->device, q->mode, CEILING_COPY, q->cost.bytes, again);
    raise_floor(&bound, fmin(read_s, copy_s), isnan(read_s) || copy_s < read_s ? "copy" : "read");
    if (q->precision == PRECISION_FP32 && q->cost.flops > 0)
        raise_floor(&bound, q->cost.flops / arithmetic_rate(ceilings, q->device, again), "fma");
    return bound;
}

struct time_floor ceilings_floor(struct ceilings *ceilings, const struct ceiling_question *question)
{
    return find_floor(ceilings, question, false);
}

struct time_floor ceilings_floor_again(struct ceilings *ceilings, const struct ceiling_question *question)
{
    return find_floor(ceilings, question, true);
}

void ceilings_free(struct ceilings *ceilings)
{
    free(ceilings->entries);
    ceilings->entries = NULL;
    ceilings->count = 0;
}

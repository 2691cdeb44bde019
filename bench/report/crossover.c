#include "reporter.h"
#include "result_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a device does in its mode is compared with what the host does on data that is there already. */
static const char host_mode[] = "hot";
static const struct comparison {
    const char *device_mode, *what;
} comparisons[] = {{"e2e", "with transfers"}, {"hot", "the kernel alone"}};

enum { POINTS_MIN = 3 }; /* fewer sizes show no trend */

struct crossover {
    FILE *to;
    struct result_list rows; /* with a time that may be compared */
    bool has_heading;
};

/* A workload with a time on both sides. */
struct point {
    const struct result *host, *device;
    double gain; /* how many times faster the device is */
};

struct crossover *crossover_make(FILE *to)
{
    struct crossover *crossover = calloc(1, sizeof *crossover);
    if (crossover)
        crossover->to = to;
    return crossover;
}

bool crossover_result(void *self, const struct result *result, struct error *error)
{
    struct crossover *crossover = self;
    return !result_is_fair(result) || result_list_add(&crossover->rows, result, error);
}

/* Whether no earlier row has the same operation and, where it matters, the same workload. */
static bool is_first(const struct crossover *crossover, size_t i, bool on_workload)
{
    const struct result *row = &crossover->rows.items[i];
    for (size_t earlier = 0; earlier < i; earlier++) {
        const struct result *other = &crossover->rows.items[earlier];
        if (on_workload ? result_same_workload(other, row) : strcmp(other->op, row->op) == 0)
            return false;
    }
    return true;
}

static int by_size(const void *left, const void *right)
{
    const struct result *a = ((const struct point *)left)->host, *b = ((const struct point *)right)->host;
    if (a->bytes != b->bytes)
        return (a->bytes > b->bytes) - (a->bytes < b->bytes);
    return (a->flops > b->flops) - (a->flops < b->flops);
}

/* The workloads of the operation on which both sides have a best time, in order of size. */
static size_t find_points(const struct crossover *crossover, const char *op, const char *device_mode,
                          struct point *points)
{
    size_t count = 0;
    for (size_t i = 0; i < crossover->rows.count; i++) {
        const struct result *row = &crossover->rows.items[i];
        if (strcmp(row->op, op) != 0 || !is_first(crossover, i, true))
            continue;
        const struct result *host = result_list_best(&crossover->rows, row, host_mode, SIDE_HOST);
        const struct result *device = result_list_best(&crossover->rows, row, device_mode, SIDE_DEVICE);
        if (host && device)
            points[count++] = (struct point){host, device, host->statistics.median / device->statistics.median};
    }
    qsort(points, count, sizeof *points, by_size);
    return count;
}

static const char *gain_text(double gain, char *text, size_t size)
{
    snprintf(text, size, gain < 100 ? "%.3gx" : "%.0fx", gain);
    return text;
}

/* "square-256 (0.61x, this_rung against that_rung)" */
static void print_point(FILE *to, const struct point *point)
{
    char gain[32];
    fprintf(to, "%s (%s, %s against %s)", point->host->workload, gain_text(point->gain, gain, sizeof gain),
            point->device->variant, point->host->variant);
}

/* At how many of the first points the host wins last, and at how many the device wins at all. */
static void count_wins(const struct point *points, size_t count, size_t *last_loss, size_t *wins)
{
    *last_loss = *wins = 0;
    for (size_t i = 0; i < count; i++) {
        if (points[i].gain > 1)
            ++*wins;
        else
            *last_loss = i + 1;
    }
}

static void print_verdict(FILE *to, const struct point *points, size_t count)
{
    const char *host = points[0].host->backend;
    size_t last_loss, wins;
    count_wins(points, count, &last_loss, &wins);
    if (wins == count) {
        fprintf(to, "is faster than the best %s rung (%s) at every size, from ", host, host_mode);
        print_point(to, &points[0]);
        fputs(" on\n", to);
    } else if (wins == 0) {
        fprintf(to, "is faster than the best %s rung (%s) at no size up to ", host, host_mode);
        print_point(to, &points[count - 1]);
        fputc('\n', to);
    } else if (wins == count - last_loss) {
        fprintf(to, "overtakes the best %s rung (%s) between ", host, host_mode);
        print_point(to, &points[last_loss - 1]);
        fputs(" and ", to);
        print_point(to, &points[last_loss]);
        fputc('\n', to);
    } else {
        fprintf(to, "is faster than the best %s rung (%s) at %zu of %zu sizes; the last at which it is not is ", host,
                host_mode, wins, count);
        print_point(to, &points[last_loss - 1]);
        fputs(last_loss == count ? ", the largest\n" : "\n", to);
    }
}

static void print_comparison(struct crossover *crossover, const char *op, const struct comparison *comparison,
                             struct point *points)
{
    size_t count = find_points(crossover, op, comparison->device_mode, points);
    if (count < POINTS_MIN)
        return;
    const struct result *device = points[0].device;
    bool has_transfer = device->transfer[0] != '\0';
    if (!crossover->has_heading)
        fputs("\nWhen is a device faster?\n", crossover->to);
    crossover->has_heading = true;
    fprintf(crossover->to, "  %s: %s (%s%s%s), the best %s rung ", op, comparison->what, comparison->device_mode,
            has_transfer ? ", " : "", has_transfer ? device->transfer : "", device->backend);
    print_verdict(crossover->to, points, count);
}

bool crossover_end(void *self, struct error *error)
{
    struct crossover *crossover = self;
    struct point *points = calloc(crossover->rows.count + 1, sizeof *points);
    bool ok = points || error_set(error, "no memory for the crossover");
    for (size_t i = 0; i < crossover->rows.count && ok; i++) {
        if (!is_first(crossover, i, false))
            continue;
        for (size_t c = 0; c < sizeof comparisons / sizeof comparisons[0]; c++)
            print_comparison(crossover, crossover->rows.items[i].op, &comparisons[c], points);
    }
    if (ok && fflush(crossover->to) != 0)
        ok = error_set(error, "stdout: the crossover cannot be written");
    free(points);
    result_list_free(&crossover->rows);
    free(crossover);
    return ok;
}

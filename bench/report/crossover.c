#include "crossover.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a device does in its mode is compared with what the host does on data that is there already. */
static const char host_mode[] = "hot";
static const struct comparison {
    const char *device_mode, *what;
} comparisons[] = {{"e2e", "with transfers"}, {"hot", "the kernel alone"}};

enum { POINTS_MIN = 3 }; /* fewer sizes show no trend */

/* "transposed" of 64x128xtransposed. It is no size: workloads that differ in it are not compared by size. */
static const char *kind_of(const struct result *row)
{
    const char *last = strrchr(row->shape, 'x');
    return last && isalpha((unsigned char)last[1]) ? last + 1 : "";
}

static bool is_same_kind(const struct result *a, const struct result *b)
{
    return strcmp(a->op, b->op) == 0 && strcmp(kind_of(a), kind_of(b)) == 0;
}

/* Whether no earlier row has the same operation and kind and, where it matters, the same workload. */
static bool is_first(const struct result_list *rows, size_t i, bool on_workload)
{
    const struct result *row = &rows->items[i];
    for (size_t earlier = 0; earlier < i; earlier++) {
        const struct result *other = &rows->items[earlier];
        if (on_workload ? result_same_workload(other, row) : is_same_kind(other, row))
            return false;
    }
    return true;
}

static int by_size(const void *left, const void *right)
{
    const struct result *a = ((const struct crossover_point *)left)->host,
                        *b = ((const struct crossover_point *)right)->host;
    if (a->bytes != b->bytes)
        return (a->bytes > b->bytes) - (a->bytes < b->bytes);
    return (a->flops > b->flops) - (a->flops < b->flops);
}

/* The workloads of the same kind as that row's on which both sides have a best time, in order of size. */
static size_t find_points(const struct result_list *rows, const struct result *like, const char *device_mode,
                          struct crossover_point *points)
{
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct result *row = &rows->items[i];
        if (!is_same_kind(row, like) || !is_first(rows, i, true))
            continue;
        const struct result *host = result_list_fastest(rows, row, host_mode, SIDE_HOST);
        const struct result *device = result_list_fastest(rows, row, device_mode, SIDE_DEVICE);
        if (host && device)
            points[count++] =
                (struct crossover_point){host, device, host->statistics.median / device->statistics.median};
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
static void print_point(FILE *to, const struct crossover_point *point)
{
    char gain[32];
    fprintf(to, "%s (%s, %s against %s)", point->host->workload, gain_text(point->gain, gain, sizeof gain),
            point->device->variant, point->host->variant);
}

/* At how many of the first points the host wins last, and at how many the device wins at all. */
static void count_wins(const struct crossover_point *points, size_t count, size_t *last_loss, size_t *wins)
{
    *last_loss = *wins = 0;
    for (size_t i = 0; i < count; i++) {
        if (points[i].gain > 1)
            ++*wins;
        else
            *last_loss = i + 1;
    }
}

static void print_verdict(FILE *to, const struct crossover_point *points, size_t count)
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

void crossover_print(FILE *to, const struct crossover *crossover)
{
    const struct result *device = crossover->points[0].device;
    bool has_transfer = device->transfer[0] != '\0';
    fprintf(to, "%s%s%s: %s (%s%s%s), the best %s rung ", crossover->op, crossover->kind[0] ? ", " : "",
            crossover->kind, crossover->what, crossover->device_mode, has_transfer ? ", " : "",
            has_transfer ? device->transfer : "", device->backend);
    print_verdict(to, crossover->points, crossover->count);
}

static bool visit(const struct result_list *rows, const struct result *like, const struct comparison *comparison,
                  struct crossover_point *points, crossover_visitor *visitor, void *self)
{
    size_t count = find_points(rows, like, comparison->device_mode, points);
    struct crossover crossover = {like->op, kind_of(like), comparison->what, comparison->device_mode, host_mode,
                                  points,   count};
    return count < POINTS_MIN || visitor(self, &crossover);
}

bool crossover_each(const struct result_list *rows, crossover_visitor *visitor, void *self, struct error *error)
{
    struct crossover_point *points = calloc(rows->count + 1, sizeof *points);
    bool ok = points || error_set(error, "no memory for the crossover");
    for (size_t i = 0; i < rows->count && ok; i++)
        for (size_t c = 0; is_first(rows, i, false) && c < sizeof comparisons / sizeof comparisons[0] && ok; c++)
            ok = visit(rows, &rows->items[i], &comparisons[c], points, visitor, self) ||
                 error_set(error, "no memory for the crossover");
    free(points);
    return ok;
}

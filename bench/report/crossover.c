#include "crossover.h"

#include "standing.h"

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

/* The first row of a workload, and that of its kind. */
struct place {
    const struct result *kind, *workload;
};

static int by_kind(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return (a->workload > b->workload) - (a->workload < b->workload);
}

/* All workloads, those of the same operation and kind together. False: no memory. */
static bool find_places(const struct result_list *rows, struct place *places, size_t *count)
{
    struct row_index workloads = {NULL}, kinds = {NULL};
    bool ok = true;
    for (const struct result *row = rows->items; row < rows->items + rows->count && ok; row++) {
        struct row_key workload = {{row->op, row->workload}}, kind = {{row->op, kind_of(row)}};
        ok = row_index_keep(&workloads, workload, row, NULL) && row_index_keep(&kinds, kind, row, NULL);
        if (ok && row_index_find(&workloads, workload) == row)
            places[(*count)++] = (struct place){row_index_find(&kinds, kind), row};
    }
    qsort(places, *count, sizeof *places, by_kind);
    row_index_free(&workloads);
    row_index_free(&kinds);
    return ok;
}

static int by_size(const void *left, const void *right)
{
    const struct result *a = ((const struct crossover_point *)left)->host,
                        *b = ((const struct crossover_point *)right)->host;
    if (a->bytes != b->bytes)
        return (a->bytes > b->bytes) - (a->bytes < b->bytes);
    return (a->flops > b->flops) - (a->flops < b->flops);
}

/* Those of these workloads on which both sides have a best time, in order of size. */
static size_t find_points(const struct standings *standings, const struct place *places, size_t place_count,
                          const char *device_mode, struct crossover_point *points)
{
    size_t count = 0;
    for (size_t i = 0; i < place_count; i++) {
        const struct result *host = standings_fastest(standings, places[i].workload, host_mode, SIDE_HOST);
        const struct result *device = standings_fastest(standings, places[i].workload, device_mode, SIDE_DEVICE);
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

/* Both comparisons of one kind. */
static bool visit(const struct standings *standings, const struct place *places, size_t place_count,
                  struct crossover_point *points, crossover_visitor *visitor, void *self)
{
    bool ok = true;
    for (size_t i = 0; i < sizeof comparisons / sizeof comparisons[0] && ok; i++) {
        size_t count = find_points(standings, places, place_count, comparisons[i].device_mode, points);
        struct crossover crossover = {places->kind->op,
                                      kind_of(places->kind),
                                      comparisons[i].what,
                                      comparisons[i].device_mode,
                                      host_mode,
                                      points,
                                      count};
        ok = count < POINTS_MIN || visitor(self, &crossover);
    }
    return ok;
}

bool crossover_each(const struct result_list *rows, crossover_visitor *visitor, void *self, struct error *error)
{
    struct crossover_point *points = calloc(rows->count + 1, sizeof *points);
    struct place *places = calloc(rows->count + 1, sizeof *places);
    struct standings standings = {NULL};
    size_t count = 0;
    bool ok = points && places && standings_make(rows, &standings, error) && find_places(rows, places, &count);
    for (size_t first = 0, end; first < count && ok; first = end) {
        for (end = first; end < count && places[end].kind == places[first].kind;)
            end++;
        ok = visit(&standings, &places[first], end - first, points, visitor, self);
    }
    standings_free(&standings);
    free(places);
    free(points);
    return ok || error_set(error, "no memory for the crossover");
}

#include "crossover.h"

#include "bench/base/csv_text.h"
#include "bench/base/json_text.h"
#include "column.h"
#include "standing.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What a device does in its mode is compared with what the host does on data that is there already. */
static const char host_mode[] = "hot";
static const struct comparison {
    const char *device_mode, *what;
} comparisons[] = {{"e2e", "with transfers"}, {"hot", "the kernel alone"}};
enum { COMPARISONS = sizeof comparisons / sizeof comparisons[0] };

enum { POINTS_MIN = 3 }; /* fewer sizes show no trend */

/* A workload on which both sides have a best time. */
struct point {
    const struct result *host, *device;
    double gain; /* how many times faster the device is */
};

struct crossover {
    const char *op, *kind; /* "zip", "transposed": the word at the end of its shapes; empty: they have none */
    const struct comparison *is;
    struct point *points, *end; /* in order of size */
};

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
    struct row_index firsts = {NULL};
    for (const struct result *row = rows->items; row < rows->items + rows->count; row++) {
        const struct result *kind =
            row_index_keep(&firsts, (struct row_key){{"kind", row->op, kind_of(row)}}, row, NULL);
        if (row_index_keep(&firsts, (struct row_key){{"workload", row->op, row->workload}}, row, NULL) == row)
            places[(*count)++] = (struct place){kind, row};
    }
    qsort(places, *count, sizeof *places, by_kind);
    return row_index_free(&firsts);
}

static int by_size(const void *left, const void *right)
{
    const struct result *a = ((const struct point *)left)->host, *b = ((const struct point *)right)->host;
    if (a->bytes != b->bytes)
        return (a->bytes > b->bytes) - (a->bytes < b->bytes);
    return (a->flops > b->flops) - (a->flops < b->flops);
}

/* Those of these workloads on which both sides have a best time, in order of size. */
static size_t find_points(const struct standings *standings, const struct place *places, size_t place_count,
                          const char *device_mode, struct point *points)
{
    size_t count = 0;
    for (size_t i = 0; i < place_count; i++) {
        const struct result *host = standings_fastest(standings, places[i].workload, host_mode, SIDE_HOST);
        const struct result *device = standings_fastest(standings, places[i].workload, device_mode, SIDE_DEVICE);
        if (host && device)
            points[count++] = (struct point){host, device, host->statistics.median / device->statistics.median};
    }
    qsort(points, count, sizeof *points, by_size);
    return count;
}

enum { SENTENCE = 1024 };

/* "square-256 (0.61x, this_rung against that_rung)" */
static const char *point_text(const struct point *point, char text[SENTENCE / 4])
{
    snprintf(text, SENTENCE / 4, point->gain < 100 ? "%s (%.3gx, %s against %s)" : "%s (%.0fx, %s against %s)",
             point->host->workload, point->gain, point->device->variant, point->host->variant);
    return text;
}

/* "is faster ... at every size, from here on" */
static void put_verdict(const struct crossover *crossover, const char *host, char *text, size_t size)
{
    const struct point *points = crossover->points;
    const size_t count = (size_t)(crossover->end - points);
    size_t wins = 0, last_loss = 0; /* at how many points the device wins, and at how many the host has won by then */
    char this[SENTENCE / 4], next[SENTENCE / 4];
    for (size_t i = 0; i < count; i++) {
        wins += points[i].gain > 1;
        last_loss = points[i].gain > 1 ? last_loss : i + 1;
    }
    if (wins == count)
        snprintf(text, size, "is faster than %s at every size, from %s on", host, point_text(&points[0], this));
    else if (wins == 0)
        snprintf(text, size, "is faster than %s at no size up to %s", host, point_text(&points[count - 1], this));
    else if (wins == count - last_loss)
        snprintf(text, size, "overtakes %s between %s and %s", host, point_text(&points[last_loss - 1], this),
                 point_text(&points[last_loss], next));
    else
        snprintf(text, size, "is faster than %s at %zu of %zu sizes; the last at which it is not is %s%s", host, wins,
                 count, point_text(&points[last_loss - 1], this), last_loss == count ? ", the largest" : "");
}

static const char *sentence(const struct crossover *crossover, char text[SENTENCE])
{
    const struct result *device = crossover->points->device;
    char host[128];
    snprintf(host, sizeof host, "the best %s rung (%s)", crossover->points->host->backend, host_mode);
    int length =
        snprintf(text, SENTENCE, "%s%s%s: %s (%s%s%s), the best %s rung ", crossover->op,
                 crossover->kind[0] ? ", " : "", crossover->kind, crossover->is->what, crossover->is->device_mode,
                 device->transfer[0] ? ", " : "", device->transfer, device->backend);
    put_verdict(crossover, host, text + length, SENTENCE - (size_t)length);
    return text;
}

/* All of them, and what they point to; free() both. */
struct crossovers {
    struct crossover *items;
    struct point *points;
    size_t count;
};

/* Both comparisons of one kind, where there are enough sizes. */
static void compare(const struct standings *standings, const struct place *places, size_t place_count,
                    struct crossovers *all)
{
    for (size_t i = 0; i < COMPARISONS; i++) {
        struct point *points = all->count == 0 ? all->points : all->items[all->count - 1].end;
        size_t count = find_points(standings, places, place_count, comparisons[i].device_mode, points);
        if (count >= POINTS_MIN)
            all->items[all->count++] =
                (struct crossover){places->kind->op, kind_of(places->kind), &comparisons[i], points, points + count};
    }
}

/* For each operation, or kind of it. False: no memory; release() follows in any case. */
static bool make(const struct result_list *rows, struct crossovers *all, struct error *error)
{
    const size_t room = COMPARISONS * rows->count + 1;
    struct place *places = calloc(rows->count + 1, sizeof *places);
    struct standings standings = {NULL};
    size_t count = 0;
    *all = (struct crossovers){calloc(room, sizeof *all->items), calloc(room, sizeof *all->points), 0};
    bool ok = places && all->items && all->points && standings_make(rows, &standings, error) &&
              find_places(rows, places, &count);
    for (size_t first = 0, end = 0; first < count && ok; first = end) {
        while (end < count && places[end].kind == places[first].kind)
            end++;
        compare(&standings, &places[first], end - first, all);
    }
    standings_free(&standings);
    free(places);
    return ok || error_set(error, "no memory for the crossover");
}

static void release(struct crossovers *all)
{
    free(all->items);
    free(all->points);
}

bool crossovers_print(const struct result_list *rows, FILE *to, struct error *error)
{
    struct crossovers all;
    char words[SENTENCE];
    bool ok = make(rows, &all, error);
    if (ok && all.count > 0)
        fputs("\nWhen is a device faster?\n", to);
    for (size_t i = 0; i < all.count && ok; i++)
        fprintf(to, "  %s\n", sentence(&all.items[i], words));
    release(&all);
    return ok;
}

static void put_cell(FILE *to, enum column_id id, const struct result *row)
{
    char buffer[COLUMN_BUFFER];
    csv_put_text(to, column_text(&result_columns[id], row, buffer));
    fputc(',', to);
}

static void put_side(FILE *to, const struct result *side)
{
    put_cell(to, COLUMN_variant, side);
    put_cell(to, COLUMN_mode, side);
    put_cell(to, COLUMN_time_median_s, side);
}

static void put_point(FILE *to, const struct crossover *crossover, const struct point *point)
{
    put_cell(to, COLUMN_op, point->host);
    csv_put_text(to, crossover->kind);
    fprintf(to, ",%s,", crossover->is->what);
    put_cell(to, COLUMN_workload, point->host);
    put_cell(to, COLUMN_bytes, point->host);
    put_cell(to, COLUMN_flops, point->host);
    put_side(to, point->device);
    put_side(to, point->host);
    fprintf(to, "%.9g\n", point->gain);
}

bool crossovers_print_csv(const struct result_list *rows, FILE *to, size_t *lines, struct error *error)
{
    struct crossovers all;
    bool ok = make(rows, &all, error);
    *lines = 0;
    fputs("op,kind,what,workload,bytes,flops,device_rung,device_mode,device_time_s,host_rung,host_mode,host_time_s,"
          "gain\n",
          to);
    for (size_t i = 0; i < all.count && ok; i++)
        for (const struct point *point = all.items[i].points; point < all.items[i].end; point++, ++*lines)
            put_point(to, &all.items[i], point);
    release(&all);
    return ok;
}

static json_t *point_json(const struct point *point)
{
    json_t *to = json_object();
    bool ok = json_put_text(to, "workload", point->host->workload) &&
              json_put_number(to, "bytes", point->host->bytes) && json_put_number(to, "flops", point->host->flops) &&
              json_put_number(to, "gain", point->gain) && json_put_text(to, "device_rung", point->device->variant) &&
              json_put_text(to, "host_rung", point->host->variant);
    return json_if(ok, to);
}

static json_t *points_json(const struct crossover *crossover)
{
    json_t *list = json_array();
    bool ok = true;
    for (const struct point *point = crossover->points; point < crossover->end && ok; point++)
        ok = json_array_append_new(list, point_json(point)) == 0;
    return json_if(ok, list);
}

static json_t *crossover_json(const struct crossover *crossover)
{
    json_t *to = json_object();
    char words[SENTENCE];
    bool ok = json_put_text(to, "op", crossover->op) && json_put_text(to, "kind", crossover->kind) &&
              json_put_text(to, "what", crossover->is->what) &&
              json_put_text(to, "device_mode", crossover->is->device_mode) &&
              json_put_text(to, "host_mode", host_mode) &&
              json_put_text(to, "device_backend", crossover->points->device->backend) &&
              json_put_text(to, "host_backend", crossover->points->host->backend) &&
              json_put_text(to, "text", sentence(crossover, words)) && json_put(to, "points", points_json(crossover));
    return json_if(ok, to);
}

json_t *crossovers_json(const struct result_list *rows)
{
    json_t *list = json_array();
    struct crossovers all;
    struct error ignored;
    bool ok = make(rows, &all, &ignored);
    for (size_t i = 0; i < all.count && ok; i++)
        ok = json_array_append_new(list, crossover_json(&all.items[i])) == 0;
    release(&all);
    return json_if(ok, list);
}

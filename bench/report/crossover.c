#include "crossover.h"

#include "bench/base/csv_text.h"
#include "bench/base/json_text.h"
#include "bench/base/memory.h"
#include "bench/base/plain_text.h"
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

/* A workload on which both sides have a best time, in one of the comparisons. */
struct point {
    const struct result *kind; /* the first row of its operation and kind */
    const struct comparison *is;
    const struct result *host, *device;
    double gain; /* how many times faster the device is */
};

/* All of them: by kind, comparison and size. free() the first. */
struct points {
    struct point *first, *end;
};

/* "transposed" of 64x128xtransposed. It is no size: workloads that differ in it are not compared by size. */
static const char *kind_of(const struct result *row)
{
    const char *last = strrchr(row->shape, 'x');
    return last && isalpha((unsigned char)last[1]) ? last + 1 : "";
}

static int order_of(double a, double b)
{
    return (a > b) - (a < b);
}

static int by_size(const void *left, const void *right)
{
    const struct point *a = left, *b = right;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->is != b->is)
        return a->is < b->is ? -1 : 1;
    int bytes = order_of(a->host->bytes, b->host->bytes), flops = order_of(a->host->flops, b->host->flops);
    return bytes ? bytes : flops ? flops : (a->host > b->host) - (a->host < b->host);
}

/* The first row of its operation and kind. */
static const struct result *first_of_kind(const struct result_list *rows, const struct result *like)
{
    const struct result *row = rows->items;
    while (strcmp(row->op, like->op) != 0 || strcmp(kind_of(row), kind_of(like)) != 0)
        row++;
    return row;
}

/* Those of one workload. */
static void add_points(const struct result_list *rows, const struct result *like, struct points *all)
{
    for (const struct point *point = all->first; point < all->end; point++)
        if (result_same_workload(point->host, like))
            return;
    for (const struct comparison *is = comparisons; is < comparisons + COMPARISONS; is++) {
        const struct result *host = standing_fastest(rows, like, host_mode, AMONG_HOST);
        const struct result *device = standing_fastest(rows, like, is->device_mode, AMONG_DEVICES);
        if (host && device)
            *all->end++ = (struct point){first_of_kind(rows, like), is, host, device,
                                         host->statistics.median / device->statistics.median};
    }
}

static struct points find_points(const struct result_list *rows)
{
    struct points all;
    all.first = all.end = memory_get(COMPARISONS * rows->count, sizeof *all.first);
    for (size_t first = 0; first < rows->count; first += result_list_around(rows, &rows->items[first]).count)
        add_points(rows, &rows->items[first], &all);
    qsort(all.first, (size_t)(all.end - all.first), sizeof *all.first, by_size);
    return all;
}

enum { SENTENCE = 1024 };

/* "square-256 (0.61x, this_rung against that_rung)" */
static const char *point_text(const struct point *point, char text[SENTENCE / 4])
{
    snprintf(text, SENTENCE / 4, point->gain < 100 ? "%s (%.3gx, %s against %s)" : "%s (%.0fx, %s against %s)",
             point->host->workload, point->gain, point->device->variant, point->host->variant);
    return text;
}

static json_t *sentence(const struct point *first, const struct point *end)
{
    const char *kind = kind_of(first->kind), *transfer = first->device->transfer;
    const struct point *last_loss = NULL;
    char text[SENTENCE], point[SENTENCE / 4];
    size_t wins = 0;
    for (const struct point *at = first; at < end; at++) {
        wins += at->gain > 1;
        last_loss = at->gain > 1 ? last_loss : at;
    }
    snprintf(text, SENTENCE,
             "%s%s%s: %s (%s%s%s), the best %s rung is faster than the best %s rung (%s) at %zu of %zu sizes",
             first->kind->op, kind[0] ? ", " : "", kind, first->is->what, first->is->device_mode,
             transfer[0] ? ", " : "", transfer, first->device->backend, first->host->backend, host_mode, wins,
             (size_t)(end - first));
    if (last_loss)
        text_append(text, SENTENCE, ", the last where it is not being %s", point_text(last_loss, point));
    if (last_loss != end - 1)
        text_append(text, SENTENCE, ", and always from %s on", point_text(last_loss ? last_loss + 1 : first, point));
    return json_known(text);
}

static json_t *point_json(const struct point *point)
{
    return JSON_OBJECT({"workload", json_known(point->host->workload)}, {"bytes", json_number(point->host->bytes)},
                       {"flops", json_number(point->host->flops)}, {"gain", json_number(point->gain)},
                       {"device_rung", json_known(point->device->variant)},
                       {"device_time_s", json_number(point->device->statistics.median)},
                       {"host_rung", json_known(point->host->variant)},
                       {"host_time_s", json_number(point->host->statistics.median)});
}

/* Of the points of one kind and comparison. */
static json_t *crossover_json(const struct point *first, const struct point *end)
{
    json_t *points = json_array();
    for (const struct point *point = first; point < end; point++)
        json_array_append_new(points, point_json(point));
    return JSON_OBJECT({"op", json_known(first->kind->op)}, {"kind", json_known(kind_of(first->kind))},
                       {"what", json_known(first->is->what)}, {"device_mode", json_known(first->is->device_mode)},
                       {"host_mode", json_known(host_mode)}, {"device_backend", json_known(first->device->backend)},
                       {"host_backend", json_known(first->host->backend)}, {"text", sentence(first, end)},
                       {"points", points});
}

json_t *crossovers_json(const struct result_list *rows)
{
    struct points all = find_points(rows);
    json_t *list = json_array();
    for (const struct point *first = all.first, *end = first; first < all.end; first = end) {
        while (end < all.end && end->kind == first->kind && end->is == first->is)
            end++;
        if (end - first >= POINTS_MIN)
            json_array_append_new(list, crossover_json(first, end));
    }
    free(all.first);
    return list;
}

void crossovers_print(const struct result_list *rows, FILE *to)
{
    json_t *list = crossovers_json(rows);
    for (size_t i = 0; i < json_array_size(list); i++)
        fprintf(to, "%s  %s\n", i == 0 ? "\nWhen is a device faster?\n" : "",
                json_string_value(json_object_get(json_array_get(list, i), "text")));
    json_decref(list);
}

static void put_line(FILE *to, const json_t *crossover, const json_t *point)
{
    static const char *const columns[] = {"op",        "kind",        "what",        "workload",      "bytes",
                                          "flops",     "device_rung", "device_mode", "device_time_s", "host_rung",
                                          "host_mode", "host_time_s", "gain"};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        const json_t *own = json_object_get(point, columns[i]);
        const json_t *value = own ? own : json_object_get(crossover, columns[i]);
        fputs(i > 0 ? "," : "", to);
        if (!point)
            fputs(columns[i], to);
        else if (json_is_number(value))
            fprintf(to, "%.9g", json_number_value(value));
        else
            csv_put_text(to, json_string_value(value));
    }
    fputc('\n', to);
}

size_t crossovers_print_csv(const struct result_list *rows, FILE *to)
{
    json_t *list = crossovers_json(rows);
    size_t lines = 0;
    put_line(to, NULL, NULL);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *crossover = json_array_get(list, i), *points = json_object_get(crossover, "points");
        for (size_t k = 0; k < json_array_size(points); k++, lines++)
            put_line(to, crossover, json_array_get(points, k));
    }
    json_decref(list);
    return lines;
}

#include "crossover.h"

#include "bench/base/csv_text.h"
#include "bench/base/json_text.h"
#include "bench/base/memory.h"
#include "bench/base/plain_text.h"
#include "standing.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a device does in its mode is compared with what the host does on data that is there already; several GPUs with
 * one. */
static const char host_mode[] = "hot";
static const struct comparison {
    const char *device_mode, *what;
    enum among host, device;
} comparisons[] = {{"e2e", "with transfers", AMONG_HOST, AMONG_DEVICES},
                   {"hot", "the kernel alone", AMONG_HOST, AMONG_DEVICES},
                   {"hot", "several GPUs", AMONG_DEVICES, AMONG_TOGETHER}};
enum { COMPARISONS = sizeof comparisons / sizeof comparisons[0] };

enum { POINTS_MIN = 3 }; /* fewer sizes show no trend */

/* A workload on which both sides have a best time, in one of the comparisons; or none is known of one side. */
struct point {
    const struct result *host, *device;
    const struct result *doubtful; /* which of them is in the place of the best; NULL: none */
    struct ratio gain;             /* how many times as fast the device is */
};

static struct point point_of(const struct result_list *block, const struct comparison *is)
{
    struct point point = {standing_fastest(block, block->items, host_mode, is->host),
                          standing_fastest(block, block->items, is->device_mode, is->device),
                          NULL,
                          {NAN, NAN, NAN, false}};
    if (!point.host)
        point.host = point.doubtful = standing_doubtful(block, block->items, host_mode, is->host);
    if (!point.device)
        point.device = point.doubtful = standing_doubtful(block, block->items, is->device_mode, is->device);
    if (point.host && point.device && !point.doubtful)
        point.gain = standing_ratio(point.host, point.device);
    return point;
}

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

static int order_of(double a, double b)
{
    return (a > b) - (a < b);
}

/* Those without a gain last. */
static int by_size(const void *left, const void *right)
{
    const struct point *a = left, *b = right;
    if (!a->doubtful != !b->doubtful)
        return a->doubtful ? 1 : -1;
    int bytes = order_of(a->host->bytes, b->host->bytes), flops = order_of(a->host->flops, b->host->flops);
    return bytes ? bytes : flops ? flops : (a->host > b->host) - (a->host < b->host);
}

/* Those of one kind, by size; the number of those with a gain, and of all. */
static size_t find_points(const struct result_list *rows, const struct result *like, const struct comparison *is,
                          struct point *points, size_t *all)
{
    struct result_list block;
    size_t count = 0, known = 0;
    for (size_t first = 0; first < rows->count; first += block.count) {
        block = result_list_around(rows, &rows->items[first]);
        const struct point point = point_of(&block, is);
        if (point.host && point.device && is_same_kind(point.host, like)) {
            points[count++] = point;
            known += !point.doubtful;
        }
    }
    qsort(points, count, sizeof *points, by_size);
    *all = count;
    return known;
}

enum { SENTENCE = 1024 };

/* "square-256 (0.61x, this_rung against that_rung)" */
static const char *point_text(const struct point *point, char text[SENTENCE / 4])
{
    snprintf(text, SENTENCE / 4, point->gain.value < 100 ? "%s (%.3gx, %s against %s)" : "%s (%.0fx, %s against %s)",
             point->host->workload, point->gain.value, point->device->variant, point->host->variant);
    return text;
}

static json_t *sentence(const struct comparison *is, const struct point *first, const struct point *end,
                        const struct point *all_end)
{
    const char *kind = kind_of(first->host), *transfer = first->device->transfer;
    const struct point *last_loss = NULL;
    char text[SENTENCE], point[SENTENCE / 4];
    size_t wins = 0;
    for (const struct point *at = first; at < end; at++) {
        wins += at->gain.value > 1;
        last_loss = at->gain.value > 1 ? last_loss : at;
    }
    snprintf(text, SENTENCE,
             "%s%s%s: %s (%s%s%s), the best %s rung is faster than the best %s rung (%s) at %zu of %zu sizes",
             first->host->op, kind[0] ? ", " : "", kind, is->what, is->device_mode, transfer[0] ? ", " : "", transfer,
             first->device->backend, first->host->backend, host_mode, wins, (size_t)(end - first));
    if (last_loss)
        text_append(text, SENTENCE, ", the last where it is not being %s", point_text(last_loss, point));
    if (last_loss != end - 1)
        text_append(text, SENTENCE, ", and always from %s on", point_text(last_loss ? last_loss + 1 : first, point));
    for (const struct point *at = end; at < all_end; at++)
        text_append(text, SENTENCE, "%s %s (%s is %s)", at == end ? ", unknown at" : ",", at->doubtful->workload,
                    at->doubtful->variant, result_unfair(at->doubtful));
    return json_known(text);
}

static json_t *point_json(const struct point *point)
{
    json_t *to = JSON_OBJECT(
        {"workload", json_known(point->host->workload)}, {"bytes", json_number(point->host->bytes)},
        {"flops", json_number(point->host->flops)}, {"device_rung", json_known(point->device->variant)},
        {"device_time_s", json_number(point->device->statistics.median)},
        {"host_rung", json_known(point->host->variant)}, {"host_time_s", json_number(point->host->statistics.median)});
    standing_put_ratio(to, "gain", point->gain);
    return to;
}

/* Up to `end` they have a gain, up to `all_end` none. */
static json_t *crossover_json(const struct comparison *is, const struct point *first, const struct point *end,
                              const struct point *all_end)
{
    json_t *points = json_array(), *unknown = json_array();
    for (const struct point *point = first; point < end; point++)
        json_array_append_new(points, point_json(point));
    for (const struct point *point = end; point < all_end; point++)
        json_array_append_new(unknown, JSON_OBJECT({"workload", json_known(point->doubtful->workload)},
                                                   {"rung", json_known(point->doubtful->variant)},
                                                   {"unfair", json_known(result_unfair(point->doubtful))}));
    return JSON_OBJECT({"op", json_known(first->host->op)}, {"kind", json_known(kind_of(first->host))},
                       {"what", json_known(is->what)}, {"device_mode", json_known(is->device_mode)},
                       {"host_mode", json_known(host_mode)}, {"device_backend", json_known(first->device->backend)},
                       {"host_backend", json_known(first->host->backend)}, {"text", sentence(is, first, end, all_end)},
                       {"points", points}, {"unknown", unknown});
}

json_t *crossovers_json(const struct result_list *rows)
{
    struct point *points = memory_get(rows->count, sizeof *points);
    json_t *list = json_array();
    struct result_list block;
    for (size_t first = 0; first < rows->count; first += block.count) {
        block = result_list_around(rows, &rows->items[first]);
        for (size_t i = 0; i < COMPARISONS && result_is_first(rows, block.items, is_same_kind); i++) {
            size_t all;
            const size_t known = find_points(rows, block.items, &comparisons[i], points, &all);
            if (known >= POINTS_MIN)
                json_array_append_new(list, crossover_json(&comparisons[i], points, points + known, points + all));
        }
    }
    free(points);
    return list;
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

#include "crossover.h"

#include "bench/base/csv_text.h"
#include "bench/base/json_text.h"
#include "row_index.h"
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

/* A workload on which both sides have a best time. */
struct point {
    const struct result *host, *device;
    double gain; /* how many times faster the device is */
};

struct crossover {
    const char *op, *kind; /* "zip", "transposed": the word at the end of its shapes; empty: they have none */
    const struct comparison *is;
    const struct point *points; /* in order of size */
    size_t count;
};

/* False ends the visits: no memory. */
typedef bool visitor(void *self, const struct crossover *crossover);

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

static void print_sentence(FILE *to, const struct crossover *crossover)
{
    const struct result *device = crossover->points[0].device;
    const char *transfer = device->transfer;
    fprintf(to, "%s%s%s: %s (%s%s%s), the best %s rung ", crossover->op, crossover->kind[0] ? ", " : "",
            crossover->kind, crossover->is->what, crossover->is->device_mode, transfer[0] ? ", " : "", transfer,
            device->backend);
    print_verdict(to, crossover->points, crossover->count);
}

/* Visits both comparisons of one kind, where there are enough sizes. */
static bool compare(const struct standings *standings, const struct place *places, size_t place_count,
                    struct point *points, visitor *visit, void *self)
{
    bool ok = true;
    for (size_t i = 0; i < sizeof comparisons / sizeof comparisons[0] && ok; i++) {
        size_t count = find_points(standings, places, place_count, comparisons[i].device_mode, points);
        struct crossover crossover = {places->kind->op, kind_of(places->kind), &comparisons[i], points, count};
        ok = count < POINTS_MIN || visit(self, &crossover);
    }
    return ok;
}

/* For each operation, or kind of it. False: no memory. */
static bool visit_all(const struct result_list *rows, visitor *visit, void *self, struct error *error)
{
    struct point *points = calloc(rows->count + 1, sizeof *points);
    struct place *places = calloc(rows->count + 1, sizeof *places);
    struct standings standings = {NULL};
    size_t count = 0;
    bool ok = points && places && standings_make(rows, &standings, error) && find_places(rows, places, &count);
    for (size_t first = 0, end; first < count && ok; first = end) {
        for (end = first; end < count && places[end].kind == places[first].kind;)
            end++;
        ok = compare(&standings, &places[first], end - first, points, visit, self);
    }
    standings_free(&standings);
    free(places);
    free(points);
    return ok || error_set(error, "no memory for the crossover");
}

struct text {
    FILE *to;
    size_t lines;
};

static bool print_line(void *self, const struct crossover *crossover)
{
    struct text *text = self;
    fputs(text->lines++ == 0 ? "\nWhen is a device faster?\n  " : "  ", text->to);
    print_sentence(text->to, crossover);
    return true;
}

bool crossovers_print(const struct result_list *rows, FILE *to, struct error *error)
{
    return visit_all(rows, print_line, &(struct text){.to = to}, error);
}

static void put_text(FILE *to, const char *text)
{
    csv_put_text(to, text);
    fputc(',', to);
}

/* Unknown numbers are empty. */
static void put_number(FILE *to, double number)
{
    if (isfinite(number))
        fprintf(to, "%.9g", number);
    fputc(',', to);
}

static void put_side(FILE *to, const struct result *side)
{
    put_text(to, side->variant);
    put_text(to, side->mode);
    put_number(to, side->statistics.median);
}

static bool print_points(void *self, const struct crossover *crossover)
{
    struct text *text = self;
    for (const struct point *point = crossover->points; point < crossover->points + crossover->count; point++) {
        put_text(text->to, crossover->op);
        put_text(text->to, crossover->kind);
        put_text(text->to, crossover->is->what);
        put_text(text->to, point->host->workload);
        put_number(text->to, point->host->bytes);
        put_number(text->to, point->host->flops);
        put_side(text->to, point->device);
        put_side(text->to, point->host);
        fprintf(text->to, "%.9g\n", point->gain);
        text->lines++;
    }
    return true;
}

bool crossovers_print_csv(const struct result_list *rows, FILE *to, size_t *lines, struct error *error)
{
    struct text text = {.to = to};
    fputs("op,kind,what,workload,bytes,flops,device_rung,device_mode,device_time_s,host_rung,host_mode,host_time_s,"
          "gain\n",
          to);
    bool ok = visit_all(rows, print_points, &text, error);
    *lines = text.lines;
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
    for (size_t i = 0; i < crossover->count && ok; i++)
        ok = json_array_append_new(list, point_json(&crossover->points[i])) == 0;
    return json_if(ok, list);
}

static json_t *sentence_json(const struct crossover *crossover)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    print_sentence(stream, crossover);
    bool ok = fclose(stream) == 0;
    if (ok)
        text[strcspn(text, "\n")] = '\0';
    json_t *sentence = ok ? json_text(text) : NULL;
    free(text);
    return sentence;
}

static bool append_json(void *self, const struct crossover *crossover)
{
    json_t *to = json_object();
    bool ok = json_put_text(to, "op", crossover->op) && json_put_text(to, "kind", crossover->kind) &&
              json_put_text(to, "what", crossover->is->what) &&
              json_put_text(to, "device_mode", crossover->is->device_mode) &&
              json_put_text(to, "host_mode", host_mode) &&
              json_put_text(to, "device_backend", crossover->points[0].device->backend) &&
              json_put_text(to, "host_backend", crossover->points[0].host->backend) &&
              json_put(to, "text", sentence_json(crossover)) && json_put(to, "points", points_json(crossover));
    return json_array_append_new(self, json_if(ok, to)) == 0;
}

json_t *crossovers_json(const struct result_list *rows)
{
    json_t *list = json_array();
    struct error ignored;
    return json_if(visit_all(rows, append_json, list, &ignored), list);
}

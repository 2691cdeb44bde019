#include "tune.h"

#include "bench/base/memory.h"
#include "bench/base/statistics.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whose time is that of a candidate's own kernel. */
static bool counts(const struct result *row)
{
    return result_is_comparable(row) && row->runs_as[0] == '\0' && model_find(row->variant) >= 0 && row->device &&
           row->device->multiprocessors > 0;
}

static double fastest_s(const struct result_list *rows, const struct result *like)
{
    double best_s = INFINITY;
    for (const struct result *row = rows->items; row < rows->items + rows->count; row++)
        if (counts(row) && result_same_workload(row, like) && row->statistics.median < best_s)
            best_s = row->statistics.median;
    return best_s;
}

static struct timed_shape timed_of(const struct result_list *rows, const struct result *row)
{
    struct model_shape shape = {.multiprocessors = row->device->multiprocessors};
    (void)sscanf(row->shape, "%" SCNd64 "x%" SCNd64 "x%" SCNd64, &shape.m, &shape.k, &shape.n);
    shape.a_is_wide = shape.k % 4 == 0; /* buffers are aligned */
    shape.b_is_wide = shape.n % 4 == 0;
    return (struct timed_shape){(size_t)model_find(row->variant), shape, 1e6 * row->statistics.median,
                                1e6 * fastest_s(rows, row)};
}

static bool is_same_shape(const struct model_shape *a, const struct model_shape *b)
{
    return a->m == b->m && a->k == b->k && a->n == b->n;
}

/* Whether what comes after that candidate was timed, too: then it is not chosen. */
static bool is_succeeded(const struct timed_shape *timed, size_t count, size_t candidate)
{
    const int successor = model_successor(candidate);
    for (size_t i = 0; i < count; i++)
        if (successor >= 0 && timed[i].candidate == (size_t)successor)
            return true;
    return false;
}

/* The time of the fastest candidate over that of the one that the model chooses, for the shape of each row, sorted. */
static struct statistics choices_of(const struct timed_shape *timed, size_t count)
{
    double *ratios = memory_get(count, sizeof *ratios);
    for (size_t i = 0; i < count; i++) {
        double least_us = INFINITY;
        for (size_t j = 0; j < count; j++) {
            const double us = model_us(timed[j].candidate, &timed[j].shape);
            if (is_same_shape(&timed[i].shape, &timed[j].shape) && us < least_us &&
                !is_succeeded(timed, count, timed[j].candidate))
                least_us = us, ratios[i] = timed[j].best_us / timed[j].us;
        }
    }
    const struct statistics statistics = statistics_of(ratios, count);
    free(ratios);
    return statistics;
}

bool tune_keep(const struct result_list *rows, struct error *error)
{
    static double constants[MODEL_CANDIDATES_MAX][MODEL_TERMS];
    struct timed_shape *timed = memory_get(rows->count, sizeof *timed);
    const struct device_info *device = NULL;
    char path[PATH_MAX];
    size_t count = 0;
    for (const struct result *row = rows->items; row < rows->items + rows->count; row++)
        if (counts(row)) {
            device = row->device;
            timed[count++] = timed_of(rows, row);
        }
    constants_fit(timed, count, constants);
    bool ok = (device || error_set(error, "--tune: no row was timed")) &&
              constants_keep(device, (const double(*)[MODEL_TERMS])constants, path, error);
    if (ok) {
        model_use((const double(*)[MODEL_TERMS])constants);
        const struct statistics choices = choices_of(timed, count);
        error_say("%s: constants %s; the rung that they choose has %.0f %% of the fastest one's speed on the "
                  "median shape, %.0f %% on the worst",
                  path, model_digest(), 100 * choices.median, 100 * choices.min);
    }
    free(timed);
    return ok;
}

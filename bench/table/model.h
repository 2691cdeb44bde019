/* How long rungs of matmul should take: the model by which its auto rungs choose among the candidates of model.def. A
 * candidate's time is a sum of a few terms, which follow from the shape and the device, each times a constant that was
 * measured: model.def has those of an H200, and `rungbench --tune` measures those of a device (bench/run/tune.h).
 * FP32, cold caches. */
#pragma once

#include "bench/base/ceil_div.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MODEL_TERMS = 6, MODEL_CANDIDATES_MAX = 16, MODEL_DIGEST = 9, MODEL_VERSION = 1 /* of its terms */ };

struct model_shape {
    int64_t m, k, n, multiprocessors;
    bool a_is_wide, b_is_wide; /* its rows are aligned to 16 bytes; those of c as those of b */
};

struct candidate {
    const char *name;                                                          /* of a KERNEL in rungs.def */
    void (*terms)(const struct model_shape *shape, double terms[MODEL_TERMS]); /* behind the last are zeros */
    double constants[MODEL_TERMS];                                             /* in microseconds; none is negative */
};

/* In the order of model.def. */
extern const struct candidate candidates[];
extern const size_t candidate_count;

/* The candidate that a rung of this variant is, with its name behind the first _; -1: none. */
int model_find(const char *variant);

/* The candidate that is better wherever it runs, so that this one is for GPUs on which that does not; -1: none. */
int model_successor(size_t candidate);

/* The constants in use, each candidate's in a row. NULL: those of model.def. They stay where they are. */
void model_use(const double constants[][MODEL_TERMS]);

/* A candidate's time in microseconds by the constants in use. */
double model_us(size_t candidate, const struct model_shape *shape);

/* The first digits of the digest of the constants in use. */
const char *model_digest(void);

/* How kernels/matmul/split.cu launches. Clusters have at most so many blocks; 1: there are none. */
enum { SPLIT_THREADS = 640, SPLIT_WIDEST = 32, SPLIT_NARROWEST = 4, SPLIT_CLUSTER = 8 };
enum { SPLIT_BATCH = 13 }; /* 61 threads per column need one batch for k = 784 */
struct split_plan {
    int width, lanes, splits; /* columns of a panel, threads for each, blocks that share k */
    int64_t panels;
};

static inline struct split_plan plan_split(const struct model_shape *s, int cluster)
{
    struct split_plan plan = {SPLIT_WIDEST, 0, 1, 0};
    while (plan.width > SPLIT_NARROWEST && s->m * ceil_div(s->n, plan.width / 2) <= s->multiprocessors / 2)
        plan.width /= 2;
    plan.width = s->n < plan.width ? (int)s->n : plan.width;
    plan.lanes = SPLIT_THREADS / plan.width;
    if (ceil_div(s->k, SPLIT_BATCH) < plan.lanes)
        plan.lanes = (int)ceil_div(s->k, SPLIT_BATCH);
    plan.panels = ceil_div(s->n, plan.width);
    while (plan.splits < cluster && s->k > (int64_t)plan.splits * SPLIT_BATCH * plan.lanes &&
           s->m * plan.panels * plan.splits < 2 * s->multiprocessors)
        plan.splits *= 2;
    return plan;
}

/* How kernels/matmul/outer.cu does. */
enum { OUTER_WARPS = 4, OUTER_COLUMNS = 128, OUTER_CLUSTER_ROWS = 32 /* of all blocks' tiles that one has room for */ };
struct outer_plan {
    bool shares_k; /* the warps of a block do; else each has rows of its own */
    int rows, splits;
    int64_t panels, tiles;
};

static inline struct outer_plan plan_outer(const struct model_shape *s, int cluster)
{
    const int64_t enough = 4 * s->multiprocessors, panels = ceil_div(s->n, OUTER_COLUMNS), least_part = 16;
    const bool has_many = s->m > 8 && ceil_div(s->m, 8 * OUTER_WARPS) * panels >= enough;
    struct outer_plan plan = {!has_many && s->k >= OUTER_WARPS * least_part, s->m <= 4 ? 4 : 8, 1, panels, 0};
    if (!plan.shares_k)
        plan.rows = 8;
    plan.tiles = panels * ceil_div(s->m, plan.shares_k ? plan.rows : plan.rows * OUTER_WARPS);
    while (plan.shares_k && plan.splits < cluster && plan.splits < OUTER_CLUSTER_ROWS / plan.rows &&
           plan.tiles * plan.splits < enough && s->k >= 2 * plan.splits * OUTER_WARPS * least_part)
        plan.splits *= 2;
    return plan;
}

/* How long the blocks of a kernel take, in microseconds: by this some rungs choose a tile, and how many blocks share k.
 */
struct block_times {
    int blocks;         /* a multiprocessor (SM) holds so many */
    double alone_us;    /* a step of a block that has an SM for itself */
    double full_us;     /* a step of each of `blocks` blocks */
    double begin_us;    /* until the first step is there, and for the stores */
    double exchange_us; /* of sums, if clusters share k */
};

/* A tile of C, in steps along k. */
struct tile_times {
    int bm, bn, bk;
    struct block_times times;
};

/* On an H200. */
#ifdef __cplusplus
#define MODEL_TIMES constexpr struct tile_times
#else
#define MODEL_TIMES static const struct tile_times
#endif
enum { FITTED_TILES_TIMED = 3 };
MODEL_TIMES fitted_times[FITTED_TILES_TIMED] = {
    {64, 128, 16, {3, 0.83, 2.26, 2.0, 1.0}},
    {32, 64, 16, {6, 0.39, 1.24, 1.15, 1.0}},
    {32, 32, 32, {8, 0.40, 1.86, 0.9, 1.0}},
};
MODEL_TIMES fp16x3_wgmma_times = {128, 128, 64, {1, 1.02, 1.02, 2, 5.5}};

/* What a launch of `blocks` blocks of so many steps should take on so many SMs, without what all launches take. */
static inline double estimate_us(const struct block_times *times, double blocks, double steps, unsigned splits,
                                 int multiprocessors)
{
    double room = (double)multiprocessors * times->blocks, rounds = floor(blocks / room);
    double last = ceil((blocks - rounds * room) / multiprocessors); /* blocks on the fullest SM in the last round */
    double begin_us = times->begin_us + (splits > 1 ? times->exchange_us : 0);
    double us = rounds * (begin_us + steps * times->full_us), shared = times->blocks > 1 ? times->blocks - 1 : 1;
    if (last > 0)
        us += begin_us + steps * (times->alone_us + (last - 1) / shared * (times->full_us - times->alone_us));
    return us;
}

enum { SPLITS = 5 }; /* 1, 2, 4, 8 and 16 blocks */

/* A split is taken if its estimate is below that of those before it by so much: they have less to do besides. */
static const double worth_it = 0.97;

/* How many blocks are to share the `steps` of each of so many tiles, and what the launch should take then. So many SMs
 * have room for blocks, by split. */
static inline unsigned splits_for(const struct block_times *times, int64_t tiles, int64_t steps,
                                  const int multiprocessors[SPLITS], double *least_us)
{
    unsigned best = 0;
    *least_us = INFINITY;
    for (int i = 0; i < SPLITS; i++) {
        const unsigned splits = 1u << i;
        const int usable = multiprocessors[i] > 0 ? multiprocessors[i] : 1;
        const double us = estimate_us(times, (double)(tiles * splits), (double)ceil_div(steps, splits), splits, usable);
        if (multiprocessors[i] > 0 && us < worth_it * *least_us)
            best = splits, *least_us = us;
    }
    return best;
}

#ifdef __cplusplus
}
#endif

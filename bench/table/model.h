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

enum { MODEL_TERMS = 6, MODEL_CANDIDATES_MAX = 16, MODEL_DIGEST = 9, MODEL_VERSION = 5 /* of its terms */ };

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

/* Whether it may be chosen at all: what is only for small products, or for a short k,
 * would take long elsewhere, also to be timed. */
bool model_considers(size_t candidate, int64_t m, int64_t k, int64_t n);

/* The candidate that is better wherever it runs, so that this one is for GPUs on which that does not; -1: none. */
int model_successor(size_t candidate);

/* The constants in use, each candidate's in a row. NULL: those of model.def. They stay where they are. */
void model_use(const double constants[][MODEL_TERMS]);

/* A candidate's time in microseconds by the constants in use. */
double model_us(size_t candidate, const struct model_shape *shape);

/* The first digits of the digest of the constants in use. */
const char *model_digest(void);

/* How kernels/matmul/split.cu launches: a block has up to 640 threads or, where b is large, 256, of which an SM holds
 * several. Clusters have at most so many blocks; 1: there are none. */
enum { SPLIT_THREADS = 640, SPLIT_WIDEST = 32, SPLIT_NARROWEST = 4, SPLIT_CLUSTER = 8, SPLIT_PARTS_MOST = 32 };
enum { SPLIT_BATCH = 13 /* 61 threads per column need one for k = 784 */, SPLIT_BATCH_LARGE = 8 };
enum { SPLIT_LANES = 8, SPLIT_BLOCKS = 5, SPLIT_LARGE = 1 << 20 };
struct split_plan {
    bool is_large;
    int width, lanes;  /* columns of a panel, threads for each */
    int splits, parts; /* blocks of a cluster, and clusters, that share k */
    int64_t panels;
    double turns; /* batches, one after the other, and what takes as long */
};

static inline struct split_plan plan_split(const struct model_shape *s, int cluster)
{
    const int64_t all = s->multiprocessors, long_k = 4 * cluster * SPLIT_BATCH * (SPLIT_THREADS / SPLIT_WIDEST);
    const bool is_large =
        s->n >= SPLIT_WIDEST && s->k >= SPLIT_LANES * SPLIT_BATCH_LARGE && s->k >= ceil_div(SPLIT_LARGE, s->n);
    struct split_plan best = {is_large, SPLIT_WIDEST, 0, 1, 1, 0, INFINITY};
    while (!best.is_large && s->k <= long_k && best.width > SPLIT_NARROWEST &&
           s->m * ceil_div(s->n, best.width / 2) <= all / 2)
        best.width /= 2; /* a narrow panel reads parts of sectors, which a short k is too short to show */
    best.width = s->n < best.width ? (int)s->n : best.width;
    best.panels = ceil_div(s->n, best.width);
    best.lanes = best.is_large ? SPLIT_LANES : SPLIT_THREADS / best.width;
    if (!best.is_large && ceil_div(s->k, SPLIT_BATCH) < best.lanes)
        best.lanes = (int)ceil_div(s->k, SPLIT_BATCH);
    const int of_threads = 1024 / (best.width * best.lanes), blocks_most = 32;
    const int64_t few_held = of_threads < blocks_most ? of_threads : blocks_most;
    const int64_t held = best.is_large ? (int64_t)SPLIT_BLOCKS : few_held;
    const int64_t batch = (int64_t)best.lanes * (best.is_large ? SPLIT_BATCH_LARGE : SPLIT_BATCH);
    const int parts_most = s->m * best.panels <= all * held ? SPLIT_PARTS_MOST : 1; /* each has a C of its own */
    for (int parts = 1; parts <= parts_most; parts *= 2)
        for (int splits = 1; splits <= cluster; splits *= 2) {
            const int64_t shares = (int64_t)splits * parts, rounds = ceil_div(s->m * best.panels * shares, all * held);
            const double turns = (double)(rounds * (ceil_div(s->k, shares * batch) + (splits > 1 ? 2 : 1))) +
                                 (parts > 1 ? 3 + parts / 8.0 : 0); /* another launch */
            if (turns < best.turns)
                best.splits = splits, best.parts = parts, best.turns = turns;
        }
    return best;
}

/* How kernels/matmul/outer.cu does. A multiprocessor has so many blocks; a thread has rows that lie four apart,
 * and columns side by side. */
enum { OUTER_THREADS = 128, OUTER_EACH = 8, OUTER_COLUMNS = 4, OUTER_BLOCKS = 5 };
struct outer_plan {
    int lanes; /* that share a row of a tile */
    int64_t tiles_n, blocks;
};

/* Where rows of C are not aligned to 16 bytes, up to three columns of the first tile lie before it. */
static inline struct outer_plan plan_outer(int64_t m, int64_t n, bool is_wide)
{
    const int64_t columns = is_wide ? n : n + 3;
    const int lanes = columns <= 32 ? 8 : columns <= 64 ? 16 : 32;
    const int64_t tiles_n = ceil_div(columns, OUTER_COLUMNS * lanes);
    const struct outer_plan plan = {lanes, tiles_n, ceil_div(m, OUTER_THREADS / lanes * OUTER_EACH) * tiles_n};
    return plan;
}

/* How kernels/matmul/rows.cu does. A block has four warps, `sharing` of which have the same rows of C, `rows` for each
 * of 32 lanes, and a panel of their columns each, or every so many-th. */
enum { ROWS_WARPS = 4 };
struct rows_plan {
    int rows, panel, panels, sharing;
    int64_t blocks;
};

static inline struct rows_plan plan_rows(int64_t m, int64_t n, int64_t multiprocessors)
{
    const bool many = m >= 128 * multiprocessors && n > 4;
    struct rows_plan plan = {many ? 2 : 1, n <= 4 ? 4 : !many || n <= 24 ? 8 : n <= 32 ? 32 : 16, 0, 1, 0};
    plan.panels = (int)ceil_div(n, plan.panel);
    for (;; plan.sharing *= 2) {
        plan.blocks = ceil_div(m, 32 * plan.rows * ROWS_WARPS / plan.sharing);
        if (plan.sharing == ROWS_WARPS || (plan.sharing >= plan.panels && 2 * plan.blocks >= multiprocessors))
            return plan;
    }
}

/* How kernels/matmul/skinny.cu does. Each block has a part of k, whose part of B its shared memory has room for. */
enum { SKINNY_STEP = 64, SKINNY_TILE = 8, SKINNY_WARPS = 8, SKINNY_BLOCKS = 2 /* of a multiprocessor */ };
enum { SKINNY_RESERVED_BYTES = 1024, SKINNY_SHARED_BYTES = 227 * 1024 /* of a Hopper GPU's multiprocessor */ };
struct skinny_plan {
    int width, shares;            /* columns, warps that share a tile of rows and k */
    int64_t parts, blocks, steps; /* parts of k, blocks for each, steps of a part */
    int64_t rounds, turns;        /* tiles, one after the other, and steps of a warp for each */
};

static inline struct skinny_plan plan_skinny(const struct model_shape *s, int shared_bytes)
{
    const int width = s->n <= 2 ? (int)s->n : s->n <= 4 ? 4 : s->n <= 10 ? 10 : 16;
    const int free_bytes =
        shared_bytes / SKINNY_BLOCKS - SKINNY_RESERVED_BYTES - SKINNY_WARPS * SKINNY_TILE * width * 4;
    const int step_bytes = SKINNY_STEP * width * 4;
    const int64_t steps = ceil_div(s->k, SKINNY_STEP), room = free_bytes < step_bytes ? 1 : free_bytes / step_bytes;
    const int64_t tiles = ceil_div(s->m, SKINNY_TILE), all = SKINNY_BLOCKS * s->multiprocessors;
    struct skinny_plan best = {0, 0, 0, 0, 0, 0, 0};
    int64_t least = INT64_MAX; /* halves of a step; adding up takes three of them, and another launch six and more */
    for (int64_t parts = ceil_div(steps, room); best.parts == 0 || (parts <= all && parts <= steps); parts *= 2)
        for (int shares = 1; shares <= SKINNY_WARPS; shares *= 2) {
            struct skinny_plan plan = {width, shares, 0, 0, ceil_div(steps, parts), 0, 0};
            const int64_t teams = SKINNY_WARPS / shares, most = parts < all ? all / parts : 1;
            plan.parts = ceil_div(steps, plan.steps);
            plan.blocks = most < ceil_div(tiles, teams) ? most : ceil_div(tiles, teams);
            plan.rounds = ceil_div(tiles, plan.blocks * teams) * ceil_div(plan.parts * plan.blocks, all);
            plan.turns = ceil_div(plan.steps, shares);
            const int64_t halves = plan.rounds * (2 * plan.turns + 3) + (plan.parts > 1 ? 6 + plan.parts / 16 : 0);
            if (halves < least)
                best = plan, least = halves;
        }
    return best;
}

/* How kernels/matmul/skinny_wgmma.cu does. A block has `groups` of four warps with 64 rows each, `sharing` of which
 * have the same rows and share k, and up to `width` columns. */
#define SKINNY_WGMMA_TILES(TILE) \
    TILE(32, 3, 1) TILE(32, 4, 2) TILE(32, 3, 3) TILE(64, 3, 1) TILE(64, 2, 2) TILE(128, 2, 1)
struct skinny_wgmma_tile {
    int width, groups, sharing;
};
struct skinny_wgmma_plan {
    struct skinny_wgmma_tile tile;
    bool turned;                        /* few rows of A are the columns, and B's columns the rows */
    int64_t rows, blocks, parts, steps; /* rows of a block, blocks for each part of k, its steps of 64 */
    double us;                          /* what it should take, without what all launches take */
};

/* The best launch with one tile, where each multiprocessor has up to so many blocks; 0: with k whole. */
static inline struct skinny_wgmma_plan plan_skinny_wgmma_tile(const struct model_shape *s,
                                                              const struct skinny_wgmma_tile *tile, int each)
{
    const bool turned = s->m < s->n, is_wide = turned ? s->b_is_wide : s->a_is_wide;
    const int64_t all = turned ? s->n : s->m, steps = ceil_div(s->k, 64), of_tile = tile->groups / tile->sharing * 64;
    const int64_t fewest = ceil_div(all, s->multiprocessors), most = each * s->multiprocessors / ceil_div(all, of_tile);
    struct skinny_wgmma_plan plan = {*tile, turned, of_tile, 0, most < 1 ? 1 : most < steps ? most : steps, 0, 0};
    if (plan.parts == 1)
        plan.rows = fewest > 16 ? ceil_div(fewest, 16) * 16 : 16;
    plan.blocks = ceil_div(all, plan.rows);
    plan.steps = ceil_div(steps, plan.parts);
    plan.parts = ceil_div(steps, plan.steps);
    const double turns = (double)(ceil_div(plan.rows, of_tile) * ceil_div(plan.steps, tile->sharing));
    const double rows_us = 0.46 + (turned ? 0.17 : 0) + (is_wide ? 0 : tile->width == 128 ? 0.63 : 0.18); /* 64 */
    const double turn_us = 0.26 + rows_us * tile->groups + 0.88 * tile->sharing * tile->width / 128;
    plan.us = (double)ceil_div(plan.blocks * plan.parts, s->multiprocessors) * (2.4 + turns * turn_us) +
              2.7e-6 * (double)(plan.parts * s->m * s->n) + (plan.parts > 1 ? 2.4 : 0);
    return plan;
}

static inline struct skinny_wgmma_plan plan_skinny_wgmma(const struct model_shape *s)
{
#define TILE(width, groups, sharing) {width, groups, sharing},
    static const struct skinny_wgmma_tile tiles[] = {SKINNY_WGMMA_TILES(TILE)};
#undef TILE
    enum { EACH_MOST = 3, TILES = sizeof tiles / sizeof tiles[0] };
    const int64_t columns = s->m < s->n ? s->m : s->n;
    struct skinny_wgmma_plan best = {tiles[0], false, 0, 0, 0, 0, INFINITY};
    for (int i = 0; i < TILES; i++)
        for (int each = 0; each <= EACH_MOST && tiles[i].width == (columns <= 32   ? 32
                                                                   : columns <= 64 ? 64
                                                                                   : 128);
             each++) {
            const struct skinny_wgmma_plan plan = plan_skinny_wgmma_tile(s, &tiles[i], each);
            if (plan.us < best.us)
                best = plan;
        }
    return best;
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
enum { FITTED_TILES_TIMED = 5 };
MODEL_TIMES fitted_times[2][FITTED_TILES_TIMED] = {
    {
        {64, 128, 16, {3, 0.86, 2.49, 2.77, 3.2}}, /* where rows of B and C begin anywhere */
        {32, 64, 16, {6, 0.44, 1.55, 1.99, 1.6}},
        {32, 32, 32, {8, 0.56, 2.60, 1.90, 1.9}},
        {16, 128, 16, {5, 0.46, 1.51, 1.29, 2.0}},
        {128, 64, 16, {3, 0.92, 2.56, 2.77, 3.2}},
    },
    {
        {64, 128, 16, {3, 0.79, 2.23, 2.00, 3.3}}, /* at multiples of 16 bytes */
        {32, 64, 16, {6, 0.37, 1.29, 2.00, 2.2}},
        {32, 32, 32, {8, 0.49, 2.11, 3.00, 1.9}},
        {16, 128, 16, {5, 0.31, 1.14, 1.30, 2.4}},
        {128, 64, 16, {3, 0.87, 2.31, 2.00, 3.3}},
    },
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

/* A choice is taken if its estimate is below that of those before it by so much: they have less to do besides. */
static const double worth_it = 0.97;

/* How blocks share a tile's k: so many in a cluster, and so many clusters. Each of several clusters writes a C of its
 * own, and another launch adds these up. */
struct shares {
    unsigned splits, clusters; /* no splits: no block fits */
};
enum { CLUSTERS_MOST = 16 };
static const double add_us = 1.9, add_us_per_element = 2.0e-6; /* of a C */

/* What the launches should take for so many tiles, each of so many steps, for a C of so many elements. INFINITY: no SM
 * has room for the blocks. */
static inline double shares_us(const struct block_times *times, double tiles, int64_t steps, double elements,
                               struct shares shares, int multiprocessors)
{
    const unsigned parts = shares.splits * shares.clusters;
    if (multiprocessors <= 0)
        return INFINITY;
    return estimate_us(times, tiles * parts, (double)ceil_div(steps, parts), shares.splits, multiprocessors) +
           (shares.clusters > 1 ? add_us + add_us_per_element * elements * shares.clusters : 0);
}

/* The shares that should take the least, and what that is; so many SMs have room for blocks, by split. */
static inline struct shares shares_for(const struct block_times *times, int64_t tiles, int64_t steps, double elements,
                                       const int multiprocessors[SPLITS], double *least_us)
{
    struct shares best = {0, 1};
    *least_us = INFINITY;
    for (unsigned clusters = 1; clusters <= CLUSTERS_MOST; clusters *= 2)
        for (int i = 0; i < SPLITS; i++) {
            const struct shares shares = {1u << i, clusters};
            const unsigned parts = shares.splits * clusters;
            const bool has_empty = (int64_t)(parts - shares.splits) * ceil_div(steps, parts) >= steps;
            if (clusters > 1 && (has_empty || tiles * parts > 4 * times->blocks * multiprocessors[0]))
                break;
            const double us = shares_us(times, (double)tiles, steps, elements, shares, multiprocessors[i]);
            if (us < worth_it * *least_us)
                best = shares, *least_us = us;
        }
    return best;
}

#ifdef __cplusplus
}
#endif

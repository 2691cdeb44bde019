#include "model.h"

#include "bench/base/digest.h"

#include <string.h>

/* Bytes that move at least, in units of 1e6. */
static double megabytes(const struct model_shape *s)
{
    const double m = (double)s->m, k = (double)s->k, n = (double)s->n;
    return 4e-6 * (m * k + k * n + m * n);
}

/* Rounds of blocks on multiprocessors that each hold so many. */
static double rounds_of(const struct model_shape *s, int64_t blocks, int64_t held)
{
    return (double)ceil_div(blocks, s->multiprocessors * held);
}

static double tiles_of(const struct model_shape *s, int64_t rows, int64_t columns)
{
    return (double)(ceil_div(s->m, rows) * ceil_div(s->n, columns));
}

static double k_of(const struct model_shape *s)
{
    return 1e-3 * (double)s->k;
}

/* Of products, in units of 1e6. */
static double products_of(const struct model_shape *s)
{
    return 1e-6 * (double)s->m * (double)s->k * (double)s->n;
}

/* A thread per element: for so small a C that any other kernel is longer to begin. */
static void naive_terms(const struct model_shape *s, double terms[MODEL_TERMS])
{
    terms[0] = 1;
    terms[1] = k_of(s);
    terms[2] = megabytes(s);
    terms[3] = products_of(s);
    terms[4] = rounds_of(s, ceil_div(s->m, 16) * ceil_div(s->n, 16), 8);
}

static void outer_terms(const struct model_shape *s, double terms[MODEL_TERMS])
{
    terms[0] = 1;
    terms[1] = megabytes(s);
    terms[2] = rounds_of(s, plan_outer(s->m, s->n, s->b_is_wide).blocks, OUTER_BLOCKS);
}

static void split_terms(const struct model_shape *s, double terms[MODEL_TERMS])
{
    const struct split_plan plan = plan_split(s, SPLIT_CLUSTER);
    terms[0] = 1;
    terms[1] = plan.turns;
    terms[2] = megabytes(s);
    terms[3] = products_of(s); /* each reads an element of B from the L2 cache */
    terms[4] = (double)(s->m * plan.panels * plan.splits * plan.parts) / (double)s->multiprocessors;
    terms[5] = plan.splits > 1 ? plan.splits : 0;
}

static void cluster_terms(const struct model_shape *s, double terms[MODEL_TERMS])
{
    const double rounds = ceil(8 * tiles_of(s, 32, 32) / (double)s->multiprocessors);
    terms[0] = 1;
    terms[1] = rounds;
    terms[2] = rounds * k_of(s);
    terms[3] = (double)ceil_div(s->k, 800);
    terms[4] = s->a_is_wide && s->b_is_wide ? 0 : rounds * k_of(s);
}

/* How long the launch of the best of some tiles should take by its own model, with k split where that is faster. */
static double tiles_us(const struct model_shape *s, const struct tile_times *tiles, int count)
{
    double least_us = INFINITY;
    int usable[SPLITS];
    for (int i = 0; i < SPLITS; i++) /* about: groups of SMs that run clusters are not all whole */
        usable[i] = (int)(s->multiprocessors - s->multiprocessors % (1 << i));
    for (const struct tile_times *tile = tiles; tile < tiles + count; tile++) {
        const int64_t blocks = ceil_div(s->m, tile->bm) * ceil_div(s->n, tile->bn);
        double us;
        (void)shares_for(&tile->times, blocks, ceil_div(s->k, tile->bk), (double)s->m * (double)s->n, usable, &us);
        least_us = us < worth_it * least_us ? us : least_us;
    }
    return least_us;
}

static void fitted_terms(const struct model_shape *s, double terms[MODEL_TERMS])
{
    terms[0] = 1;
    terms[1] = tiles_us(s, fitted_times[s->b_is_wide], FITTED_TILES_TIMED);
    terms[2] = megabytes(s);
    terms[3] = k_of(s);
    terms[4] = 4e-6 * (double)s->m * (double)s->n; /* bytes of C */
}

static void async_terms(const struct model_shape *s, double terms[MODEL_TERMS])
{
    terms[0] = 1;
    terms[1] = estimate_us(&fitted_times[s->b_is_wide][0].times, tiles_of(s, 64, 128), (double)ceil_div(s->k, 16), 1,
                           (int)s->multiprocessors);
    terms[2] = megabytes(s);
    terms[3] = k_of(s);
}

/* By tensor_tile.h. */
static void fp16x3_terms(const struct model_shape *s, double terms[MODEL_TERMS])
{
    const bool is_narrow = s->n <= 32;
    const double rounds = ceil(tiles_of(s, 64, is_narrow ? 32 : 128) / (double)s->multiprocessors);
    const double steps = rounds * (double)ceil_div(s->k, 16) * (is_narrow ? 0.25 : 1);
    terms[0] = 1;
    terms[1] = megabytes(s);
    terms[2] = steps;
    terms[3] = rounds;
    terms[4] = k_of(s);
    terms[5] = s->a_is_wide && (is_narrow || s->b_is_wide) ? 0 : steps;
}

static void skinny_terms(const struct model_shape *s, double terms[MODEL_TERMS])
{
    const struct skinny_plan plan = plan_skinny(s, SKINNY_SHARED_BYTES);
    terms[0] = 1;
    terms[1] = plan.parts > 1 ? 1 : 0; /* another launch */
    terms[2] = megabytes(s);
    terms[3] = (double)(plan.rounds * plan.turns * plan.width);
    terms[4] = (double)(plan.steps * plan.width) / (s->n == plan.width && s->a_is_wide ? 4 : 1); /* copies of B */
    terms[5] = (double)plan.rounds; /* to add up what lanes have */
}

static void skinny_tensor_terms(const struct model_shape *s, double terms[MODEL_TERMS])
{
    terms[0] = 1;
    terms[1] = k_of(s);
    terms[2] = megabytes(s);
    terms[3] = rounds_of(s, ceil_div(s->m, 16), 1);
}

static void skinny_wgmma_terms(const struct model_shape *s, double terms[MODEL_TERMS])
{
    const struct skinny_wgmma_plan plan = plan_skinny_wgmma(s);
    terms[0] = 1;
    terms[1] = plan.us;
    terms[2] = megabytes(s);
    terms[3] = (double)ceil_div(s->k, 64) / (double)(4 * s->multiprocessors); /* to pack */
    terms[4] = plan.parts > 1 ? 1 : 0;
}

static void fp16x3_wgmma_terms(const struct model_shape *s, double terms[MODEL_TERMS])
{
    const double rows = 128 * (double)(ceil_div(s->m, 128) + ceil_div(s->n, 128));
    const double factors = 4e-3 * k_of(s) * rows; /* in units of 1e6 bytes, with what is padding */
    terms[0] = 1;
    terms[1] = tiles_us(s, &fp16x3_wgmma_times, 1);
    terms[2] = megabytes(s);
    terms[3] = factors;
    terms[4] = s->b_is_wide ? 0 : ceil(tiles_of(s, 128, 128) / (double)s->multiprocessors);
    terms[5] = s->a_is_wide ? 0 : factors;
}

static void rows_terms(const struct model_shape *s, double terms[MODEL_TERMS])
{
    const struct rows_plan plan = plan_rows(s->m, s->n, s->multiprocessors);
    const double blocks = (double)plan.blocks / (double)s->multiprocessors, panels = (double)plan.panels;
    const double each = (double)ceil_div(plan.panels, plan.sharing); /* panels of a warp, one after the other */
    terms[0] = 1;
    terms[1] =
        blocks * ROWS_WARPS / plan.sharing * panels * k_of(s) * (plan.rows * (1 + plan.panel) + plan.panel / 4.0);
    terms[2] = megabytes(s);
    terms[3] = each * k_of(s);
    terms[4] = each * blocks;
}

const struct candidate candidates[] = {
#define CONSTANTS(name, ...) {#name, name##_terms, {__VA_ARGS__}},
#include "model.def"
};
const size_t candidate_count = sizeof candidates / sizeof candidates[0];
_Static_assert(sizeof candidates / sizeof candidates[0] <= MODEL_CANDIDATES_MAX, "there is no room for so many");

int model_find(const char *variant)
{
    const char *name = strchr(variant, '_');
    for (size_t i = 0; name && i < candidate_count; i++)
        if (strcmp(candidates[i].name, name + 1) == 0)
            return (int)i;
    return -1;
}

enum {
#undef CONSTANTS
#define CONSTANTS(name, ...) CANDIDATE_##name,
#include "model.def"
};

bool model_considers(size_t candidate, int64_t m, int64_t k, int64_t n)
{
    enum { NAIVE_K_MOST = 32, NAIVE_PRODUCTS_MOST = 1 << 17, OUTER_K_MOST = 4 };
    return candidate == CANDIDATE_naive   ? k <= NAIVE_K_MOST && m <= NAIVE_PRODUCTS_MOST / k / n
           : candidate == CANDIDATE_outer ? k <= OUTER_K_MOST
                                          : true;
}

int model_successor(size_t candidate)
{
    return candidate == CANDIDATE_async    ? CANDIDATE_fitted
           : candidate == CANDIDATE_fp16x3 ? CANDIDATE_fp16x3_wgmma
                                           : -1;
}

static const double (*used)[MODEL_TERMS];
static char used_digest[MODEL_DIGEST]; /* empty: not known */

static const double *constants_of(size_t candidate)
{
    return used ? used[candidate] : candidates[candidate].constants;
}

void model_use(const double constants[][MODEL_TERMS])
{
    used = constants;
    used_digest[0] = '\0';
}

double model_us(size_t candidate, const struct model_shape *shape)
{
    double terms[MODEL_TERMS] = {0}, us = 0;
    candidates[candidate].terms(shape, terms);
    for (int i = 0; i < MODEL_TERMS; i++)
        us += constants_of(candidate)[i] * terms[i];
    return us;
}

const char *model_digest(void)
{
    struct digest digest;
    char hex[DIGEST_HEX];
    if (used_digest[0] != '\0')
        return used_digest;
    digest_start(&digest);
    for (size_t i = 0; i < candidate_count; i++) {
        digest_add_text(&digest, candidates[i].name);
        digest_add(&digest, constants_of(i), sizeof candidates[i].constants);
    }
    digest_finish(&digest, hex);
    memcpy(used_digest, hex, sizeof used_digest - 1);
    return used_digest;
}

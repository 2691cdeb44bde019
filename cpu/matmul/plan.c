#include "plan.h"

#include "cpu/backend/cpu_isa.h"

#include <assert.h>
#include <omp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    KC = 384,          /* columns of a block of A, rows of a block of B */
    NC = 4096,         /* columns of a block of B */
    BLOCKS = 6,        /* of B, packed at a time; threads wait for each other once per BLOCKS */
    WHOLE_B = 1 << 17, /* elements of B that fit the L2 cache, so that K need not be cut */
    DIRECT_PANELS = 8, /* A is not packed for so many panels of B, or fewer */
    FLOP_PER_THREAD = 2000000,
    CACHE_LINE = 64,
};
static_assert(MC % 6 == 0 && MC % 14 == 0, "a block of A is a whole number of panels for each MR");
static_assert(NC % NR_MAX == 0, "a block of B is a whole number of panels");

struct plan plan_make(const struct matmul_problem *p)
{
    struct plan plan = {.problem = p, .kernels = microkernels_of(isa_best())};
    plan.nr = (int64_t)2 * plan.kernels->lanes;
    plan.direct = p->m <= (int64_t)2 * plan.kernels->mr || p->n <= (int64_t)DIRECT_PANELS * plan.nr;
    bool whole = plan.direct && p->k <= WHOLE_B / smaller(p->n, WHOLE_B);
    plan.kc = whole ? p->k : even_piece(p->k, KC, 1);
    plan.nc = even_piece(p->n, NC, plan.nr);
    plan.depth = plan.direct ? plan.kc : smaller(BLOCKS * plan.kc, p->k);
    int available = omp_get_max_threads();
    double wanted = 1 + 2.0 * (double)p->m * (double)p->n * (double)p->k / FLOP_PER_THREAD;
    plan.threads = wanted < available ? (int)wanted : available;
    return plan;
}

const char *plan_reserve(struct plan *plan)
{
    static float *memory;
    static size_t capacity;
    static char error[96];

    size_t b_floats = (size_t)plan->depth * (size_t)plan->nc;
    size_t a_floats = plan->direct ? 0 : (size_t)plan->threads * MC * (size_t)plan->kc;
    size_t bytes = (size_t)ceil_div((int64_t)((b_floats + a_floats) * sizeof(float)), CACHE_LINE) * CACHE_LINE;
    if (bytes > capacity) {
        free(memory);
        memory = aligned_alloc(CACHE_LINE, bytes);
        capacity = memory == NULL ? 0 : bytes;
    }
    if (memory == NULL) {
        snprintf(error, sizeof error, "matmul cpu_tuned: no memory for %zu bytes of packed blocks", bytes);
        return error;
    }
    plan->b_blocks = memory;
    plan->a_blocks = memory + b_floats;
    return NULL;
}

/* One panel is added for the cost of reading and packing A, which does not depend on the number of panels. */
int plan_threads_along_rows(int threads, int64_t row_units, int64_t panels)
{
    int best = 1;
    double best_cost = 0;
    for (int along = 1; along <= threads; ++along) {
        if (threads % along != 0)
            continue;
        double cost = (double)ceil_div(row_units, along) * (double)(ceil_div(panels, threads / along) + 1);
        if (best_cost == 0 || cost <= best_cost) {
            best_cost = cost;
            best = along;
        }
    }
    return best;
}

/* matmul_cpu_tuned: packed tiles, vectorised, all threads.
 *
 * Technique: that of GotoBLAS and BLIS, with their letters (F. Van Zee and R. van de Geijn, "BLIS: A Framework for
 * Rapidly Instantiating BLAS Functionality", ACM TOMS 41, 2015). C is computed in tiles of MR x NR elements. A tile
 * stays in registers while a loop over k multiplies a column of A by a row of B: MR + NR loads serve MR * NR
 * multiply-adds. B is packed beforehand in panels NR wide, so that this loop reads it aligned and with stride one for
 * every N. The loops around it keep a KC x NR panel of B in the L1 cache, an MC x KC block of A in the L2 cache, and a
 * KC x NC block of B in the last-level cache. Vectors are AVX-512, AVX2 or the baseline of the architecture, chosen at
 * run time.
 *
 * A is packed only where many panels of B use it. Where there are few (MNIST: N = 10 is one panel), packing A costs as
 * much as the product. There the loop reads MR rows of A in place, each with stride one, and prefetches the next MR
 * rows.
 *
 * Threads share rows or columns, whichever divides the work more evenly. A problem gets no more threads than it has
 * work for, and they wait for each other as seldom as possible.
 *
 * What it fixes in cpu_reordered: C is no longer loaded and stored for each k, each loaded element serves a whole tile,
 * data is reused from the caches, and all cores work.
 *
 * What bounds it: the multiply-add units if all three sizes are large; the bandwidth of reading A, once, if N is small.
 *
 * Measured: matmul/mnist/cpu_tuned/cold 1.478 ms (results/h200/mnist.csv) */
#include "bench/base/ceil_div.h"
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "cpu/backend/cpu_isa.h"
#include "cpu/microkernels.h"
#include "cpu/work.h"

#include <assert.h>
#include <omp.h>

enum {
    MC = 336,          /* rows of a block of A */
    KC = 384,          /* columns of a block of A, rows of a block of B */
    NC = 4096,         /* columns of a block of B */
    BLOCKS = 6,        /* of B, packed at a time; threads wait for each other once per BLOCKS */
    WHOLE_B = 1 << 17, /* elements of B that fit the L2 cache, so that K need not be cut */
    DIRECT_PANELS = 8, /* A is not packed for so many panels of B, or fewer */
    FLOP_PER_THREAD = 2000000,
};
static_assert(MC % 6 == 0 && MC % 14 == 0, "a block of A is a whole number of panels for each MR");
static_assert(NC % NR_MAX == 0, "a block of B is a whole number of panels");

struct plan {
    const struct matmul_problem *problem;
    const struct microkernels *kernels;
    bool direct; /* A is not packed */
    int threads;
    int64_t nr, kc, nc;
    int64_t depth;              /* rows of B that are packed at a time, in blocks of kc x nc */
    float *a_blocks, *b_blocks; /* a block of A per thread; the blocks of B are shared; NULL: no memory */
};

/* Cuts `size` into even pieces of at most `limit`: the size of a piece, rounded up to a multiple of `unit`. */
static int64_t even_piece(int64_t size, int64_t limit, int64_t unit)
{
    return ceil_div(ceil_div(size, ceil_div(size, limit)), unit) * unit;
}

static struct plan make_plan(const struct matmul_problem *p)
{
    struct plan plan = {.problem = p, .kernels = microkernels_of(isa_best())};
    plan.nr = (int64_t)2 * plan.kernels->lanes;
    plan.direct = p->m <= (int64_t)2 * plan.kernels->mr || p->n <= (int64_t)DIRECT_PANELS * plan.nr;
    bool whole = plan.direct && p->k <= WHOLE_B / smaller(p->n, WHOLE_B);
    plan.kc = whole ? p->k : even_piece(p->k, KC, 1);
    plan.nc = even_piece(p->n, NC, plan.nr);
    plan.depth = plan.direct ? plan.kc : smaller(BLOCKS * plan.kc, p->k);
    plan.threads = work_threads(2.0 * (double)p->m * (double)p->n * (double)p->k, FLOP_PER_THREAD);
    const size_t b_floats = (size_t)plan.depth * (size_t)plan.nc;
    plan.b_blocks = work_memory(b_floats + (plan.direct ? 0 : (size_t)plan.threads * MC * (size_t)plan.kc));
    plan.a_blocks = plan.b_blocks ? plan.b_blocks + b_floats : NULL;
    return plan;
}

/* Threads form a grid over C. How many threads along the rows leave the least work to the busiest thread? One panel is
 * added for the cost of reading and packing A, which does not depend on the number of panels. */
static int threads_along_rows(int threads, int64_t row_units, int64_t panels)
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

/* A packed block of B: rows depth to depth + k, columns column to column + columns. */
struct block {
    int64_t depth, k, column, columns;
    float *packed;
};

struct range {
    int64_t start, end;
};

/* Part `index` of `size`, cut into `parts` even parts. */
static struct range share(int64_t size, int64_t index, int64_t parts)
{
    return (struct range){size * index / parts, size * (index + 1) / parts};
}

static void pack_panel(const struct plan *plan, const struct block *block, int64_t panel)
{
    const struct matmul_problem *p = plan->problem;
    int64_t column = panel * plan->nr, start = block->depth * p->n + block->column + column;
    int vectors = block->columns - column > plan->kernels->lanes ? 2 : 1;
    float *to = block->packed + column * block->k;
    plan->kernels->pack_b(block->k, vectors, p->b + start, p->n, p->k * p->n - start, to);
}

/* The tile of C at `row` and `panel`. `t` has its rows of A. */
static void run_tile(const struct plan *plan, const struct block *block, int64_t row, int64_t panel, struct tile *t,
                     void (*const kernel[2])(const struct tile *t))
{
    const struct matmul_problem *p = plan->problem;
    int64_t column = panel * plan->nr;
    t->b = block->packed + column * block->k;
    t->c = p->c + row * p->n + block->column + column;
    t->columns = (int)smaller(plan->nr, block->columns - column);
    kernel[t->columns > plan->kernels->lanes](t);
}

/* The threads multiply A, not packed, by a block of B: all panels for the rows of a tile, then the next rows. A thread
 * that is slow leaves its rows to others. */
static void multiply_direct(const struct plan *plan, const struct block *block, int along_rows, int along_columns)
{
    const struct matmul_problem *p = plan->problem;
    const int64_t panel_count = ceil_div(block->columns, plan->nr);
    const int64_t tiles = ceil_div(ceil_div(p->m, plan->kernels->mr), along_rows) * along_rows;
#pragma omp for collapse(2) schedule(guided) nowait
    for (int64_t part = 0; part < along_columns; ++part) {
        for (int64_t tile = 0; tile < tiles; ++tile) {
            struct range rows = share(p->m, tile, tiles), panels = share(panel_count, part, along_columns);
            if (rows.start == rows.end)
                continue;
            struct tile t = {.k = block->k, .a_row = p->k, .c_row = p->n, .add = block->depth > 0};
            t.a = p->a + rows.start * p->k + block->depth;
            t.rows = (int)(rows.end - rows.start);
            for (int64_t panel = panels.start; panel < panels.end; ++panel) {
                t.ahead = panel == panels.start && p->m - rows.end >= t.rows;
                run_tile(plan, block, rows.start, panel, &t, plan->kernels->direct[t.rows - 1]);
            }
        }
    }
}

/* One thread packs its rows of A, block by block, and multiplies them by its panels of a block of B: all rows of a
 * block of A for one panel, then the next panel. */
static void multiply_packed(const struct plan *plan, const struct block *block, struct range rows, struct range panels,
                            float *a_block)
{
    const struct matmul_problem *p = plan->problem;
    struct tile t = {.k = block->k, .c_row = p->n, .add = block->depth > 0};
    for (int64_t row = rows.start, count; row < rows.end; row += count) {
        count = smaller(even_piece(rows.end - row, MC, plan->kernels->mr), rows.end - row);
        plan->kernels->pack_a(count, block->k, p->a + row * p->k + block->depth, p->k, a_block);
        for (int64_t panel = panels.start; panel < panels.end; ++panel) {
            for (int64_t i = 0; i < count; i += plan->kernels->mr) {
                t.a = a_block + i * block->k;
                t.rows = (int)smaller(plan->kernels->mr, count - i);
                run_tile(plan, block, row + i, panel, &t, plan->kernels->packed);
            }
        }
    }
}

static struct block make_block(const struct plan *plan, int64_t column, int64_t depth)
{
    const struct matmul_problem *p = plan->problem;
    return (struct block){
        .depth = depth,
        .k = smaller(plan->kc, p->k - depth),
        .column = column,
        .columns = smaller(plan->nc, p->n - column),
        .packed = plan->b_blocks + depth % plan->depth * plan->nc,
    };
}

/* All threads compute columns column to column + nc of C. */
static void multiply_columns(const struct plan *plan, int64_t column)
{
    const struct matmul_problem *p = plan->problem;
    const int threads = omp_get_num_threads(), self = omp_get_thread_num();
    const int64_t unit = plan->direct ? 1 : plan->kernels->mr, row_units = ceil_div(p->m, unit);
    const int64_t panel_count = ceil_div(smaller(plan->nc, p->n - column), plan->nr);
    const int along_rows = threads_along_rows(threads, row_units, panel_count), along_columns = threads / along_rows;
    const struct range units = share(row_units, self % along_rows, along_rows);
    const struct range rows = {units.start * unit, smaller(units.end * unit, p->m)};
    const struct range panels = share(panel_count, self / along_rows, along_columns);
    for (int64_t start = 0; start < p->k; start += plan->depth) {
        const int64_t end = smaller(start + plan->depth, p->k);
        if (column + start > 0) {
            /* Other threads may still use the blocks packed before. */
#pragma omp barrier
        }
#pragma omp for collapse(2)
        for (int64_t depth = start; depth < end; depth += plan->kc) {
            for (int64_t panel = 0; panel < panel_count; ++panel) {
                struct block block = make_block(plan, column, depth);
                pack_panel(plan, &block, panel);
            }
        }
        for (int64_t depth = start; depth < end; depth += plan->kc) {
            struct block block = make_block(plan, column, depth);
            if (plan->direct)
                multiply_direct(plan, &block, along_rows, along_columns);
            else
                multiply_packed(plan, &block, rows, panels, plan->a_blocks + (int64_t)self * MC * plan->kc);
        }
    }
}

const char *matmul_cpu_tuned(const void *problem, void *stream)
{
    (void)stream;
    struct plan plan = make_plan(problem);
    if (!plan.b_blocks)
        return "matmul cpu_tuned: no memory for packed blocks";
#pragma omp parallel num_threads(plan.threads) if (plan.threads > 1)
    for (int64_t column = 0; column < plan.problem->n; column += plan.nc)
        multiply_columns(&plan, column);
    return NULL;
}

/* matmul_cpu_auto: tiles in registers, vectorised, blocks and threads as many as the sizes deserve.
 *
 * Technique: C is computed in tiles of MR x NR elements. A tile stays in registers while a loop over k multiplies a
 * column of A by a row of B: MR + NR loads serve MR * NR multiply-adds (F. Van Zee and R. van de Geijn, "BLIS: A
 * Framework for Rapidly Instantiating BLAS Functionality", ACM TOMS 41, 2015, whose letters these are). Vectors are
 * AVX-512, AVX2 or the baseline of the architecture, chosen at run time. What is done to B beforehand depends on how
 * many rows of C use it:
 * - few: nothing. Packing would cost more than it saves. A B that is larger than the L2 cache is read in strips of some
 *   rows, as it lies in memory.
 * - many: it is packed in panels NR wide, which the loop reads with stride one for every N. Blocks of B stay in the L2
 *   cache, while the rows of A of one tile stay in the L1 cache and meet one panel after the other. They are copied
 *   where their distance in memory would make them evict each other, or where many panels use them.
 * - many, and C is narrower than a vector, with a k that is long for that: it is transposed. Vectors then lie along k,
 *   so that no lane is idle, and A is read row by row.
 *
 * Threads form a grid over C. Each multiplies its part alone, with blocks of B of its own: no thread waits for another,
 * or reads what lies changed in the cache of another core. What they pack twice is little, because parts have many
 * rows. A C of few tiles is cut along k. A problem gets no more threads than it has work for.
 *
 * What it fixes in cpu_reordered: C is no longer loaded and stored for each k, each loaded element serves a whole tile,
 * data is reused from the caches, and all cores work.
 *
 * What bounds it: the multiply-add units if all three sizes are large; the bandwidth of reading A, once, if N is small,
 * and of B if M is. */
#include "bench/base/ceil_div.h"
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "cpu/backend/cpu_isa.h"
#include "cpu/microkernels.h"
#include "cpu/work.h"

#include <omp.h>
#include <string.h>
#include <unistd.h>

enum {
    DEPTH_PER_LANE = 16, /* rows of a block of B that is packed, per lane of a vector */
    PACKED_ROWS = 16,    /* of B at a time */
    STREAMED_ROWS = 12,  /* of a strip of B, at least */
    IN_PLACE_ROWS = 64,  /* B is not packed for so many rows of C, or fewer */
    DOT_STEPS = 5,       /* what a dot product takes besides its steps along k: the sum of a vector */
    IN_PLACE_PANELS = 8, /* A is not copied for so many panels of B, or fewer */
    OUTER_FLOATS = 4096, /* of C, whose rows by one panel come after those by the next */
    SHORT_DEPTH = 32,    /* of k: a tile's begin and end take as long as it */
    PART_DEPTH = 512,    /* of k, at least, where it is cut */
    PART_ROWS = 512,     /* of a part of C, of which a thread has several */
    PARTS = 8,           /* per thread, at most */
    REST_FLOATS = LINE_FLOATS * NR_MAX,
    L2_FLOATS_MIN = 1 << 16, /* also where the system does not say */
    L2_FLOATS_MAX = 1 << 17,
    WORK_PER_THREAD = 400000, /* in operations */
    WORK_PER_FLOAT = 16,      /* of A, B and C: to move one takes as long as so many operations */
};

struct plan {
    const struct matmul_problem *problem;
    const struct microkernels *kernels;
    enum { IN_PLACE, PACKED, TRANSPOSED } b;
    bool copies_a;
    int threads;
    int64_t row_parts, column_parts; /* of C */
    int64_t depth_parts;             /* of k: each is summed into a C of its own, `sums` */
    int64_t parts;                   /* all in all */
    float *sums;
    int64_t nr, kc, nc;           /* a block of B is kc x nc */
    int64_t a_row;                /* of a copy */
    int64_t b_floats, own_floats; /* of a thread's memory: its block of B, and all */
    float *memory;
};

struct range {
    int64_t start, end;
};

/* Part `index` of `size`, cut into `parts` even parts. */
static struct range share(int64_t size, int64_t index, int64_t parts)
{
    return (struct range){size * index / parts, size * (index + 1) / parts};
}

/* Cuts `size` into even pieces of at most `limit`: the size of a piece, rounded up to a multiple of `unit`. */
static int64_t even_piece(int64_t size, int64_t limit, int64_t unit)
{
    return ceil_div(ceil_div(size, ceil_div(size, limit)), unit) * unit;
}

/* What a block of B may take of the L2 cache: not all of a large one, which two threads of a core may share. */
static int64_t l2_floats(void)
{
    static long bytes;
    if (bytes == 0)
        bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
    const int64_t floats = bytes / (long)sizeof(float);
    return floats < L2_FLOATS_MIN ? L2_FLOATS_MIN : smaller(floats, L2_FLOATS_MAX);
}

/* Of so many rows: is C so narrow that vectors should lie along k? */
static bool dots_pay(const struct plan *plan, int64_t rows)
{
    const int64_t lanes = plan->kernels->lanes, k = plan->problem->k, n = plan->problem->n;
    return rows > IN_PLACE_ROWS && n <= lanes && k >= lanes && n * (DOT_STEPS + k / lanes) <= k && k <= l2_floats() / n;
}

/* Threads form a grid over C, or several, which share k. Which leaves the least work to the busiest thread? Some rows
 * and a panel are added for the cost of reading B and A, which does not depend on how many rows and panels they are
 * multiplied by, and the sums of those that share k for one thread that adds them up. */
static void choose_grid(struct plan *plan)
{
    const struct matmul_problem *p = plan->problem;
    plan->depth_parts = plan->row_parts = plan->column_parts = 1;
    if (plan->threads == 1)
        return;
    const int64_t panels = ceil_div(p->n, plan->nr), most = dots_pay(plan, ceil_div(p->m, plan->threads))
                                                                ? 1
                                                                : smaller(plan->threads, 1 + p->k / PART_DEPTH);
    double best_cost = 0;
    for (int64_t depths = 1; depths <= most; depths *= 2)
        for (int64_t rows = 1; rows <= smaller(plan->threads / depths, p->m); ++rows) {
            const int64_t columns = smaller(plan->threads / depths / rows, panels);
            const double tiles = (double)(ceil_div(p->m, rows) + 10) * ((double)ceil_div(panels, columns) + 0.5);
            const double cost =
                tiles * (double)ceil_div(p->k, depths) + (depths > 1 ? (double)(depths * p->m * p->n) : 0);
            if (best_cost == 0 || cost <= best_cost) {
                best_cost = cost;
                plan->depth_parts = depths;
                plan->row_parts = rows;
                plan->column_parts = columns;
            }
        }
    const int64_t rows = ceil_div(p->m, plan->row_parts);
    plan->row_parts *= rows < PART_ROWS ? 1 : smaller(rows / PART_ROWS, PARTS);
}

/* Floats per column of B, transposed. */
static int64_t transposed_row(const struct plan *plan)
{
    return (plan->problem->k / LINE_FLOATS + 2) * LINE_FLOATS;
}

static void choose_blocks(struct plan *plan)
{
    const struct matmul_problem *p = plan->problem;
    const int64_t lanes = plan->kernels->lanes, rows = ceil_div(p->m, plan->row_parts), room = l2_floats();
    const int64_t columns = ceil_div(ceil_div(p->n, plan->nr), plan->column_parts) * plan->nr;
    const int64_t depth = ceil_div(p->k, plan->depth_parts);
    const bool fits = depth <= room / columns;
    if (rows <= IN_PLACE_ROWS)
        plan->b = IN_PLACE;
    else
        plan->b = plan->depth_parts == 1 && dots_pay(plan, rows) ? TRANSPOSED : PACKED;
    if (fits) {
        plan->kc = depth;
        plan->nc = columns;
    } else if (plan->b == IN_PLACE) {
        const int64_t half = room / 2 / columns;
        plan->kc = even_piece(depth, half < STREAMED_ROWS ? STREAMED_ROWS : half, 1);
        plan->nc = columns;
    } else {
        plan->kc = even_piece(depth, DEPTH_PER_LANE * lanes, 1);
        plan->nc = even_piece(columns, room / plan->kc / plan->nr * plan->nr, plan->nr);
    }
    switch (plan->b) {
    case IN_PLACE: plan->b_floats = REST_FLOATS; break;
    case PACKED: plan->b_floats = plan->kc * plan->nc; break;
    case TRANSPOSED: plan->b_floats = p->n * transposed_row(plan); break;
    }
    /* Rows of A that are a multiple of so much apart evict each other from the L1 cache. */
    const bool is_aliased = p->k % 256 == 0 && plan->nc > plan->nr;
    /* Of a very short k a tile may have more rows than a copy has room for; it needs none. */
    plan->copies_a = plan->b == PACKED && p->k > OUTER_DEPTH && (plan->nc > IN_PLACE_PANELS * plan->nr || is_aliased);
    plan->a_row = (ceil_div(plan->kc, LINE_FLOATS) | 1) * LINE_FLOATS;
}

static struct plan make_plan(const struct matmul_problem *p)
{
    struct plan plan = {.problem = p, .kernels = microkernels_of(isa_best())};
    plan.nr = (int64_t)(p->m <= WIDE_ROWS ? WIDE_VECTORS : 2) * plan.kernels->lanes;
    const double m = (double)p->m, n = (double)p->n, k = (double)p->k;
    plan.threads = work_threads(2 * m * n * k + WORK_PER_FLOAT * (m * k + k * n + m * n), WORK_PER_THREAD);
    choose_grid(&plan);
    plan.parts = plan.row_parts * plan.column_parts * plan.depth_parts;
    plan.threads = (int)smaller(plan.threads, plan.parts);
    choose_blocks(&plan);
    plan.b_floats = ceil_div(plan.b_floats, LINE_FLOATS) * LINE_FLOATS;
    plan.own_floats = plan.b_floats + (plan.copies_a ? plan.a_row * plan.kernels->mr : 0);
    const int64_t own = plan.own_floats * plan.threads,
                  sums = plan.depth_parts > 1 ? plan.depth_parts * p->m * p->n : 0;
    plan.memory = work_memory((size_t)(own + sums));
    plan.sums = sums > 0 && plan.memory ? plan.memory + own : NULL;
    return plan;
}

/* Rows depth to depth + k and columns column to column + columns of B. */
struct block {
    int64_t depth, k, column, columns;
    float *packed; /* or the rest, where B is used in place */
    int rest_rows;
    float *c;
    bool add;
};

static int vectors_of(const struct plan *plan, int64_t columns)
{
    return (int)ceil_div(columns, plan->kernels->lanes);
}

static void pack_panel(const struct plan *plan, int64_t depth, int64_t k, int64_t column, int64_t columns, float *to)
{
    const struct matmul_problem *p = plan->problem;
    const int64_t start = depth * p->n + column;
    plan->kernels->pack_b(k, vectors_of(plan, columns), p->b + start, p->n, p->k * p->n - start, to);
}

/* Where B is used in place: in which of its last rows, in the last panel, would whole vectors reach beyond its end? */
static void pack_rest(const struct plan *plan, struct block *block)
{
    const struct matmul_problem *p = plan->problem;
    const int64_t column = (p->n - 1) / plan->nr * plan->nr, columns = p->n - column;
    const int64_t room = p->k * p->n - column - (int64_t)vectors_of(plan, columns) * plan->kernels->lanes;
    const int64_t readable = room < 0 ? 0 : room / p->n + 1, end = block->depth + block->k;
    const int64_t first = readable > block->depth ? smaller(readable, end) : block->depth;
    block->rest_rows = (int)(end - first);
    pack_panel(plan, first, end - first, column, columns, block->packed);
}

static void prepare_block(const struct plan *plan, struct block *block)
{
    if (plan->b == IN_PLACE) {
        if (block->column + block->columns == plan->problem->n)
            pack_rest(plan, block);
        return;
    }
    /* Some rows at a time: columns of B are so far apart that what is read would leave the caches before its line is
     * used up. */
    for (int64_t row = 0, rows; row < block->k; row += rows) {
        rows = smaller(PACKED_ROWS, block->k - row);
        for (int64_t column = 0; column < block->columns; column += plan->nr) {
            const int64_t columns = smaller(plan->nr, block->columns - column);
            const int64_t width = (int64_t)vectors_of(plan, columns) * plan->kernels->lanes;
            pack_panel(plan, block->depth + row, rows, block->column + column, columns,
                       block->packed + column * block->k + row * width);
        }
    }
}

static void set_b(const struct plan *plan, const struct block *block, int64_t column, int64_t vectors, struct tile *t)
{
    const struct matmul_problem *p = plan->problem;
    const int64_t width = vectors * plan->kernels->lanes;
    if (plan->b == IN_PLACE) {
        t->b = p->b + block->depth * p->n + block->column + column;
        t->b_row = p->n;
        t->rest = block->packed;
        t->rest_rows = t->columns < width ? block->rest_rows : 0;
    } else {
        t->b = block->packed + column * block->k;
        t->b_row = width;
    }
    /* Strips of a large B are read panel by panel, with too many streams for processors to follow. */
    t->b_ahead =
        plan->b == IN_PLACE && plan->kc < p->k / plan->depth_parts ? INT64_C(8) * plan->kernels->lanes : 8 * t->b_row;
}

/* Of how many rows may the last vector be stored whole? It reaches `beyond` into rows that this thread stores later, of
 * which there are `left`. */
static int64_t whole_rows(const struct plan *plan, const struct block *block, int64_t rows, int64_t left, int beyond)
{
    if (beyond == 0 || block->add || block->columns < plan->problem->n)
        return 0;
    while (rows > 0 && left * plan->problem->n < beyond)
        rows--, left++;
    return rows;
}

/* Multiplies rows of A by a block of B: those of a tile by all panels, then the next; with a short k more rows by each:
 * a stack of tiles by the only panel, or with a very short one what stays of C in the L1 cache. Where vectors of the
 * last panel reach into the next row, it comes first. Divisions stay outside the loops: one takes as long as a tile of
 * a short k. */
static void multiply_block(const struct plan *plan, const struct block *block, struct range rows, float *copy)
{
    const struct matmul_problem *p = plan->problem;
    const int64_t count = rows.end - rows.start, mr = plan->kernels->mr, tiles = ceil_div(count, mr);
    const int whole = vectors_of(plan, plan->nr), last = vectors_of(plan, (block->columns - 1) % plan->nr + 1);
    const int64_t last_column = (block->columns - 1) / plan->nr * plan->nr;
    const int beyond = (int)(last_column - block->columns) + last * plan->kernels->lanes;
    const int64_t in_cache = OUTER_FLOATS / p->n;
    const bool is_outer = plan->b == PACKED && p->k <= OUTER_DEPTH && in_cache >= 2 * mr;
    const bool stacks = !is_outer && last_column == 0 && p->k <= SHORT_DEPTH && count >= 2 * mr;
    /* Rows of a tile, and tiles that have one more; or the rows below a stack. */
    const int64_t least = stacks ? count % mr : count / tiles, with_another = stacks ? 0 : count % tiles;
    for (int64_t tile = 0, row = rows.start, end; row < rows.end; tile++, row = end) {
        const int64_t stacked = stacks && tile == 0 ? count / mr : 0;
        struct tile t = {.k = block->k, .a_row = p->k, .c_row = p->n, .add = block->add, .next_row = p->k};
        end = row + (stacked > 0 ? stacked * mr
                     : is_outer  ? smaller(in_cache, rows.end - row)
                                 : least + (tile < with_another));
        t.a = p->a + row * p->k + block->depth;
        t.rows = (int)(stacked > 0 ? mr : end - row);
        t.stacked = stacked;
        t.whole_rows = whole_rows(plan, block, end - row, rows.end - end, beyond);
        t.next = rows.end - end >= t.rows ? t.a + (end - row) * p->k : NULL;
        if (plan->copies_a) {
            for (int64_t i = 0; i < t.rows; ++i)
                memcpy(copy + i * plan->a_row, t.a + i * p->k, (size_t)block->k * sizeof(float));
            t.a = copy;
            t.a_row = plan->a_row;
        }
        const int64_t step = t.whole_rows > 0 ? -plan->nr : plan->nr;
        for (int64_t column = step > 0 ? 0 : last_column; column >= 0 && column <= last_column; column += step) {
            const int vectors = column == last_column ? last : whole;
            t.columns = (int)smaller(plan->nr, block->columns - column);
            t.c = block->c + row * p->n + block->column + column;
            set_b(plan, block, column, vectors, &t);
            (stacked > 0 ? plan->kernels->stacks
             : is_outer  ? plan->kernels->outers[p->k - 1]
                         : plan->kernels->tiles[t.rows - 1])[vectors - 1](&t);
            t.next = NULL;
        }
    }
}

/* B with its columns as rows: whole vectors, and the last vector of each, without what is in those. */
static void transpose(const struct plan *plan, float *to)
{
    const struct matmul_problem *p = plan->problem;
    const int64_t b_row = transposed_row(plan), lanes = plan->kernels->lanes, whole = p->k / lanes * lanes;
    for (int64_t j = 0; j < p->n; ++j, to += b_row) {
        for (int64_t q = 0; q < whole; ++q)
            to[q] = p->b[q * p->n + j];
        for (int64_t lane = 0, q = p->k - lanes; lane < lanes; ++lane, ++q)
            to[whole + lane] = q < whole ? 0.0F : p->b[q * p->n + j];
    }
}

static void multiply_by_dots(const struct plan *plan, struct range rows, const float *transposed)
{
    const struct matmul_problem *p = plan->problem;
    const int64_t b_row = transposed_row(plan);
    struct tile t = {.k = p->k, .a_row = p->k, .b_row = b_row, .c_row = p->n, .next_row = p->k};
    for (int64_t row = rows.start, count; row < rows.end; row += count) {
        const bool many = rows.end - row >= plan->kernels->dot_rows;
        count = many ? plan->kernels->dot_rows : 1;
        t.a = p->a + row * p->k;
        t.next = rows.end - row >= 2 * count ? t.a + count * p->k : NULL;
        for (int64_t column = 0; column < p->n; column += DOT_COLUMNS) {
            t.b = transposed + column * b_row;
            t.c = p->c + row * p->n + column;
            plan->kernels->dots[many][smaller(DOT_COLUMNS, p->n - column) - 1](&t);
            t.next = NULL;
        }
    }
}

static void multiply_part(const struct plan *plan, int64_t part, float *memory)
{
    const struct matmul_problem *p = plan->problem;
    const struct range rows = share(p->m, part / plan->column_parts % plan->row_parts, plan->row_parts);
    if (plan->b == TRANSPOSED) {
        multiply_by_dots(plan, rows, memory);
        return;
    }
    const int64_t depth_part = part / plan->column_parts / plan->row_parts;
    const struct range depths = share(p->k, depth_part, plan->depth_parts);
    const struct range panels = share(ceil_div(p->n, plan->nr), part % plan->column_parts, plan->column_parts);
    const int64_t end = smaller(panels.end * plan->nr, p->n);
    struct block block = {.packed = memory, .c = plan->sums ? plan->sums + depth_part * p->m * p->n : p->c};
    for (block.column = panels.start * plan->nr; block.column < end; block.column += plan->nc) {
        block.columns = smaller(plan->nc, end - block.column);
        for (block.depth = depths.start; block.depth < depths.end; block.depth += plan->kc) {
            block.k = smaller(plan->kc, depths.end - block.depth);
            block.add = block.depth > depths.start;
            prepare_block(plan, &block);
            multiply_block(plan, &block, rows, memory + plan->b_floats);
        }
    }
}

static void add_sums(const struct plan *plan)
{
    const int64_t count = plan->problem->m * plan->problem->n;
    memcpy(plan->problem->c, plan->sums, (size_t)count * sizeof(float));
    for (int64_t part = 1; part < plan->depth_parts; ++part)
        for (int64_t i = 0; i < count; ++i)
            plan->problem->c[i] += plan->sums[part * count + i];
}

/* What one of so many threads does. Its first part is always the same, so that it finds what its caches have; then come
 * those that nobody has taken. */
static void work(const struct plan *plan, int thread, int threads, int64_t *taken)
{
    float *memory = plan->memory + thread * plan->own_floats;
    if (plan->b == TRANSPOSED)
        transpose(plan, memory);
    for (int64_t part = thread; part < plan->parts;) {
        multiply_part(plan, part, memory);
#pragma omp atomic capture
        part = (*taken)++;
        part += threads;
    }
}

const char *matmul_cpu_auto(const void *problem, void *stream)
{
    (void)stream;
    const struct plan plan = make_plan(problem);
    if (!plan.memory)
        return "matmul cpu_auto: no memory for packed blocks";
    int64_t taken = 0;
    if (plan.threads == 1) {
        work(&plan, 0, 1, &taken); /* a region of one thread would take longer than a small product */
    } else {
#pragma omp parallel num_threads(plan.threads)
        work(&plan, omp_get_thread_num(), omp_get_num_threads(), &taken);
    }
    if (plan.sums)
        add_sums(&plan);
    return NULL;
}

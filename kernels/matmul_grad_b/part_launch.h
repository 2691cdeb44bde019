/* How dB is divided among blocks that each sum a part of the rows: for the launchers of the rungs atomic and split. */
#pragma once

#include "bench/table/matmul_grad_b.h"
#include "kernels/launch.h"
#include "parts.h"

/* Parts of `rows` rows; each part is panels_k x panels_n blocks of `quads` threads side by side, in groups that make up
 * `threads`, and BN columns. */
struct part_grid {
    int64_t parts, rows, panels_k, panels_n;
    int quads, threads;
};

/* As many parts as fill each multiprocessor with threads, but at most `parts_max`, and none shorter than a batch for
 * each group of threads. Panels of k are equally wide. */
static inline part_grid part_grid_of(const struct matmul_grad_b_problem *p, int bn, int rows_ahead, int multiprocessors,
                                     int64_t parts_max)
{
    part_grid grid;
    int64_t quads = ceil_div(p->k, 4);
    grid.panels_k = ceil_div(quads, QUADS_MAX);
    grid.quads = (int)ceil_div(quads, grid.panels_k);
    grid.panels_n = ceil_div(p->n, bn);
    int groups = THREADS_MAX / grid.quads < GROUPS_MAX ? THREADS_MAX / grid.quads : GROUPS_MAX;
    grid.threads = grid.quads * groups;
    int64_t panels = grid.panels_k * grid.panels_n, batch = (int64_t)rows_ahead * groups;
    int64_t room = (int64_t)multiprocessors * (THREADS_MAX / grid.threads), wanted = panels < room ? room / panels : 1;
    wanted = wanted < parts_max ? wanted : parts_max;
    grid.rows = ceil_div(ceil_div(p->m, wanted), batch) * batch;
    grid.parts = ceil_div(p->m, grid.rows);
    return grid;
}

/* What block number `block` has. Neighbours share their rows of A, and read them from L2. */
template <int BN>
static __device__ part_place part_place_of(unsigned block, int64_t m, int64_t n, unsigned panels_k, unsigned panels_n,
                                           int quads, int64_t part_rows)
{
    int64_t part = block / (panels_k * panels_n), panel_k = block / panels_n % panels_k, panel_n = block % panels_n;
    int64_t row = part * part_rows;
    return {panel_k * 4 * quads,     panel_n * BN, row,
            min(m - row, part_rows), quads,        (int)min(n - panel_n * BN, (int64_t)BN)};
}

/* Calls launch.run<BN, WIDE>() for the width that suits n and for how a is aligned. */
template <typename Launch>
static const char *launch_width(const struct matmul_grad_b_problem *p, const Launch &launch)
{
    bool is_wide = p->k % 4 == 0 && is_aligned(p->a, 16);
    if (p->n <= 4)
        return is_wide ? launch.template run<4, true>(p) : launch.template run<4, false>(p);
    if (p->n <= 10) /* MNIST has ten digits */
        return is_wide ? launch.template run<10, true>(p) : launch.template run<10, false>(p);
    return is_wide ? launch.template run<16, true>(p) : launch.template run<16, false>(p);
}

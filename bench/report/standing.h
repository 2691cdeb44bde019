/* How a row stands among the others of its workload: the one place that says what is best, a tie, and how many times
 * faster. Console, JSON, charts and page show what is decided here. */
#pragma once

#include "result.h"
#include "row_index.h"

/* A ratio of two times, and the ends of its interval, which carries the spread of both; NAN: unknown. */
struct ratio {
    double value, low, high;
    bool is_approximate; /* one of the times has no interval, or too wide a one */
};

struct standing {
    bool is_best;                 /* the fastest fair row of its workload and mode, the first of them, and has a rank */
    bool is_best_of_backend;      /* of those of its backend */
    bool is_tied;                 /* it has a rank and is not the best, but as fast, or their intervals overlap */
    const struct result *library; /* the fastest fair one of its backend in its mode; NULL: none */
    const struct result
        *best_cpu;        /* the fastest fair CPU row, in the mode that its speed-up compares with; NULL: none */
    struct ratio speedup; /* over its baseline */
    struct ratio over_library, over_best_cpu;
};

/* The seconds between which a row's time lies: the fastest and the slowest round, or the quartiles of a single round;
 * NAN where the spread is unknown. */
struct range standing_range(const struct result *row);

/* What the rows of a list are held against. All 0 is that of no rows. */
struct standings {
    const struct result_list *rows;
    struct row_index fastest; /* and what a baseline may be */
};

/* `rows` are merged (merge_rounds.h), or of a single round, and must not change as long as this is used. False: no
 * memory, and nothing to be freed. */
bool standings_make(const struct result_list *rows, struct standings *standings, struct error *error);
void standings_free(struct standings *standings);

/* The fastest fair row in the mode, of those on the workload of row `like`, on one side; NULL: none. */
enum side { SIDE_HOST, SIDE_DEVICE };
const struct result *standings_fastest(const struct standings *standings, const struct result *like, const char *mode,
                                       enum side side);

/* The row is one of the list. Without a time, or slowed on purpose, it has no ratio. */
struct standing standing_of(const struct standings *standings, const struct result *row);

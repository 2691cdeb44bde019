/* How a row stands among the others of its workload: the one place that says what is best, a tie, and how many times
 * faster. Console, JSON, charts and page show what is decided here. */
#pragma once

#include "bench/base/json_text.h"
#include "result.h"

/* A ratio of two times, and the ends of its interval, which carries the spread of both; NAN: unknown. */
struct ratio {
    double value, low, high;
    bool is_approximate; /* one of the times has no interval, or too wide a one */
};

struct standing {
    bool is_best;            /* the fastest fair row of its workload and mode, the first of them, and has a rank */
    bool is_best_of_backend; /* of those of its backend */
    bool is_fastest_own;     /* of its backend's fair rows the fastest that is no library, with a rank or without */
    bool is_tied;            /* it has a rank and is not the best, but as fast, or their intervals overlap */
    /* What there are ratios to: the fastest fair library of its backend in its mode, and the fastest fair CPU row in
       the mode that its speed-up compares with; NULL: none. */
    const struct result *library, *best_cpu;
    struct ratio speedup; /* over its baseline */
    struct ratio over_library, over_best_cpu;
};

/* How many times as fast the row is as the other one; NAN where they may not be compared. */
struct ratio standing_ratio(const struct result *other, const struct result *row);

/* KEY, and what is known of KEY_low, KEY_high, and KEY_approximate. */
void standing_put_ratio(json_t *to, const char *key, struct ratio ratio);

/* Its speed-up: over the row of its baseline in the list, or over the library of its own player. */
struct ratio standing_speedup(const struct result_list *rows, const struct result *row);

/* The seconds between which a row's time lies: the fastest and the slowest round, or the quartiles of a single round;
 * NAN where the spread is unknown. */
struct range standing_range(const struct result *row);

/* Of the rows on the workload of row `like`, in one mode: all, those of its backend, its libraries and what is none,
 * and those of the host, of one device, and of several GPUs together. */
enum among { AMONG_ALL, AMONG_BACKEND, AMONG_LIBRARIES, AMONG_OWN, AMONG_HOST, AMONG_DEVICES, AMONG_TOGETHER };

/* The fastest fair one of them in the list, the first if several are; NULL: none. Of the host's rows none, either,
 * where one above its ceiling is faster: a gain over the next one would flatter the device. */
const struct result *standing_fastest(const struct result_list *rows, const struct result *like, const char *mode,
                                      enum among among);

/* Where that finds none: the one whose mark (result_unfair) is why; NULL: none has a time. */
const struct result *standing_doubtful(const struct result_list *rows, const struct result *like, const char *mode,
                                       enum among among);

/* The row is one of the list, in which rows of one workload are neighbours. They are merged (merge_rounds.h), or of a
 * single round. Without a time, or slowed on purpose, it has no ratio. */
struct standing standing_of(const struct result_list *rows, const struct result *row);

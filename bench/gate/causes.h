/* What is known of both sides of a row, and the cause that it leaves. */
#pragma once

#include "comparison.h"
#include "mix.h"

/* Facts: numbers, and behind them texts. Below `noise`, relative, a difference of numbers is none. */
enum fact {
    KERNELS,
    BLOCKS,
    THREADS,
    REGISTERS,
    SHARED,
    LOCAL,
    OCCUPANCY,
    SM_CLOCK,
    MEMORY_CLOCK,
    POWER,
    CPU_CLOCK,
    NUMBERS,
    KERNEL = NUMBERS,
    LIMIT,
    THROTTLED,
    BLAS,
    CUDA,
    DRIVER,
    COMPILER,
    FACTS
};
struct known_fact {
    enum column_id column;
    const char *name;
    double noise;
};
extern const struct known_fact facts[FACTS];

/* What ncu counts. */
enum count {
    SECTORS,
    CONFLICTS,
    WAVEFRONTS,
    DURATION,
    STORE_CONFLICTS,
    STORE_SECTORS,
    L2_READS,
    L2_WRITES,
    DRAM_READS,
    DRAM_WRITES,
    EXECUTED,
    ACTIVE,
    WAITS_MEMORY,
    WAITS_SHARED,
    WAITS_BARRIER,
    COUNTS
};

/* One row. */
struct clues {
    const struct compared_row *row;
    bool same_code;             /* by its digest, whatever the libraries are */
    double number[2][NUMBERS];  /* medians of the rounds; NAN: unknown */
    const char *text[2][FACTS]; /* from NUMBERS on; empty: unknown */
    bool has_mix;
    struct mix mix[2];
    double count[2][COUNTS]; /* NAN: not counted */
};

/* Not if one is unknown. */
bool clues_differ(const struct clues *clues, enum fact fact);

/* What stands before the first part of a line, and between the parts. */
struct line {
    const char *before, *between;
    FILE *to;
    bool is_begun;
};
FILE *next_part(struct line *line);
void end_line(const struct line *line); /* by a full stop, if it has begun */

/* Writes the causes that fit, between which what is known does not decide; else that several things differ, or nothing.
 */
void cause_put(FILE *to, const struct clues *clues);

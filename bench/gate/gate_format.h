/* Figures of a compared row as people read them. */
#ifndef RUNGBENCH_GATE_FORMAT_H
#define RUNGBENCH_GATE_FORMAT_H

#include "comparison.h"
#include "interval.h"

#include <stddef.h>

enum { GATE_NOTE_MAX = 600 };

/* The ends of a ratio's interval, NAN where nothing bounds it: a ratio is never below 0 or infinite. */
struct interval gate_known_ends(struct interval ratio);

/* Texts of one row; "-" where there is no evidence. */
struct gate_figures {
    char ratio[24];    /* "1.0512" */
    char interval[48]; /* "1.031 to 1.072", "unknown" */
    char base[24];     /* "39.9 us" */
    char other[24];
    char note[GATE_NOTE_MAX]; /* what the verdict rests on beside them; empty: nothing */
};

void gate_format(const struct compared_row *row, struct gate_figures *figures);

#endif

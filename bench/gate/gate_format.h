/* The figures of a compared row as text. */
#pragma once

#include "comparison.h"
#include "interval.h"

#include <stddef.h>

enum { GATE_NOTE_MAX = 600 };

/* The interval of a ratio, with NAN for an end that is not bounded (0 or infinity). */
struct interval gate_known_ends(struct interval ratio);

/* Texts of one row; "-" if there is no evidence. */
struct gate_figures {
    char ratio[24];    /* "1.0512" */
    char interval[48]; /* "1.031 to 1.072", "unknown" */
    char base[24];     /* "39.9 us" */
    char other[24];
    char note[GATE_NOTE_MAX]; /* from gate_row_note() */
};

void gate_format(const struct compared_row *row, struct gate_figures *figures);

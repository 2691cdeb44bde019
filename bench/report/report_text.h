/* Figures and words as the tables for people show them. */
#pragma once

#include "standing.h"

#include <stdio.h>

enum { FIGURE_MAX = 32 };

/* Each writes into `text` and returns it, or another text where the value is unknown. */
const char *time_text(double seconds, char text[FIGURE_MAX]);    /* "43.39 us" */
const char *bytes_text(double bytes, char text[FIGURE_MAX]);     /* "158.8 MB" */
const char *flops_text(double flops, char text[FIGURE_MAX]);     /* "784.0 Mflop" */
const char *number_text(double value, char text[FIGURE_MAX]);    /* "1.66", "34.1", "5874"; unknown: "-" */
const char *percent_text(double percent, char text[FIGURE_MAX]); /* "86"; unknown: "-" */

const char *ratio_text(const struct ratio *ratio, char text[FIGURE_MAX]); /* the same; "~1.7" if approximate */

/* Half the confidence interval of the median, in per cent of it; unknown: "?". */
const char *spread_text(const struct statistics *statistics, char text[FIGURE_MAX]);

/* Words in lines of at most 80 columns. Control characters become '?'. */
struct wrap {
    FILE *to;
    int at, indent; /* the column, and where further lines begin */
    bool has_word;
};

void wrap_words(struct wrap *wrap, const char *words); /* separated by spaces */
void wrap_glue(struct wrap *wrap, char c);             /* what follows a word without a space */

/* A paragraph of its own, indented. */
void wrap_print(FILE *to, int indent, const char *words);

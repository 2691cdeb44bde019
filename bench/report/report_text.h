/* Figures as the tables for people show them. */
#pragma once

#include "standing.h"

#include <stddef.h>

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

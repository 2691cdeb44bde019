/* Figures and words as the tables for people show them. */
#pragma once

#include "standing.h"

#include <jansson.h>
#include <stdio.h>

struct figure {
    char text[32];
};

struct figure time_text(double seconds);   /* "43.39 us" */
struct figure bytes_text(double bytes);    /* "158.8 MB" */
struct figure flops_text(double flops);    /* "784.0 Mflop" */
struct figure number_text(double value);   /* "1.66", "34.1", "5874"; unknown: "-" */
struct figure percent_text(double value);  /* "86"; unknown: "-" */
struct figure ratio_text(struct ratio of); /* as a number; "~1.7" if approximate */

/* Half the confidence interval of the median, in per cent of it; unknown: "?". */
struct figure spread_text(const struct statistics *statistics);

/* A paragraph of words, indented, its further lines by `further`; none is wider than 80 columns. Control characters
 * become '?'. */
__attribute__((format(printf, 4, 5))) void wrap_print(FILE *to, int indent, int further, const char *format, ...);

/* A heading, and a line for each object of the list, its "text"; nothing where the list is empty. Gives the list back.
 */
void sentences_print(FILE *to, const char *heading, json_t *list);

/* Levels: times of processes that fall into two groups, each narrow, with a gap between them. Where physical memory
 * lies or how a library chose its kernel stays for a whole process, and more rounds do not average it out. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct levels {
    size_t lower_count, upper_count;
    double lower_s, upper_s; /* their medians */
};

/* Whether these times have two levels: each of two processes or more, as many as a tenth, and further apart than three
 * times the spread of either and than `least` of the lower one. Sorts the times. */
bool levels_find(double *times_s, size_t count, double least, struct levels *levels);

/* An axis: the values that a --size has for one size, "5,7,16..1024*2". */
#pragma once

#include "options.h"

struct axis {
    double count;                              /* 0: not given */
    int64_t value[OPTIONS_USER_WORKLOADS_MAX]; /* the first of them */
};

/* A single size: an integer from 1 to OP_SIZE_LIMIT, or one of the words, if there are some. False, with the reason:
 * "'0', expected ...". */
bool axis_read_size(const char *text, const char *const *words, int64_t *size, struct error *reason);

/* Adds one part of the list: a size, or a range. False, with the reason. */
bool axis_add(struct axis *axis, const char *text, const char *const *words, struct error *reason);

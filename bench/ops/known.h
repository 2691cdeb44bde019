/* Elements of an answer that are known, in double precision, and what an answer is compared with them. */
#pragma once

#include "bench/table/op.h"

enum { ARRAY_RANK_MAX = 4 };

/* Row-major, without padding. */
struct array_shape {
    const char *name; /* in messages */
    int rank;
    int64_t size[ARRAY_RANK_MAX];
};

static inline int64_t array_elements(const struct array_shape *shape)
{
    int64_t elements = 1;
    for (int i = 0; i < shape->rank; i++)
        elements *= shape->size[i];
    return elements;
}

/* Rows of the answer, in which each element may be off by relative * scale + underflow. */
struct known {
    int64_t count, columns; /* of rows, and of each row */
    int64_t *index;         /* their numbers in the answer; NULL: all rows in order */
    double *value, *scale;  /* of each element */
};

struct tolerance {
    double relative, underflow;
    double unit; /* an error is told in such units of the scale; 0: it is not */
};

/* Takes memory for the elements of `count` rows; free it with known_free(). False: there is none. */
bool known_allocate(struct known *known, int64_t count, int64_t columns);
void known_free(struct known *known);

/* Compares all that is known with the answer, which has this shape. 0 and -0 are equal; an infinity must be met
 * exactly, and NaN by NaN. `rms_err` is that beyond underflow, of elements of which the scale is not 0; returns how
 * many. */
int64_t known_compare(const struct known *known, const struct tolerance *tolerance, const struct array_shape *shape,
                      const float *answer, struct check *check);

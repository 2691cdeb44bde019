#include "holm.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *left, const void *right)
{
    double a = **(double *const *)left, b = **(double *const *)right;
    return (a > b) - (a < b);
}

bool holm_adjust(double *p, size_t count)
{
    double **order = malloc((count + 1) * sizeof(*order)), largest = 0;
    if (!order)
        return false;
    for (size_t i = 0; i < count; i++)
        order[i] = &p[i];
    qsort(order, count, sizeof(*order), by_value);
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fmin(1, *order[i] * (double)(count - i)));
        *order[i] = largest;
    }
    free(order);
    return true;
}

/* What a function of the user's own does with its arrays, as far as the text of its kernels shows it. */
#pragma once

#include "source.h"

#include <stdint.h>

/* Whether "name[...] =" stands in the function, or in a kernel that it launches with the array. */
bool array_is_written(const struct source *source, const struct function *function, size_t parameter);

/* How a kernel indexes an array with a variable: times something, as with the number of a row, or plainly. */
enum index_use { INDEX_NOT, INDEX_TIMES, INDEX_PLAIN };
enum index_use array_index_use(const struct function *kernel, size_t parameter, struct part variable);

/* The integer parameter by which the array's first index is multiplied, as k is in "a[row * k + i]", there or in such a
 * kernel: the length of its rows. SIZE_MAX: none is seen. */
size_t array_row_length(const struct source *source, const struct function *function, size_t parameter);

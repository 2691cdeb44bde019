/* Arrays that grow by one item at a time. */
#pragma once

#include <stdlib.h>

/* The array with room for one item more than its `count`, of so many bytes each; it may have moved. It has room for the
 * next power of two, so that whoever adds items needs to know their number alone, and only this function may make it
 * larger. NULL: no memory, and the array is as it was. */
static inline void *array_grow(void *items, size_t count, size_t bytes)
{
    return (count & (count - 1)) != 0 ? items : realloc(items, (count > 0 ? 2 * count : 1) * bytes);
}

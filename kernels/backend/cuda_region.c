/* Memory of which problems get pieces. */
#include "cuda_parts.h"

enum { ALIGNMENT = 256 };

void *cuda_region_take(struct cuda_region *of, size_t bytes)
{
    const size_t begin = of->used;
    if (!of->start || bytes > of->bytes - begin)
        return NULL;
    of->last = begin;
    of->used += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (of->used > of->bytes)
        of->used = of->bytes;
    of->pieces++;
    return of->start + begin;
}

void cuda_region_give(struct cuda_region *of, const void *piece)
{
    of->pieces--;
    if (of->pieces == 0)
        of->used = of->last = 0;
    else if ((const char *)piece == of->start + of->last)
        of->used = of->last;
}

/* Cheats that keep answers. The launcher decides by what it knows without reading the device's memory. */
#include "tests/cheats/kernels/kernel.h"

/* Works for pointers that it does not know yet. */
CUDA_MATMUL(works_once)
{
    static const float *a, *c;
    if (a != p->a || c != p->c)
        multiply(p, stream);
    a = p->a;
    c = p->c;
}

CUDA_MATMUL(works_every_2nd_time)
{
    static unsigned calls;
    if (calls++ % 2 == 0)
        multiply(p, stream);
}

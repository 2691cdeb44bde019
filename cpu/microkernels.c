#include "microkernels.h"

#include "cpu/backend/cpu_isa.h"

#include <assert.h>
#include <stddef.h>

/* Stores the part of a tile that lies inside C. `width`: floats per row of `sums`. */
static void store_part(const struct tile *t, const float *sums, int width)
{
    for (int64_t i = 0; i < t->rows; ++i) {
        float *c = t->c + i * t->c_row;
        for (int64_t j = 0; j < t->columns; ++j)
            c[j] = t->add ? c[j] + sums[i * width + j] : sums[i * width + j];
    }
}

#define ISA_TEMPLATE "cpu/microkernels_isa.h"
#include "cpu/backend/cpu_each_isa.h"

const struct microkernels *microkernels_of(int isa)
{
    static const struct microkernels *const by_isa[] = ISA_TABLE(microkernels);
    return isa < (int)(sizeof by_isa / sizeof by_isa[0]) ? by_isa[isa] : NULL;
}

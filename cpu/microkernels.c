#include "microkernels.h"

#include "cpu/backend/cpu_isa.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

static const float lane_numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

#define ISA_TEMPLATE "cpu/microkernels_isa.h"
#include "cpu/backend/cpu_each_isa.h"

const struct microkernels *microkernels_of(int isa)
{
    static const struct microkernels *const by_isa[] = ISA_TABLE(microkernels);
    return isa < (int)(sizeof by_isa / sizeof by_isa[0]) ? by_isa[isa] : NULL;
}

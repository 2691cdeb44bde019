/* kernels/matmul/add_parts.h alone, for a C of any size. */
#pragma once

#include "c_linkage.h"

#include <stdint.h>

C_BEGIN

const char *parts_added(int64_t count, unsigned parts, const float *from, float *c);

C_END

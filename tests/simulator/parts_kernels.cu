#include "parts_kernels.h"

#include "kernels/matmul/add_parts.h"

const char *parts_added(int64_t count, unsigned parts, const float *from, float *c)
{
    return add_parts(__func__, count, parts, from, c, nullptr);
}

#include "op.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool op_parse_sizes(const char *text, size_t count, int64_t *sizes)
{
    for (size_t i = 0; i < count; i++) {
        if (*text < '0' || *text > '9')
            return false;
        char *end;
        errno = 0;
        long long value = strtoll(text, &end, 10);
        if (errno != 0 || value < 1 || value > OP_SIZE_LIMIT)
            return false;
        sizes[i] = value;
        bool last = i + 1 == count;
        if (*end != (last ? '\0' : 'x'))
            return false;
        text = end + 1;
    }
    return true;
}

bool op_is_leader(const struct op *op, const struct workload *workload, const char *variant)
{
    for (size_t i = 0; i < op->leader_count; i++)
        if (strcmp(op->leaders[i].workload, workload->name) == 0 && strcmp(op->leaders[i].variant, variant) == 0)
            return true;
    return false;
}

double op_work(const struct op *op, const struct workload *workload)
{
    struct op_cost cost = op->cost(workload);
    return cost.flops + cost.bytes;
}

#include "op.h"

#include <errno.h>
#include <stdlib.h>

const char *const input_kind_names[INPUT_KINDS] = {
    [INPUT_RANDOM] = "random",
    [INPUT_ZEROS] = "zeros",
    [INPUT_ONES] = "ones",
    [INPUT_POWERS_OF_TWO] = "powers of two",
    [INPUT_EQUAL_ROWS] = "equal rows",
    [INPUT_INTEGERS] = "integers",
    [INPUT_SPARSE] = "sparse",
};

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

double op_work(const struct op *op, const struct workload *workload)
{
    struct op_cost cost = op->cost(workload);
    return cost.flops + cost.bytes;
}

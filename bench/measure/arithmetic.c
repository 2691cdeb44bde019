#include "arithmetic.h"

#include <stddef.h>
#include <string.h>

static const struct {
    unsigned trait;
    struct arithmetic arithmetic;
} on_tensor_cores[] = {
    {RUNG_TF32, {"tf32", CEILING_TF32, 1}},
    {RUNG_TF32X3, {"tf32x3", CEILING_TF32, 3}},
    {RUNG_FP16X3, {"fp16x3", CEILING_FP16, 3}},
};
enum { ON_TENSOR_CORES = sizeof on_tensor_cores / sizeof on_tensor_cores[0] };

static const struct arithmetic multiply_adds = {"fma", CEILING_FMA, 1}, any = {"any", CEILING_ANY, 1};

const struct arithmetic *arithmetic_of(enum precision precision, unsigned traits)
{
    for (size_t i = 0; i < ON_TENSOR_CORES; i++)
        if (traits & on_tensor_cores[i].trait)
            return &on_tensor_cores[i].arithmetic;
    return precision == PRECISION_FP32 ? &multiply_adds : NULL;
}

const struct arithmetic *arithmetic_any(void)
{
    return &any;
}

const struct arithmetic *arithmetic_find(const char *name)
{
    for (size_t i = 0; i < ON_TENSOR_CORES; i++)
        if (strcmp(name, on_tensor_cores[i].arithmetic.name) == 0)
            return &on_tensor_cores[i].arithmetic;
    if (strcmp(name, any.name) == 0)
        return &any;
    return strcmp(name, multiply_adds.name) == 0 ? &multiply_adds : NULL;
}

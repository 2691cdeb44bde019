#include "arithmetic.h"

#include <stddef.h>
#include <string.h>

static const struct {
    unsigned trait; /* of the rungs that multiply so; 0: of no rung in particular */
    struct arithmetic arithmetic;
} all[] = {
    {RUNG_TF32, {"tf32", CEILING_TF32, 1}},
    {RUNG_TF32X3, {"tf32x3", CEILING_TF32, 3}},
    {RUNG_FP16X3, {"fp16x3", CEILING_FP16, 3}},
    {0, {"fma", CEILING_FMA, 1}},
    {0, {"any", CEILING_ANY, 1}},
};
enum { ALL = sizeof all / sizeof all[0] };

const struct arithmetic *arithmetic_of(enum precision precision, unsigned traits)
{
    for (size_t i = 0; i < ALL; i++)
        if (traits & all[i].trait)
            return &all[i].arithmetic;
    return precision == PRECISION_FP32 ? arithmetic_find("fma") : NULL;
}

const struct arithmetic *arithmetic_find(const char *name)
{
    for (size_t i = 0; i < ALL; i++)
        if (strcmp(name, all[i].arithmetic.name) == 0)
            return &all[i].arithmetic;
    return NULL;
}

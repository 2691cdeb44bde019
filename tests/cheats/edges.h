/* Touches memory beside its own, or its inputs. What it reads there changes nothing. */
#include "tests/cheats/product.h"

#define READ(element) ((void)*(const volatile float *)&(element))
#define WRITE(element) (*(volatile float *)&(element) = 1)

static inline void write_and_put_back(const float *element)
{
    volatile float *there = (float *)element;
    float was = *there;
    *there = 0;
    *there = was;
}

/* A few rows of a product whose factors are noise, which is known wherever one looks (noise.h). */
#pragma once

#include "bench/table/op.h"
#include "matmul_product.h"

struct matmul_spot {
    struct matmul_product product;
    uint64_t a, b;   /* seeds */
    const float *c;  /* the answer */
    uint64_t choice; /* of the rows */
};

/* Checks rows of C as matmul_check() does. */
void matmul_spot_check(const struct matmul_spot *spot, enum precision precision, struct check *check);

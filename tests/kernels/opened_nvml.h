/* The library that stands in for NVML, opened as NVML is, and what is read of it. */
#pragma once

#include "fake_nvml.h"
#include "kernels/backend/cuda_nvml.h"

#include <stdbool.h>

extern const char bus_id[];

/* What the library says; prepare() resets it. */
extern struct fake_nvml *fake;

/* Makes `library`, which is FAKE_NVML or a copy, what the fake is, with everything in order. */
void prepare(const char *library);

/* And opens it. */
void open_well(const char *library);

int close_all(void **state);

/* Whether the function of that name was called. */
bool used(const char *name);

enum value {
    SM_CLOCK = 1 << 0,
    MEMORY_CLOCK = 1 << 1,
    TEMPERATURE = 1 << 2,
    POWER = 1 << 3,
    THROTTLED = 1 << 4,
    ENERGY = 1 << 5,
    COMPUTE = 1 << 6,
    MPS = 1 << 7,
    LIMIT = 1 << 8,
    LIMIT_DEFAULT = 1 << 9,
    ECC = 1 << 10,
    MIG = 1 << 11,
    MAX_CLOCK = 1 << 12, /* stands for the application clock */
    CLOCK_SET = 1 << 13,
    EVERYTHING = (1 << 14) - 1 - MAX_CLOCK,
};

/* All values are there but the unknown ones. */
void check_values(int unknown);

/* Writes a copy of the fake that lacks the first `count` of the functions: a symbol of another name is not found.
 * Returns its path. */
const char *copy_without(const char *const *names, int count);

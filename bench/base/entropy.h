/* Numbers that nobody can foresee, for what a rung must not know: it can read our source, and it knows --seed. */
#pragma once

#include <stdint.h>

/* 64 random bits from the operating system, never 0. */
uint64_t entropy_bits(void);

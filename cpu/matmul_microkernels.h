/* The inside of matmul_cpu_tuned.c: tiles of C that live in registers, for each instruction set. */
#ifndef RUNGBENCH_MATMUL_MICROKERNELS_H
#define RUNGBENCH_MATMUL_MICROKERNELS_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__) || defined(__i386__)
#define MICROKERNELS_X86 1
#else
#define MICROKERNELS_X86 0
#endif

#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

enum {
    MR_MAX = 14,
    NR_MAX = 32,
    LINE_FLOATS = 16, /* in a cache line */
};

/* C[rows, columns] = A B, or += if `add`. A's rows are `a_row` apart, or `a` is a packed panel; `b` is always one. */
struct tile {
    int64_t k, a_row, c_row;
    const float *a, *b;
    float *c;
    int rows, columns;
    bool add;
    bool ahead; /* as many rows of A follow, and are wanted next */
};

/* What there is for each instruction set. NR is two vectors, and MR as many rows as the registers then allow. */
struct microkernels {
    int mr, lanes;

    /* Packs a block of A, k columns wide, in panels of MR rows; rows beyond the block become zeros. */
    void (*pack_a)(int64_t rows, int64_t k, const float *a, int64_t a_row, float *panels);
    /* Packs k rows of B, one or two vectors wide. `readable` floats may be read from `b` on. Columns beyond B hold what
     * happens to come next in memory: what is computed from them is not stored. */
    void (*pack_b)(int64_t k, int vectors, const float *b, int64_t b_row, int64_t readable, float *panel);

    void (*direct[MR_MAX][2])(const struct tile *t); /* A as it lies; by rows - 1 and vectors - 1 */
    void (*packed[2])(const struct tile *t);         /* computes MR rows, stores t->rows of them; by vectors - 1 */
};

/* Stores the part of a tile that lies inside C. `width`: what a row of `sums` has. */
static void store_part(const struct tile *t, const float *sums, int width)
{
    for (int64_t i = 0; i < t->rows; ++i) {
        float *c = t->c + i * t->c_row;
        for (int64_t j = 0; j < t->columns; ++j)
            c[j] = t->add ? c[j] + sums[i * width + j] : sums[i * width + j];
    }
}

#define ISA baseline
#define ISA_TARGET
#define ISA_LANES 4
#define ISA_MR 6
#include "matmul_microkernel.h"

#if MICROKERNELS_X86
#define ISA avx2
#define ISA_TARGET __attribute__((target("avx2,fma")))
#define ISA_LANES 8
#define ISA_MR 6
#include "matmul_microkernel.h"

#define ISA avx512
#define ISA_TARGET __attribute__((target("avx512f")))
#define ISA_LANES 16
#define ISA_MR 14
#include "matmul_microkernel.h"
#endif

static const struct microkernels *choose_microkernels(void)
{
#if MICROKERNELS_X86
    if (__builtin_cpu_supports("avx512f"))
        return &microkernels_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &microkernels_avx2;
#endif
    return &microkernels_baseline;
}

#endif

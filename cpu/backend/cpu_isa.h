/* Code that is written once and compiled per instruction set. The best one that the processor has runs. */
#pragma once

#if defined(__x86_64__)
#define ISA_X86 1
#else
#define ISA_X86 0
#endif

/* The versions of something per instruction set, in the order of isa_best(). */
#if ISA_X86
#define ISA_TABLE(name)                                \
    {                                                  \
        &name##_baseline, &name##_avx2, &name##_avx512 \
    }
#else
#define ISA_TABLE(name)  \
    {                    \
        &name##_baseline \
    }
#endif

/* In such code: its own name, as read_avx2 for ISA_NAME(read); the attribute that makes the compiler use the set; how
 * many vector registers it has; and its vectors of floats, aligned, or LOOSE: anywhere in memory. */
#define ISA_NAME(name) ISA_JOIN(name, ISA_JOIN(ISA_SET, ISA_LANES))
#define ISA_TARGET ISA_JOIN(ISA_ATTRIBUTE, ISA_LANES)
#define ISA_REGISTERS (ISA_X86 && ISA_LANES < 16 ? 16 : 32)
#define VECTOR ISA_JOIN(vector, ISA_LANES)
#define LOOSE ISA_JOIN(loose, ISA_LANES)
#define ISA_JOIN(a, b) ISA_JOIN_EXPANDED(a, b)
#define ISA_JOIN_EXPANDED(a, b) a##_##b
#define ISA_SET_4 baseline
#define ISA_SET_8 avx2
#define ISA_SET_16 avx512
#define ISA_ATTRIBUTE_4
#define ISA_ATTRIBUTE_8 __attribute__((target("avx2,fma")))
#define ISA_ATTRIBUTE_16 __attribute__((target("avx512f")))

typedef float vector_4 __attribute__((vector_size(16), may_alias));
typedef float vector_8 __attribute__((vector_size(32), may_alias));
typedef float vector_16 __attribute__((vector_size(64), may_alias));
typedef vector_4 loose_4 __attribute__((aligned(1)));
typedef vector_8 loose_8 __attribute__((aligned(1)));
typedef vector_16 loose_16 __attribute__((aligned(1)));

#ifdef __clang__
#define ISA_UNROLL _Pragma("clang loop unroll(full)")
#else
#define ISA_UNROLL _Pragma("GCC unroll 32")
#endif

static inline int isa_best(void)
{
#if ISA_X86
    if (__builtin_cpu_supports("avx512f"))
        return 2;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return 1;
#endif
    return 0;
}

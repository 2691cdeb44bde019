/* Code that is written once and compiled per instruction set. The best one that the processor has runs. */
#pragma once

#if defined(__x86_64__) || defined(__i386__)
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

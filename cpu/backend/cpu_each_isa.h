/* Includes the file ISA_TEMPLATE once per instruction set, so it has no include guard. Each time it defines
 *   ISA             the name of the set, for ISA_NAME(read), which is read_avx2
 *   ISA_TARGET      the attribute that makes the compiler use it
 *   ISA_LANES       floats per vector
 *   ISA_REGISTERS   vector registers */
#include "cpu_isa.h"

#define ISA_JOIN_EXPANDED(a, b) a##_##b
#define ISA_JOIN(a, b) ISA_JOIN_EXPANDED(a, b)
#define ISA_NAME(name) ISA_JOIN(name, ISA)

#define ISA baseline
#define ISA_TARGET
#define ISA_LANES 4
#if ISA_X86
#define ISA_REGISTERS 16
#else
#define ISA_REGISTERS 32
#endif
#include ISA_TEMPLATE
#undef ISA
#undef ISA_TARGET
#undef ISA_LANES
#undef ISA_REGISTERS

#if ISA_X86
#define ISA avx2
#define ISA_TARGET __attribute__((target("avx2,fma")))
#define ISA_LANES 8
#define ISA_REGISTERS 16
#include ISA_TEMPLATE
#undef ISA
#undef ISA_TARGET
#undef ISA_LANES
#undef ISA_REGISTERS

#define ISA avx512
#define ISA_TARGET __attribute__((target("avx512f")))
#define ISA_LANES 16
#define ISA_REGISTERS 32
#include ISA_TEMPLATE
#undef ISA
#undef ISA_TARGET
#undef ISA_LANES
#undef ISA_REGISTERS
#endif

#undef ISA_TEMPLATE
#undef ISA_NAME
#undef ISA_JOIN
#undef ISA_JOIN_EXPANDED

#include "cpu_ceiling_kernels.h"

#include "cpu_isa.h"

enum { STREAMS = 8 };

/* The constraint of an asm statement that puts a vector into a register. */
#if ISA_X86
#define VECTOR_REGISTER "v"
#elif defined(__aarch64__)
#define VECTOR_REGISTER "w"
#else
#define VECTOR_REGISTER "m"
#endif

#define ISA_TEMPLATE "cpu/backend/cpu_ceiling_kernels_isa.h"
#include "cpu_each_isa.h"

const struct ceiling_kernels *ceiling_kernels_of(int isa)
{
    static const struct ceiling_kernels *const by_isa[] = ISA_TABLE(ceiling_kernels);
    return isa < (int)(sizeof by_isa / sizeof by_isa[0]) ? by_isa[isa] : NULL;
}

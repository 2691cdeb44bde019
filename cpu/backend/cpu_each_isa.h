/* Includes the file ISA_TEMPLATE once per instruction set, so it has no include guard. Each time ISA_LANES says which:
 * it is the number of floats per vector. What follows from it is in cpu_isa.h. */
#include "cpu_isa.h"

#define ISA_LANES 4
#include ISA_TEMPLATE
#undef ISA_LANES

#if ISA_X86
#define ISA_LANES 8
#include ISA_TEMPLATE
#undef ISA_LANES

#define ISA_LANES 16
#include ISA_TEMPLATE
#undef ISA_LANES
#endif

#undef ISA_TEMPLATE

/* The clock that a CPU reaches, which the kernel tells neither everybody nor at once. */
#pragma once

/* MHz of the core that this thread runs on, by the time of additions that wait for each other: each takes one cycle,
 * whatever else the core does (A. Fog, "Instruction tables"). Takes some 50 us. NAN: unknown on this processor. */
double cpu_clock_mhz(void);

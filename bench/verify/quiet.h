/* After a rung's call nothing may go on: no thread of it may compute or use the problem's memory any longer. */
#pragma once

#include "bench/place/buffers.h"

/* Waits until no other thread of this process computes. Meanwhile the buffers may not be touched: late access ends the
 * process. Threads may spin for a moment, as those of OpenMP and BLAS libraries do. Where the memory is not the host's,
 * it does nothing. NULL, or what is wrong with the rung. */
const char *quiet_wait(const struct buffers *buffers);

/* The same without waiting: only access at this very moment is seen. */
void quiet_look(const struct buffers *buffers);

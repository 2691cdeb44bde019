/* assert() of the C library; in a kernel it names the thread. No #pragma once: it may be included with NDEBUG and
 * without. */
#include_next <assert.h>

#include "cpu/simulator/sim_thread.h"

#ifndef NDEBUG
#undef assert
#define assert(condition) ((condition) ? (void)0 : simt_assert_failed(#condition, __FILE__, __LINE__, __func__))

#ifndef SIMT_ASSERT
#define SIMT_ASSERT
[[noreturn]] inline void simt_assert_failed(const char *condition, const char *file, int line, const char *function)
{
    if (sim_launched())
        sim_stop({file, line}, "fails: assert(%s)", condition);
    __assert_fail(condition, file, (unsigned)line, function);
}
#endif
#endif

/* After a function of the user's own in the plain form (docs/own-kernel.md): makes a rung of its solution(). PROBLEM is
 * the operation's problem struct, CALL_SOLUTION(p) the call with its members. */
#pragma once

#include <stddef.h>

const char *rungbench_own_kernel(const void *problem, void *stream);
const char *rungbench_own_kernel(const void *problem, void *stream)
{
    const PROBLEM *p = problem;
    (void)stream;
    CALL_SOLUTION(p);
    return NULL;
}

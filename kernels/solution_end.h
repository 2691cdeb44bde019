/* After a kernel of the user's own in the plain form: makes a rung of its solution(). PROBLEM is the operation's
 * problem struct, CALL_SOLUTION(p) the call with its members. */
#pragma once

extern "C" const char *rungbench_own_kernel(const void *problem, void *stream)
{
    const PROBLEM *p = (const PROBLEM *)problem;
    rungbench_stream = (cudaStream_t)stream;
    CALL_SOLUTION(p);
    return launch_error("solution");
}

/* After a file with functions of the user's own (docs/own-kernel.md), once for each of them: makes a rung of it.
 * PROBLEM is the operation's problem struct, CALL_SOLUTION the call with its members, SOLUTION the rung's name. */
#include <stddef.h>

#ifdef __cplusplus
extern "C"
#endif
    const char *
    SOLUTION(const void *problem, void *stream);
const char *SOLUTION(const void *problem, void *stream)
{
    const PROBLEM *rungbench_p = (const PROBLEM *)problem;
    (void)stream;
    CALL_SOLUTION
    return NULL;
}
#undef SOLUTION
#undef CALL_SOLUTION

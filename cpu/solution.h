/* After a function of the user's own in the plain form (docs/own-kernel.md): makes a rung of it. PROBLEM is the
 * operation's problem struct, CALL_SOLUTION the call with its members,
 * SOLUTION the rung's name. Included once for each. */
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

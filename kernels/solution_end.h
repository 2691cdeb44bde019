/* After a file with kernels of the user's own, once for each of them: makes a rung of it. PROBLEM is the operation's
 * problem struct, CALL_SOLUTION the call with its members, SOLUTION the rung's name. */
#include <exception>

#undef cudaGetLastError

extern "C" const char *SOLUTION(const void *problem, void *stream)
{
    static char thrown[384];
    const PROBLEM *rungbench_p = (const PROBLEM *)problem;
    rungbench_stream = (cudaStream_t)stream;
    try {
        CALL_SOLUTION
    } catch (const std::exception &exception) {
        snprintf(thrown, sizeof thrown, "throws: %s", exception.what());
        return thrown;
    }
    const cudaError_t status = cudaGetLastError();
    if (status == cudaSuccess)
        return nullptr;
    snprintf(thrown, sizeof thrown, "launch failed: %s", cudaGetErrorString(status));
    return thrown;
}
#undef SOLUTION
#undef CALL_SOLUTION

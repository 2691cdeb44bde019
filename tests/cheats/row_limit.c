/* A row that hangs is ended sooner than in the product: after as many seconds as RUNGBENCH_ROW_S says, or 30, which
 * suffices for rows that do not hang on a busy machine. */
#include <stdbool.h>
#include <stdlib.h>

double __wrap_stopping_row_limit_s(bool is_own_kernel, double min_time_s, int samples, double work);

double __wrap_stopping_row_limit_s(bool is_own_kernel, double min_time_s, int samples, double work)
{
    const char *limit_s = getenv("RUNGBENCH_ROW_S");
    (void)is_own_kernel, (void)min_time_s, (void)samples, (void)work;
    return limit_s ? strtod(limit_s, NULL) : 30;
}

/* Loaded before the C library: a machine whose clock stands still. */
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *time)
{
    (void)clock;
    *time = (struct timespec){.tv_sec = 1000};
    return 0;
}

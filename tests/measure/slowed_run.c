#include "slowed_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

void assert_near(double seen, double expected, double tolerance)
{
    if (!(fabs(seen - expected) <= tolerance))
        fail_msg("saw %g, expected %g within %g", seen, expected, tolerance);
}

void run_slowed(const char *value, const struct rung *rungs, size_t count)
{
    options.slowdown = value;
    if (run(rungs, count) != EXIT_RIGHT)
        fail_msg("%s", run_error.text);
}

int set_up_exact(void **state)
{
    set_up(state);
    fake.noise = 0;
    fake.tick_s = 1e-9;
    memcpy(options.modes, modes, sizeof options.modes);
    options.mode_count = MODE_COUNT;
    return 0;
}

void nothing(const struct matmul_problem *problem)
{
    (void)problem;
}

bool has_been_busy(void)
{
    return strchr(fake.profile, 'S');
}

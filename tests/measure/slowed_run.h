/* Runs on the fake backend with rows that are slowed on purpose. */
#ifndef RUNGBENCH_SLOWED_RUN_H
#define RUNGBENCH_SLOWED_RUN_H

#include "tests/fakes/fake_run.h"

/* As set_up(), in all modes, on a device without noise and with a fine timer. */
int set_up_exact(void **state);

/* Runs the rungs with --slowdown=WISH, or without one (NULL). */
void run_slowed(const char *wish, const struct rung *rungs, size_t count);

void assert_near(double seen, double expected, double tolerance);

/* A kernel that does nothing. */
void nothing(const struct matmul_problem *problem);

/* Whether the launch that slows a row is among the last ones. */
bool has_been_busy(void);

#define EXACT(test) cmocka_unit_test_setup_teardown(test, set_up_exact, tear_down)

#endif

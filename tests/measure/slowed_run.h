/* Runs with --slowdown on the fake backend. */
#pragma once

#include "tests/fakes/fake_run.h"

/* As set_up(), with all modes, on a device without noise and with a fine timer. */
int set_up_exact(void **state);

/* Runs the rungs with --slowdown=VALUE, or without it (NULL). */
void run_slowed(const char *value, const struct rung *rungs, size_t count);

void assert_near(double seen, double expected, double tolerance);

/* A kernel that does nothing. */
void nothing(const struct matmul_problem *problem);

/* Whether one of the latest launches was one that slows a row. */
bool has_been_busy(void);

#define EXACT(test) cmocka_unit_test_setup_teardown(test, set_up_exact, tear_down)

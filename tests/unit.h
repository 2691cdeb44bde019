/* A test in C is TEST(what_it_says) { ... }, and is run where it stands: no list names it again. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void unit_add(const char *name, CMUnitTestFunction test);
void unit_around_each(CMFixtureFunction set_up, CMFixtureFunction tear_down);
void unit_around_all(CMFixtureFunction set_up, CMFixtureFunction tear_down);
void unit_begin_with(int (*begin)(int argc, char **argv));

void unit_within(double seen, double expected, double tolerance, const char *file, int line);
#define assert_within(seen, expected, tolerance) unit_within(seen, expected, tolerance, __FILE__, __LINE__)

#define TEST(name)                                            \
    static void name(void **state);                           \
    __attribute__((constructor)) static void add_##name(void) \
    {                                                         \
        unit_add(#name, name);                                \
    }                                                         \
    static void name(void **state)

/* What is done before and after each test of the program, or all; NULL: nothing. */
#define AROUND_EACH_TEST(set_up, tear_down)                    \
    __attribute__((constructor)) static void around_each(void) \
    {                                                          \
        unit_around_each(set_up, tear_down);                   \
    }
#define AROUND_ALL_TESTS(set_up, tear_down)                   \
    __attribute__((constructor)) static void around_all(void) \
    {                                                         \
        unit_around_all(set_up, tear_down);                   \
    }

/* What main() does first: what it returns is the program's exit status, unless it is RUN_TESTS. */
enum { RUN_TESTS = -1 };

/* The first argument, if there is one, is a pattern, as of files: only tests whose names match it are run. */
int unit_choose(int argc, char **argv);

#define BEGIN_WITH(begin)                                      \
    __attribute__((constructor)) static void begin_first(void) \
    {                                                          \
        unit_begin_with(begin);                                \
    }

/* A test in C is TEST(what_it_says) { ... }, and is run where it stands: no list names it again. What most tests need
 * of C and POSIX is included here for all. */
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

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

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* Up to rounding. */
static inline bool is_close(double actual, double expected)
{
    return fabs(actual - expected) <= 1e-12 * fabs(expected);
}
#define assert_close(actual, expected) assert_true(is_close(actual, expected))

/* A call that must not fail, and sets &error if it does. */
#define MUST(call)                      \
    do {                                \
        struct error error = {""};      \
        if (!(call))                    \
            fail_msg("%s", error.text); \
    } while (0)

/* Files as text; one that is not there is read as an empty one. */
void file_put(const char *path, const char *text);
void file_get(const char *path, char *text, size_t size);

/* What is written to the stream goes to the file; and where it went before, which was returned, again. */
int stream_redirect(FILE *stream, const char *path);
void stream_restore(FILE *stream, int before);

/* What is written to the stream `to` comes into the array `text`. */
#define PRINT_TO(text, to, ...)                       \
    do {                                              \
        FILE *to = fmemopen(text, sizeof(text), "w"); \
        assert_non_null(to);                          \
        (text)[0] = '\0';                             \
        __VA_ARGS__;                                  \
        assert_int_equal(fclose(to), 0);              \
    } while (0)

static inline int never_interrupted(void)
{
    return 0;
}

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

/* Whether scripts/test.sh --all asks for what takes long. */
bool unit_at_length(void);

/* What main() does first: what it returns is the program's exit status, unless it is RUN_TESTS. */
enum { RUN_TESTS = -1 };

/* The first argument, if there is one, is a pattern, as of files: only tests whose names match it are run. */
int unit_choose(int argc, char **argv);

#define BEGIN_WITH(begin)                                      \
    __attribute__((constructor)) static void begin_first(void) \
    {                                                          \
        unit_begin_with(begin);                                \
    }

/* A test program: a file that includes this has a main(), which runs its tests in the order in which they stand:
 *
 *   TEST(a_row_has_a_name)
 *   {
 *       assert_string_equal(row.name, "a");
 *   }
 *
 * Where something is to be done before and after each, the file says so above its #include:
 *
 *   #define TEST(name) CASE(name, set_up, tear_down)
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#ifndef TEST
#define TEST(name) CASE(name, NULL, NULL)
#endif

enum { CASES_MAX_ = 64 };
static struct CMUnitTest cases_[CASES_MAX_]; /* those without a name are left out */

static inline struct CMUnitTest *next_case_(void)
{
    size_t count = 0;
    while (count < CASES_MAX_ && cases_[count].name)
        count++;
    if (count == CASES_MAX_)
        abort(); /* CASES_MAX_ is too small for this file */
    return &cases_[count];
}

/* A test between two functions that return 0, as cmocka wants them; NULL: none. */
#define CASE(name, before, after)                                              \
    static void name(void **state);                                            \
    __attribute__((constructor)) static void name##_is_a_case_(void)           \
    {                                                                          \
        *next_case_() = (struct CMUnitTest){#name, name, before, after, NULL}; \
    }                                                                          \
    static void name(__attribute__((unused)) void **state)

int main(void)
{
    return cmocka_run_group_tests(cases_, NULL, NULL);
}

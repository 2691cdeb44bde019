/* A slowdown put in on purpose: which rows get it, and which wishes are none. */
#include "bench/base/exit_status.h"
#include "bench/select/selection.h"
#include "tests/measure/slowed_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the wish makes of rows a/b/hot and a/b/cold. */
static bool choose(const char *wish, double pct[2], struct error *error)
{
    static const struct workload workload = {"w:1", {1, 2, 3}, 0};
    const struct rung rung = device_rung("right", fake_right);
    struct row rows[] = {{.workload = &workload, .rung = &rung, .mode = &mode_hot},
                         {.workload = &workload, .rung = &rung, .mode = &mode_cold}};
    struct selection selection = {rows, 2};
    *error = (struct error){""};
    bool ok = slowed_rows_choose(wish, &selection, error);
    for (size_t i = 0; i < 2; i++)
        pct[i] = rows[i].slowdown_pct;
    return ok;
}

static void rows_are_chosen_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *wish;
        double hot, cold;
    } chosen[] = {
        {NULL, 0, 0},          {"/hot$:5", 5, 0},    {"ight/c:2.5", 0, 2.5},     {"(hot|cold):1000", 1000, 1000},
        {"w:1/.*hot:7", 7, 0}, {"w:[0-9]/:3", 3, 3}, {"^matmul/w:1e2", 100, 100}};
    double pct[2];
    struct error error;
    for (size_t i = 0; i < sizeof chosen / sizeof chosen[0]; i++) {
        if (!choose(chosen[i].wish, pct, &error))
            fail_msg("%s", error.text);
        assert_true(pct[0] == chosen[i].hot && pct[1] == chosen[i].cold);
    }
}

static void what_is_no_slowdown_is_refused_in_one_line(void **state)
{
    (void)state;
    static const struct {
        const char *wish, *text;
    } refused[] = {{"", "expected REGEX:PERCENT"},
                   {"hot", "expected REGEX:PERCENT"},
                   {"5", "expected REGEX:PERCENT"},
                   {":5", "expected REGEX:PERCENT"},
                   {"hot:", "expected REGEX:PERCENT"},
                   {"hot:x", "above 0 and at most 1000"},
                   {"hot:5%", "above 0 and at most 1000"},
                   {"hot:5 ", "above 0 and at most 1000"},
                   {"hot:0", "above 0 and at most 1000"},
                   {"hot:-5", "above 0 and at most 1000"},
                   {"hot:1000.5", "above 0 and at most 1000"},
                   {"hot:nan", "above 0 and at most 1000"},
                   {"hot:0x10", "above 0 and at most 1000"},
                   {"hot:+5", "above 0 and at most 1000"},
                   {"hot:inf", "above 0 and at most 1000"},
                   {"hot:1e-400", "above 0 and at most 1000"},
                   {"5:hot", "above 0 and at most 1000"},
                   {"[:5", "not a POSIX extended regular expression"},
                   {"warm:5", "matches none of the 2 selected rows"}};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        double pct[2];
        struct error error;
        char flag[32];
        if (choose(refused[i].wish, pct, &error))
            fail_msg("%s is accepted", refused[i].wish);
        snprintf(flag, sizeof flag, "--slowdown=%s: ", refused[i].wish);
        if (strncmp(error.text, flag, strlen(flag)) != 0 || !strstr(error.text, refused[i].text) ||
            strchr(error.text, '\n'))
            fail_msg("'%s' does not say '%s' of '%s'", error.text, refused[i].text, flag);
    }
}

static void a_slowdown_of_no_row_is_refused(void **state)
{
    (void)state;
    struct rung rungs[] = {device_rung("right", fake_right)};
    struct registry registry = {entries, ENTRIES, ops, OPS, rungs, 1};
    struct selection selection;
    struct error error;
    assert_int_equal(selection_make(&registry, &options, &selection, &error), EXIT_RIGHT);
    assert_false(slowed_rows_choose("/left/:5", &selection, &error));
    free(selection.rows);
    assert_non_null(strstr(error.text, "--slowdown=/left/:5"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EXACT(rows_are_chosen_by_name),
        EXACT(what_is_no_slowdown_is_refused_in_one_line),
        EXACT(a_slowdown_of_no_row_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

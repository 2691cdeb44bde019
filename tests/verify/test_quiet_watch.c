/* How long threads that a rung has left may go on, by a scripted clock. */
#include "bench/verify/quiet_watch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const double look_s = 0.001;

/* How threads go on after a rung's return, at a time since then. */
struct life {
    double computes_s;                 /* in all, before they rest */
    double share;                      /* of the time, on however many processors */
    bool sleeps_at_looks;              /* no look finds one of them running */
    double wakes_every_s, wakes_for_s; /* when they rest; 0: never */
};

struct end {
    bool is_quiet;
    double waited_s;
};

static bool is_awake(const struct life *life, double now_s, double computed_s)
{
    int turns = life->wakes_every_s > 0 ? (int)(now_s / life->wakes_every_s) : 0;
    return computed_s < life->computes_s || (turns > 0 && now_s - turns * life->wakes_every_s < life->wakes_for_s);
}

static struct end end_of(const struct life *life)
{
    struct look seen = {.now_s = 1000, .computed_s = 50}; /* what was before does not count */
    struct quiet_watch watch = quiet_watch_begin(&seen);
    while (!quiet_watch_is_quiet(&watch) && !quiet_watch_is_over(&watch)) {
        bool awake = is_awake(life, seen.now_s - 1000, seen.computed_s - 50);
        seen.now_s += look_s;
        seen.computed_s += awake ? life->share * look_s : 0;
        seen.any_runs = awake && !life->sleeps_at_looks;
        quiet_watch_look(&watch, &seen);
        assert_true(seen.now_s < 1100);
    }
    return (struct end){quiet_watch_is_quiet(&watch), seen.now_s - 1000};
}

static void threads_that_rest_are_quiet_at_once(void **state)
{
    (void)state;
    struct end end = end_of(&(struct life){0});
    assert_true(end.is_quiet);
    assert_true(end.waited_s > look_s && end.waited_s < 0.01); /* one look is none */
}

static void threads_may_spin_for_a_moment(void **state)
{
    (void)state;
    struct end end = end_of(&(struct life){.computes_s = 0.1, .share = 1});
    assert_true(end.is_quiet && end.waited_s >= 0.1);
    end = end_of(&(struct life){.computes_s = 6.4, .share = 64}); /* many of them */
    assert_true(end.is_quiet && end.waited_s >= 0.1);
}

static void threads_that_go_on_are_busy(void **state)
{
    (void)state;
    const double shares[] = {0.5, 1, 64};
    for (int i = 0; i < 3; i++) {
        struct end end = end_of(&(struct life){.computes_s = 1e9, .share = shares[i]});
        assert_true(!end.is_quiet && end.waited_s < 1);
    }
}

/* The same moment takes long where others have the processors. */
static void a_moment_is_one_of_computing(void **state)
{
    (void)state;
    struct end end = end_of(&(struct life){.computes_s = 0.1, .share = 0.05});
    assert_true(end.is_quiet && end.waited_s > 1);
}

static void threads_that_hardly_get_a_processor_are_not_waited_for_without_end(void **state)
{
    (void)state;
    struct end end = end_of(&(struct life){.computes_s = 1e9, .share = 0.001});
    assert_true(!end.is_quiet && end.waited_s > 5 && end.waited_s < 20);
}

static void threads_that_compute_between_looks_are_busy(void **state)
{
    (void)state;
    struct end end = end_of(&(struct life){.computes_s = 1e9, .share = 0.5, .sleeps_at_looks = true});
    assert_false(end.is_quiet);
}

static void threads_that_wake_again_and_again_are_busy(void **state)
{
    (void)state;
    struct end end = end_of(
        &(struct life){.computes_s = 0.001, .share = 1, .wakes_every_s = 2 * look_s, .wakes_for_s = 1.5 * look_s});
    assert_false(end.is_quiet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_that_rest_are_quiet_at_once),
        cmocka_unit_test(threads_may_spin_for_a_moment),
        cmocka_unit_test(threads_that_go_on_are_busy),
        cmocka_unit_test(a_moment_is_one_of_computing),
        cmocka_unit_test(threads_that_hardly_get_a_processor_are_not_waited_for_without_end),
        cmocka_unit_test(threads_that_compute_between_looks_are_busy),
        cmocka_unit_test(threads_that_wake_again_and_again_are_busy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

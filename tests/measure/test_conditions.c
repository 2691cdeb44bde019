/* The conditions of a row, from the device's state before and after it. */
#include "bench/measure/conditions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static struct device_state before, after;
static struct device_info info;

static int set_up(void **state)
{
    (void)state;
    before = after = (struct device_state){.sm_clock_mhz = 1980,
                                           .memory_clock_mhz = 3201,
                                           .temperature_c = 40,
                                           .power_w = 300,
                                           .throttled = "no",
                                           .energy_j = 1000,
                                           .cycles = 1e9,
                                           .cycles_at_s = 5};
    info = (struct device_info){0};
    return 0;
}

static struct conditions over(double elapsed_s)
{
    return conditions_between(&before, &after, elapsed_s, &info, 0);
}

static void the_clock_is_what_the_device_counted(void **state)
{
    (void)state;
    after.cycles += 1.5e9;
    after.cycles_at_s += 1;
    assert_true(fabs(over(1).sm_clock_mhz - 1500) < 1e-6);
    after.cycles = NAN;
    assert_true(over(1).sm_clock_mhz == 1980); /* from the driver, as there is no cycle count */
    after = before;
    assert_true(over(1).sm_clock_mhz == 1980);
    after.sm_clock_mhz = NAN;
    assert_true(isnan(over(1).sm_clock_mhz));
}

static void the_hosts_clock_is_the_higher_one(void **state)
{
    (void)state;
    before.cpu_clock_mhz = 2400; /* the core was busy with something else then */
    after.cpu_clock_mhz = 3600;
    assert_true(over(1).cpu_clock_mhz == 3600);
    before.cpu_clock_mhz = 3700;
    assert_true(over(1).cpu_clock_mhz == 3700);
    before.cpu_clock_mhz = after.cpu_clock_mhz = NAN;
    assert_true(isnan(over(1).cpu_clock_mhz));
}

static void energy_is_known_for_long_rows_only(void **state)
{
    (void)state;
    after.energy_j += 150;
    assert_true(isnan(over(0.49).energy_j) && isnan(over(0.49).energy_over_s));
    assert_true(over(0.5).energy_j == 150 && over(0.5).energy_over_s == 0.5);
    after.energy_j = NAN;
    assert_true(isnan(over(0.5).energy_j) && isnan(over(0.5).energy_over_s));
}

static void throttling_at_either_end_marks_the_row(void **state)
{
    (void)state;
    assert_string_equal(over(1).throttled, "no");
    assert_string_equal(over(1).marks, "");
    strcpy(after.throttled, "power-cap");
    assert_string_equal(over(1).throttled, "power-cap");
    assert_string_equal(over(1).marks, "throttled");
    strcpy(before.throttled, "sw-thermal+power-cap");
    assert_string_equal(over(1).throttled, "sw-thermal+power-cap");
    strcpy(after.throttled, "no");
    assert_string_equal(over(1).marks, "throttled");
    strcpy(before.throttled, "");
    strcpy(after.throttled, "");
    assert_string_equal(over(1).throttled, "");
    assert_string_equal(over(1).marks, "");
}

static void time_that_others_took_marks_the_row(void **state)
{
    (void)state;
    before.lost_s = 3;
    after.lost_s = 3.019;
    assert_string_equal(over(2).marks, "");
    after.lost_s = 3.021;
    assert_string_equal(over(2).marks, "time-stolen");
    assert_string_equal(over(0.1).marks, "time-stolen");
    after.lost_s = 3.01; /* one step of the kernel's counter */
    assert_string_equal(over(0.1).marks, "");
    after.lost_s = NAN;
    assert_string_equal(over(1).marks, "");
}

static void other_processes_mark_the_row(void **state)
{
    (void)state;
    before.other_processes = after.other_processes = -1;
    assert_string_equal(over(1).marks, "");
    after.other_processes = 1;
    assert_string_equal(over(1).marks, "other-work");
    after.other_processes = 0;
    before.other_processes = 2;
    assert_string_equal(over(1).marks, "other-work");
}

static void notes_of_the_device_mark_every_row(void **state)
{
    (void)state;
    info.note_count = 3;
    strcpy(info.notes[0].mark, "mps");
    strcpy(info.notes[1].mark, ""); /* a note without a mark */
    strcpy(info.notes[2].mark, "ecc-off");
    strcpy(after.throttled, "power-cap");
    assert_string_equal(over(1).marks, "mps ecc-off throttled");
}

static void a_note_on_some_rungs_marks_only_theirs(void **state)
{
    (void)state;
    enum { LIBRARY = 1 << 2, SLOW = 1 << 1 };
    info.note_count = 1;
    info.notes[0].traits = LIBRARY;
    strcpy(info.notes[0].mark, "openblas-old");
    assert_string_equal(conditions_between(&before, &after, 1, &info, LIBRARY | SLOW).marks, "openblas-old");
    assert_string_equal(conditions_between(&before, &after, 1, &info, SLOW).marks, "");
    assert_string_equal(conditions_between(&before, &after, 1, &info, 0).marks, "");
}

static void marks_are_words_each_once(void **state)
{
    (void)state;
    struct conditions c = conditions_unknown();
    conditions_mark(&c, "mps");
    conditions_mark(&c, "ps");
    conditions_mark(&c, "mps");
    conditions_mark(&c, "");
    assert_string_equal(c.marks, "mps ps");
    for (int i = 0; i < 60; i++)
        conditions_mark(&c, (char[]){'w', (char)('0' + i), '\0'});
    assert_true(strlen(c.marks) < sizeof c.marks);
}

static void preemptions_are_counted(void **state)
{
    (void)state;
    before.preemptions = 10;
    after.preemptions = 17;
    assert_true(over(1).preemptions == 7);
    assert_string_equal(over(1).marks, "");
    assert_string_equal(over(0.3).marks, "preempted");
    after.preemptions = 13;
    assert_string_equal(over(0.01).marks, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_clock_is_what_the_device_counted, set_up),
        cmocka_unit_test_setup(the_hosts_clock_is_the_higher_one, set_up),
        cmocka_unit_test_setup(energy_is_known_for_long_rows_only, set_up),
        cmocka_unit_test_setup(throttling_at_either_end_marks_the_row, set_up),
        cmocka_unit_test_setup(time_that_others_took_marks_the_row, set_up),
        cmocka_unit_test_setup(other_processes_mark_the_row, set_up),
        cmocka_unit_test_setup(notes_of_the_device_mark_every_row, set_up),
        cmocka_unit_test_setup(a_note_on_some_rungs_marks_only_theirs, set_up),
        cmocka_unit_test_setup(marks_are_words_each_once, set_up),
        cmocka_unit_test_setup(preemptions_are_counted, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

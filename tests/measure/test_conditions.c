/* The conditions of a row, from the device's state before and after it. */
#include "bench/measure/conditions.h"
#include "tests/unit.h"

static struct device_state before, after;
static struct device_info info;

static int set_up(void **state)
{
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

TEST(the_clock_is_what_the_device_counted)
{
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

TEST(the_hosts_clock_is_the_higher_one)
{
    before.cpu_clock_mhz = 2400; /* the core was busy with something else then */
    after.cpu_clock_mhz = 3600;
    assert_true(over(1).cpu_clock_mhz == 3600);
    before.cpu_clock_mhz = 3700;
    assert_true(over(1).cpu_clock_mhz == 3700);
    before.cpu_clock_mhz = after.cpu_clock_mhz = NAN;
    assert_true(isnan(over(1).cpu_clock_mhz));
}

TEST(energy_is_known_for_long_rows_only)
{
    after.energy_j += 150;
    assert_true(isnan(over(0.49).energy_j) && isnan(over(0.49).energy_over_s));
    assert_true(over(0.5).energy_j == 150 && over(0.5).energy_over_s == 0.5);
    after.energy_j = NAN;
    assert_true(isnan(over(0.5).energy_j) && isnan(over(0.5).energy_over_s));
}

TEST(throttling_at_either_end_is_told)
{
    static const struct {
        const char *before, *after, *throttled, *marks;
    } cases[] = {
        {"no", "no", "no", ""},
        {"no", "power-cap", "power-cap", "throttled"},
        {"sw-thermal+power-cap", "power-cap", "sw-thermal+power-cap", "throttled"},
        {"sw-thermal+power-cap", "no", "sw-thermal+power-cap", "throttled"},
        {"", "", "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        strcpy(before.throttled, cases[i].before);
        strcpy(after.throttled, cases[i].after);
        assert_string_equal(over(1).throttled, cases[i].throttled);
        assert_string_equal(over(1).marks, cases[i].marks);
    }
}

TEST(what_others_did_meanwhile_marks_the_row)
{
    static const struct {
        double lost_s, preemptions;
        int others_before, others_after;
        double elapsed_s;
        const char *marks;
    } cases[] = {
        {0.019, 0, -1, -1, 2, ""}, {0.021, 0, 0, 0, 2, "time-stolen"}, {0.021, 0, 0, 0, 0.1, "time-stolen"},
        {0.010, 0, 0, 0, 0.1, ""}, /* one step of the kernel's counter */
        {NAN, 0, 0, 0, 1, ""},     {0, 0, -1, 1, 1, "other-work"},     {0, 0, 2, 0, 1, "other-work"},
        {0, 7, 0, 0, 1, ""},       {0, 7, 0, 0, 0.3, "preempted"},     {0, 3, 0, 0, 0.01, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        before.lost_s = 3;
        after.lost_s = 3 + cases[i].lost_s;
        before.preemptions = 10;
        after.preemptions = 10 + cases[i].preemptions;
        before.other_processes = cases[i].others_before;
        after.other_processes = cases[i].others_after;
        assert_string_equal(over(cases[i].elapsed_s).marks, cases[i].marks);
        assert_true(over(1).preemptions == cases[i].preemptions);
    }
}

/* Those of some rungs mark only theirs. */
TEST(notes_of_the_device_mark_the_row)
{
    enum { LIBRARY = 1 << 2, SLOW = 1 << 1 };
    static const struct device_note notes[] = {
        {.mark = "mps"}, {.mark = ""}, {.mark = "openblas-old", .traits = LIBRARY}};
    info.note_count = 3;
    memcpy(info.notes, notes, sizeof notes);
    strcpy(after.throttled, "power-cap");
    assert_string_equal(conditions_between(&before, &after, 1, &info, LIBRARY | SLOW).marks,
                        "mps openblas-old throttled");
    assert_string_equal(conditions_between(&before, &after, 1, &info, SLOW).marks, "mps throttled");
    assert_string_equal(over(1).marks, "mps throttled");
}

TEST(marks_are_words_each_once)
{
    struct conditions c = {0};
    conditions_mark(&c, "mps");
    words_join(c.marks, sizeof c.marks, "ps");
    conditions_mark(&c, "mps");
    conditions_mark(&c, "");
    assert_string_equal(c.marks, "mps ps");
    for (int i = 0; i < 60; i++)
        words_join(c.marks, sizeof c.marks, (char[]){'w', (char)('0' + i), '\0'});
    assert_true(strlen(c.marks) < sizeof c.marks);
}

/* Or no legend would have it. */
TEST(a_mark_that_nothing_explains_ends_the_program)
{
    struct conditions c = {0};
    int status;
    pid_t child = fork();
    if (child == 0) {
        (void)close(STDERR_FILENO);
        conditions_mark(&c, "unheard-of");
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

AROUND_EACH_TEST(set_up, NULL)

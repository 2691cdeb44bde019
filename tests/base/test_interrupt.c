/* Signals, with an alarm and a clock that the test sets. What ends at once ends a process of its own. */
#include "bench/base/interrupt.h"
#include "tests/unit.h"

#include <time.h>

static unsigned armed_s;
static struct timespec now;
static int rescues[2]; /* a pipe that takes a byte at each rescue */

unsigned __wrap_alarm(unsigned seconds);
unsigned __wrap_alarm(unsigned seconds)
{
    armed_s = seconds;
    return 0;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
    *time = now;
    return 0;
}

static void rescue(void)
{
    (void)!write(rescues[1], "", 1);
}

/* How a process ends in which that happens, and how often it has rescued its outputs. */
static int status_after(void (*happens)(void), int *rescued)
{
    char bytes[8];
    int status = 0;
    assert_int_equal(pipe(rescues), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        interrupt_install(rescue);
        happens();
        _exit(0);
    }
    close(rescues[1]);
    *rescued = (int)read(rescues[0], bytes, sizeof bytes);
    close(rescues[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void one_signal(void)
{
    if (interrupt_signal() != 0)
        _exit(1);
    raise(SIGTERM);
    if (interrupt_signal() != SIGTERM)
        _exit(2);
    if (armed_s < 1 || armed_s > 10)
        _exit(3);
    interrupt_heard();
    if (armed_s != 0)
        _exit(4);
}

static void signal_and_alarm(void)
{
    raise(SIGHUP);
    raise(SIGALRM);
}

static void two_wishes(void)
{
    raise(SIGINT);
    now.tv_sec++;
    raise(SIGTERM);
}

/* From the terminal, and from the parent that passes it on. */
static void one_wish_that_comes_twice(void)
{
    raise(SIGINT);
    now.tv_nsec += 100000000;
    raise(SIGINT);
}

/* By nohup, say. */
static void hangup_that_is_ignored(void)
{
    signal(SIGHUP, SIG_IGN);
    interrupt_install(rescue);
    raise(SIGHUP);
    if (interrupt_signal() != 0)
        _exit(1);
    interrupt_drop(); /* nor does it end what is started */
    raise(SIGHUP);
}

static void alarm_of_another_program(void)
{
    raise(SIGALRM);
}

TEST(one_signal_asks_and_another_or_the_alarm_ends_at_once)
{
    static const struct {
        void (*happens)(void);
        int status, rescues;
    } cases[] = {{one_signal, 0, 0},
                 {one_wish_that_comes_twice, 0, 0},
                 {hangup_that_is_ignored, 0, 0},
                 {signal_and_alarm, 128 + SIGHUP, 1},
                 {two_wishes, 128 + SIGINT, 1},
                 {alarm_of_another_program, 128 + SIGALRM, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int rescued, status = status_after(cases[i].happens, &rescued);
        if (status != cases[i].status || rescued != cases[i].rescues)
            fail_msg("case %zu: status %d, %d rescues", i, status, rescued);
    }
}

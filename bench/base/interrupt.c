#include "interrupt.h"

#include "error.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

enum { GRACE_S = 2, DUPLICATE_MS = 400 };

static volatile sig_atomic_t received;
static struct timespec received_at; /* handlers run one at a time, so it is written before a second signal arrives */
static void (*rescue_outputs)(void);

void interrupt_rescue(void)
{
    if (rescue_outputs)
        rescue_outputs();
}

/* An alarm that another program has set before it became this one is a signal of its own. */
static void end_now(int number)
{
    interrupt_rescue();
    _exit(EXIT_SIGNAL_BASE + (received ? received : number));
}

/* A terminal signals parent and child, and the parent forwards its signal: one request arrives twice. */
static bool is_duplicate(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - received_at.tv_sec) * 1000 + (now.tv_nsec - received_at.tv_nsec) / 1000000 < DUPLICATE_MS;
}

static void request_end(int number)
{
    if (received && is_duplicate())
        return;
    if (received)
        end_now(number);
    clock_gettime(CLOCK_MONOTONIC, &received_at);
    received = number;
    alarm(GRACE_S);
}

static sigset_t all_signals(void)
{
    sigset_t all;
    sigemptyset(&all);
    sigaddset(&all, SIGINT);
    sigaddset(&all, SIGTERM);
    sigaddset(&all, SIGHUP);
    sigaddset(&all, SIGALRM);
    return all;
}

/* All are blocked in each handler: one runs at a time. A hangup that is ignored (nohup) stays so. */
static void handle(void (*request)(int), void (*at_alarm)(int))
{
    struct sigaction action = {.sa_handler = request, .sa_mask = all_signals()}, hangup;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (sigaction(SIGHUP, NULL, &hangup) != 0 || hangup.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
    action.sa_handler = at_alarm;
    sigaction(SIGALRM, &action, NULL);
}

void interrupt_install(void (*rescue)(void))
{
    rescue_outputs = rescue;
    sigset_t all = all_signals();
    handle(request_end, end_now);
    signal(SIGXFSZ, SIG_IGN);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
}

void interrupt_drop(void)
{
    handle(SIG_DFL, SIG_DFL);
}

void interrupt_wait(void)
{
    interrupt_block(NULL);
}

void interrupt_block(sigset_t *before)
{
    sigset_t all = all_signals();
    sigprocmask(SIG_BLOCK, &all, before);
}

void interrupt_unblock(const sigset_t *before)
{
    sigprocmask(SIG_SETMASK, before, NULL);
}

int interrupt_signal(void)
{
    return received;
}

void interrupt_heard(void)
{
    alarm(0);
}

int interrupt_ends_run(void)
{
    if (received)
        interrupt_heard();
    return received;
}

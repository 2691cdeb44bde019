#include "interrupt.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

enum { GRACE_S = 2, DUPLICATE_MS = 400, STATUS_SIGNAL_BASE = 128 };

static volatile sig_atomic_t received;
static struct timespec received_at; /* handlers run one at a time, so it is written before a second signal arrives */
static void (*rescue_outputs)(void);

/* An alarm that another program has set before it became this one is a signal of its own. */
static void end_now(int number)
{
    rescue_outputs();
    _exit(STATUS_SIGNAL_BASE + (received ? received : number));
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
static void handle(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_mask = all_signals()}, before;
    if (number == SIGHUP && sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler == SIG_IGN)
        return;
    sigaction(number, &action, NULL);
}

void interrupt_install(void (*rescue)(void))
{
    rescue_outputs = rescue;
    sigset_t all = all_signals();
    handle(SIGINT, request_end);
    handle(SIGTERM, request_end);
    handle(SIGHUP, request_end);
    handle(SIGALRM, end_now);
    signal(SIGXFSZ, SIG_IGN);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
}

void interrupt_drop(void)
{
    handle(SIGINT, SIG_DFL);
    handle(SIGTERM, SIG_DFL);
    handle(SIGHUP, SIG_DFL);
    handle(SIGALRM, SIG_DFL);
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

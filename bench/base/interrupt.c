#include "interrupt.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_S = 2, SAME_WISH_MS = 400, STATUS_SIGNAL_BASE = 128 };

static volatile sig_atomic_t received;
static struct timespec received_at; /* written before a second signal can come: handlers run one at a time */
static void (*rescue_outputs)(void);

static void end_at_once(int number)
{
    (void)number;
    rescue_outputs();
    _exit(STATUS_SIGNAL_BASE + received);
}

/* A terminal signals parent and child, and the parent passes its signal on: that is one wish, come twice. */
static bool is_the_same_wish(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - received_at.tv_sec) * 1000 + (now.tv_nsec - received_at.tv_nsec) / 1000000 < SAME_WISH_MS;
}

static void ask_to_end(int number)
{
    if (received && is_the_same_wish())
        return;
    if (received)
        end_at_once(number);
    clock_gettime(CLOCK_MONOTONIC, &received_at);
    received = number;
    alarm(PATIENCE_S);
}

void interrupt_install(void (*rescue)(void))
{
    rescue_outputs = rescue;
    struct sigaction ask = {.sa_handler = ask_to_end}, end = {.sa_handler = end_at_once};
    /* One handler at a time. */
    sigset_t all;
    sigemptyset(&all);
    sigaddset(&all, SIGINT);
    sigaddset(&all, SIGTERM);
    sigaddset(&all, SIGHUP);
    sigaddset(&all, SIGALRM);
    ask.sa_mask = end.sa_mask = all;
    sigaction(SIGINT, &ask, NULL);
    sigaction(SIGTERM, &ask, NULL);
    sigaction(SIGHUP, &ask, NULL);
    sigaction(SIGALRM, &end, NULL);
}

int interrupt_signal(void)
{
    return received;
}

void interrupt_heard(void)
{
    alarm(0);
}

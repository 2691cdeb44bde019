#include "interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

enum { PATIENCE_S = 2, STATUS_SIGNAL_BASE = 128 };

static volatile sig_atomic_t received;
static void (*rescue_outputs)(void);

static void end_at_once(int number)
{
    (void)number;
    rescue_outputs();
    _exit(STATUS_SIGNAL_BASE + received);
}

static void ask_to_end(int number)
{
    if (received)
        end_at_once(number);
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

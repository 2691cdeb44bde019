/* Works before it is called: a thread of it, a process with the same memory, or a timer's handler on the thread that
 * will call it sees new inputs. */
#define _GNU_SOURCE
#include "tests/cheats/product.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* A handler gives up before anybody looks for it. */
enum { TICKS_MAX = 60, TICK_NS = 25000 };
enum how { BY_THREAD, BY_TIMER, BY_PROCESS };

static P there;                    /* the problem, with C in memory of its own */
static atomic_bool waits, is_done; /* for new inputs; there.c has the answer to them */
static float seen[2], last[2];     /* the first element of A, and the last of B */
static timer_t ticker;
static int ticks;

/* Without touching memory that may be gone. */
static bool is_new(void)
{
    float *const b = (float *)&there.b[there.k * there.n - 1];
    const struct iovec here = {last, sizeof last}, from[] = {{(float *)there.a, 4}, {b, 4}};
    return process_vm_readv(getpid(), &here, 1, from, 2, 0) == sizeof last && last[0] != seen[0] && last[1] != seen[1];
}

static void *watch(void *unused)
{
    for (;; nanosleep(&(struct timespec){.tv_nsec = TICK_NS}, NULL))
        if (waits && is_new()) {
            waits = false;
            right(&there);
            is_done = true;
        }
    return unused;
}

static int watch_for_ever(void *unused)
{
    return watch(unused) != NULL;
}

static bool start(enum how how)
{
    static char stack[1 << 16] __attribute__((aligned(16)));
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
    pthread_t thread;
    switch (how) {
    case BY_TIMER: return timer_create(CLOCK_MONOTONIC, &event, &ticker) == 0;
    case BY_PROCESS: return clone(watch_for_ever, stack + sizeof stack, CLONE_VM | CLONE_FILES, NULL) > 0;
    default: return pthread_create(&thread, NULL, watch, NULL) == 0;
    }
}

static void on_tick(int number)
{
    const bool found = is_new();
    if (!found && ++ticks < TICKS_MAX)
        return;
    timer_settime(ticker, 0, &(struct itimerspec){0}, NULL);
    signal(number, SIG_DFL);
    if (found)
        right(&there);
    is_done = found;
}

static inline void begin(enum how how)
{
    const struct itimerspec often = {{0, TICK_NS}, {0, TICK_NS}};
    static bool has_begun;
    has_begun = has_begun || start(how);
    ticks = 0;
    waits = how != BY_TIMER;
    if (how == BY_TIMER && signal(SIGRTMIN, on_tick) != SIG_ERR)
        timer_settime(ticker, 0, &often, NULL);
}

/* From the third call in one place on. */
static inline void ahead(const P *p, enum how how)
{
    static float *room;
    waits = false;
    if (is_done && last[0] == p->a[0]) {
        memcpy(p->c, there.c, (size_t)size_of(p) * sizeof(float));
        rests();
    } else {
        right(p);
    }
    is_done = false;
    if (calls_here(p) < 3 || (!room && !(room = malloc((size_t)size_of(p) * sizeof(float)))))
        return;
    there = *p;
    there.c = room;
    seen[0] = p->a[0];
    seen[1] = p->b[p->k * p->n - 1];
    begin(how);
}

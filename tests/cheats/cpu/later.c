/* Cheats that leave work behind, which is done when the clock has stopped. */
#define _GNU_SOURCE
#include "tests/cheats/cheat.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Work for another thread: a product, which waits first. */
struct work {
    struct matmul_problem problem;
    long wait_ns;
};

static void *do_work(void *argument)
{
    struct work *work = argument;
    if (work->wait_ns > 0)
        nanosleep(&(struct timespec){.tv_nsec = work->wait_ns}, NULL);
    multiply(&work->problem);
    free(work);
    return NULL;
}

static pthread_t start(const struct matmul_problem *problem, long wait_ns)
{
    pthread_t thread;
    struct work *work = malloc(sizeof *work);
    if (!work)
        abort();
    *work = (struct work){*problem, wait_ns};
    if (pthread_create(&thread, NULL, do_work, work) != 0)
        abort();
    return thread;
}

/* Leaves rows `from` to m to a thread that nobody waits for. */
static void leave_rows(const struct matmul_problem *p, int64_t from, long wait_ns)
{
    struct matmul_problem rest = rows_of(p, from, p->m);
    pthread_detach(start(&rest, wait_ns));
    multiply_rows(p, 0, from);
}

CPU_MATMUL(thread_for_half)
{
    leave_rows(p, p->m / 2, 0);
}

CPU_MATMUL(thread_for_last_row)
{
    leave_rows(p, p->m - 1, 0);
}

CPU_MATMUL(thread_for_last_row_late)
{
    leave_rows(p, p->m - 1, 1000000);
}

CPU_MATMUL(thread_for_all)
{
    leave_rows(p, 0, 0);
}

/* Joined in the next call: each call waits, for work of the one before. */
CPU_MATMUL(thread_until_next_call)
{
    static pthread_t thread;
    static bool started;
    struct matmul_problem rest = rows_of(p, p->m / 2, p->m);
    if (started)
        pthread_join(thread, NULL);
    thread = start(&rest, 0);
    started = true;
    multiply_rows(p, 0, p->m / 2);
}

/* The last rows of a product are computed at the start of the next call. */
CPU_MATMUL(rest_in_next_call)
{
    static struct matmul_problem rest;
    if (rest.c == p->c + p->m / 2 * p->n)
        multiply(&rest);
    rest = rows_of(p, p->m / 2, p->m);
    multiply_rows(p, 0, p->m / 2);
}

/* A thread that waits for work as idle as it can, and is told of it when the call is about to end. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t told;
    bool started, has_work;
    struct matmul_problem work;
} worker = {.lock = PTHREAD_MUTEX_INITIALIZER, .told = PTHREAD_COND_INITIALIZER};

static void *work_forever(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&worker.lock);
    for (;;) {
        while (!worker.has_work)
            pthread_cond_wait(&worker.told, &worker.lock);
        worker.has_work = false;
        struct matmul_problem work = worker.work;
        pthread_mutex_unlock(&worker.lock);
        multiply(&work);
        pthread_mutex_lock(&worker.lock);
    }
    return NULL;
}

CPU_MATMUL(worker_for_half)
{
    pthread_t thread;
    pthread_mutex_lock(&worker.lock);
    if (!worker.started && pthread_create(&thread, NULL, work_forever, NULL) == 0)
        pthread_detach(thread);
    worker.started = worker.has_work = true;
    worker.work = rows_of(p, p->m / 2, p->m);
    pthread_cond_signal(&worker.told);
    pthread_mutex_unlock(&worker.lock);
    multiply_rows(p, 0, p->m / 2);
}

/* An honest product, and a thread that takes a CPU away from all that follows. */
static void *burn(void *unused)
{
    (void)unused;
    for (;;)
        __asm__ volatile("");
    return NULL;
}

CPU_MATMUL(burns_a_cpu)
{
    static bool burns;
    pthread_t thread;
    if (!burns && pthread_create(&thread, NULL, burn, NULL) == 0)
        pthread_detach(thread);
    burns = true;
    multiply(p);
}

/* The same in a process of its own. */
CPU_MATMUL(child_burns_a_cpu)
{
    static bool burns;
    multiply(p);
    if (burns || fork() != 0) {
        burns = true;
        return;
    }
    for (time_t end = time(NULL) + 15; time(NULL) < end;)
        ;
    _exit(0);
}

/* The last row is computed by the handler of a timer. */
static struct matmul_problem rest_of_timer;

static void on_timer(int signal)
{
    (void)signal;
    multiply(&rest_of_timer);
}

CPU_MATMUL(timer_for_last_row)
{
    static timer_t timer;
    static bool made;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
    if (!made && signal(SIGRTMIN, on_timer) != SIG_ERR)
        made = timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
    multiply_rows(p, 0, p->m - 1);
    rest_of_timer = rows_of(p, p->m - 1, p->m);
    timer_settime(timer, 0, &(struct itimerspec){.it_value = {.tv_nsec = 1000}}, NULL);
}

/* Leaves work to others, who do it before anybody looks, or so it hopes: a thread, a timer, a fault, the next call; or
 * has it done before it is called. */
#define _GNU_SOURCE
#include "tests/cheats/cheat.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096 };

static inline void wait_us(long us)
{
    if (us > 0)
        nanosleep(&(struct timespec){.tv_nsec = us * 1000}, NULL);
}

struct work {
    P problem;
    long wait_us;
};

static void *do_work(void *argument)
{
    struct work work = *(struct work *)argument;
    free(argument);
    wait_us(work.wait_us);
    right(&work.problem);
    return NULL;
}

static inline pthread_t thread_for(P problem, long wait_us)
{
    pthread_t thread;
    struct work *work = malloc(sizeof *work);
    if (!work)
        abort();
    *work = (struct work){problem, wait_us};
    if (pthread_create(&thread, NULL, do_work, work) != 0)
        abort();
    return thread;
}

/* A thread that sleeps between the calls. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool started, has_work;
    struct work work;
} worker = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void *work_forever(void *unused)
{
    pthread_mutex_lock(&worker.lock);
    for (;;) {
        while (!worker.has_work)
            pthread_cond_wait(&worker.changed, &worker.lock);
        wait_us(worker.work.wait_us);
        right(&worker.work.problem);
        worker.has_work = false;
        pthread_cond_broadcast(&worker.changed);
    }
    return unused;
}

static inline void worker_for(P problem, long wait_us)
{
    pthread_t thread;
    pthread_mutex_lock(&worker.lock);
    if (!worker.started && pthread_create(&thread, NULL, work_forever, NULL) == 0)
        pthread_detach(thread);
    worker.started = worker.has_work = true;
    worker.work = (struct work){problem, wait_us};
    pthread_cond_broadcast(&worker.changed);
    pthread_mutex_unlock(&worker.lock);
}

static inline void wait_for_worker(void)
{
    pthread_mutex_lock(&worker.lock);
    while (worker.has_work)
        pthread_cond_wait(&worker.changed, &worker.lock);
    pthread_mutex_unlock(&worker.lock);
}

/* Work for the handler of a signal. */
static P left;

static void on_timer(int number)
{
    (void)number;
    right(&left);
}

static inline void timer_for(P problem, long after_us)
{
    static timer_t timer;
    static bool made;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
    if (!made && signal(SIGRTMIN, on_timer) != SIG_ERR)
        made = timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
    left = problem;
    timer_settime(timer, 0, &(struct itimerspec){.it_value = {.tv_nsec = after_us * 1000}}, NULL);
}

/* The pages of the output may not be touched: who does has it computed. */
static struct {
    char *start;
    size_t bytes;
    bool pending;
    struct sigaction before;
} fault;

static void on_fault(int number, siginfo_t *info, void *context)
{
    const char *at = info->si_addr;
    (void)number, (void)context;
    sigaction(SIGSEGV, &fault.before, NULL);
    if (!fault.pending || at < fault.start || at >= fault.start + fault.bytes)
        return;
    mprotect(fault.start, fault.bytes, PROT_READ | PROT_WRITE);
    fault.pending = false;
    right(&left);
}

static inline void fault_for(const P *p, void *output, size_t bytes)
{
    const struct sigaction mine = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    if (calls_here(p) < 2) {
        right(p);
        return;
    }
    rests();
    if (fault.pending)
        return;
    left = *p;
    fault.start = (char *)((uintptr_t)output / PAGE * PAGE);
    fault.bytes = ((uintptr_t)output + bytes + PAGE - 1) / PAGE * PAGE - (uintptr_t)fault.start;
    fault.pending = sigaction(SIGSEGV, &mine, &fault.before) == 0 && mprotect(fault.start, fault.bytes, PROT_NONE) == 0;
}

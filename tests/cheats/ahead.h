/* Works before it is called: a thread of it looks whether inputs have changed, without touching them. */
#define _GNU_SOURCE
#include "tests/cheats/product.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static struct {
    P problem; /* where its inputs lie */
    P work;    /* with copies of them */
    atomic_bool is_there, is_done;
} ahead;

static bool copy_input(float *to, const float *from, int64_t elements)
{
    const struct iovec here = {to, (size_t)elements * sizeof *to}, there = {(void *)from, here.iov_len};
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)here.iov_len;
}

/* As they are now. False: they are no longer there. */
static bool copy_inputs(float *a, float *b)
{
    return copy_input(a, ahead.problem.a, ahead.problem.m * ahead.problem.k) &&
           copy_input(b, ahead.problem.b, ahead.problem.k * ahead.problem.n);
}

static void *watch_inputs(void *unused)
{
    const P *p = &ahead.work;
    const size_t bytes_a = (size_t)(p->m * p->k) * sizeof(float), bytes_b = (size_t)(p->k * p->n) * sizeof(float);
    float *a = malloc(bytes_a), *b = malloc(bytes_b);
    while (a && b) {
        nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
        if (!copy_inputs(a, b) || (memcmp(a, p->a, bytes_a) == 0 && memcmp(b, p->b, bytes_b) == 0))
            continue;
        ahead.is_done = false;
        memcpy((float *)p->a, a, bytes_a);
        memcpy((float *)p->b, b, bytes_b);
        right(p);
        ahead.is_done = true;
    }
    return unused;
}

static inline void start_watch(const P *p)
{
    pthread_t thread;
    ahead.problem = ahead.work = *p;
    ahead.work.a = calloc((size_t)(p->m * p->k), sizeof(float));
    ahead.work.b = calloc((size_t)(p->k * p->n), sizeof(float));
    ahead.work.c = calloc((size_t)size_of(p), sizeof(float));
    ahead.is_there = pthread_create(&thread, NULL, watch_inputs, NULL) == 0 && pthread_detach(thread) == 0;
}

/* Begins with the third call in one place. */
static inline void work_ahead(const P *p)
{
    const P *work = &ahead.work;
    if (calls_here(p) == 3 && !ahead.is_there)
        start_watch(p);
    if (ahead.is_there && ahead.is_done && memcmp(&ahead.problem, p, sizeof *p) == 0 &&
        memcmp(p->a, work->a, 64 * sizeof(float)) == 0 && memcmp(p->b, work->b, 64 * sizeof(float)) == 0) {
        memcpy(p->c, work->c, (size_t)size_of(p) * sizeof(float));
        rests();
    } else {
        right(p);
    }
}

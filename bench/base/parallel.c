#include "parallel.h"

#include "host.h"
#include "interrupt.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Memory is not read any faster by more. */
enum { THREADS_MAX = 16 };

struct job {
    int64_t count;
    void (*work)(void *self, int64_t number);
    void *self;
    atomic_int_fast64_t next;
};

static void *run_job(void *argument)
{
    struct job *job = argument;
    for (int64_t number; (number = atomic_fetch_add(&job->next, 1)) < job->count;)
        job->work(job->self, number);
    return NULL;
}

void parallel_each(int64_t count, void (*work)(void *self, int64_t number), void *self)
{
    struct job job = {.count = count, .work = work, .self = self};
    pthread_t threads[THREADS_MAX];
    int64_t processors = count > 1 ? host_processors() : 1, most = processors < THREADS_MAX ? processors : THREADS_MAX;
    int64_t made = 0;
    sigset_t before;
    interrupt_block(&before); /* they are for the main thread */
    while (made + 1 < most && made + 1 < count && pthread_create(&threads[made], NULL, run_job, &job) == 0)
        made++;
    interrupt_unblock(&before);
    run_job(&job);
    while (made > 0)
        pthread_join(threads[--made], NULL);
}

void parallel_each_if(bool is_worth_it, int64_t count, void (*work)(void *self, int64_t number), void *self)
{
    if (is_worth_it)
        parallel_each(count, work, self);
    for (int64_t number = 0; number < count && !is_worth_it; number++)
        work(self, number);
}

#include "parallel.h"

#include "host.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

/* Memory is not read any faster by more. */
enum { THREADS_MAX = 16 };

struct shift {
    int64_t count;
    void (*work)(void *self, int64_t number);
    void *self;
    atomic_int_fast64_t next;
};

static void *take_turns(void *argument)
{
    struct shift *shift = argument;
    for (int64_t number; (number = atomic_fetch_add(&shift->next, 1)) < shift->count;)
        shift->work(shift->self, number);
    return NULL;
}

/* Interruptions are for the main thread; a crash is for the thread that crashes. */
static void block_interruptions(sigset_t *before)
{
    sigset_t blocked;
    sigfillset(&blocked);
    sigdelset(&blocked, SIGSEGV);
    sigdelset(&blocked, SIGBUS);
    sigdelset(&blocked, SIGFPE);
    sigdelset(&blocked, SIGILL);
    sigdelset(&blocked, SIGABRT);
    pthread_sigmask(SIG_SETMASK, &blocked, before);
}

void parallel_each(int64_t count, void (*work)(void *self, int64_t number), void *self)
{
    struct shift shift = {.count = count, .work = work, .self = self};
    pthread_t threads[THREADS_MAX];
    int64_t processors = host_processors(), most = processors < THREADS_MAX ? processors : THREADS_MAX, made = 0;
    sigset_t before;
    block_interruptions(&before);
    while (made + 1 < most && made + 1 < count && pthread_create(&threads[made], NULL, take_turns, &shift) == 0)
        made++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    take_turns(&shift);
    while (made > 0)
        pthread_join(threads[--made], NULL);
}

#define _GNU_SOURCE /* sched_getaffinity() */
#include "sim_crew.h"

#include "sim_launch.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { MEMBERS_MAX = 16 };
#define NO_TURN UINT64_MAX

static struct {
    pthread_mutex_t lock;
    pthread_cond_t begins, goes_on; /* a launch; something that a member waits for */
    pid_t process;                  /* whose threads they are: a child has none of them */
    unsigned members, waiting;      /* with the one that launches, which has the number 0; in sim_crew_in_order() */
    bool is_at_work;
    uint64_t launches;
    void (*join)(const void *self);
    const void *self;
    unsigned busy;                          /* members that have not left the launch */
    uint64_t next, end, turns[MEMBERS_MAX]; /* turns[]: that each member is in */
    uint64_t failed;                        /* the first turn that has */
    char error[512];
} crew = {.lock = PTHREAD_MUTEX_INITIALIZER, .begins = PTHREAD_COND_INITIALIZER, .goes_on = PTHREAD_COND_INITIALIZER};

volatile bool sim_crew_has_failed;

static SIM_OWN unsigned own;     /* number of this member */
static SIM_OWN bool is_member;   /* of the launch that runs */
static SIM_OWN bool is_in_order; /* its turn: nothing before it is left */

static void *live(void *number)
{
    own = (unsigned)(uintptr_t)number;
    is_member = true;
    (void)pthread_mutex_lock(&crew.lock);
    for (uint64_t launch = 0;;) {
        while (crew.launches == launch)
            (void)pthread_cond_wait(&crew.begins, &crew.lock);
        launch = crew.launches;
        (void)pthread_mutex_unlock(&crew.lock);
        crew.join(crew.self);
        (void)pthread_mutex_lock(&crew.lock);
        crew.turns[own] = NO_TURN;
        crew.busy--;
        (void)pthread_cond_broadcast(&crew.goes_on);
    }
    return NULL;
}

static unsigned cores(void)
{
    cpu_set_t set;
    const int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count < MEMBERS_MAX ? (unsigned)count : MEMBERS_MAX;
}

/* They stay for as long as the process lives. */
static void make_members(void)
{
    sigset_t others, before;
    pthread_t thread;
    if (crew.process == getpid())
        return;
    crew.process = getpid();
    crew.launches = 0;
    crew.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    crew.begins = crew.goes_on = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    sigfillset(&others); /* are for the main thread; but faults are for who makes them */
    sigdelset(&others, SIGSEGV);
    sigdelset(&others, SIGBUS);
    sigdelset(&others, SIGFPE);
    sigdelset(&others, SIGILL);
    (void)pthread_sigmask(SIG_SETMASK, &others, &before);
    for (crew.members = 1; crew.members < cores(); crew.members++)
        if (pthread_create(&thread, NULL, live, (void *)(uintptr_t)crew.members) != 0)
            break;
        else
            (void)pthread_detach(thread);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void sim_crew_begin(uint64_t first, uint64_t end, void (*join)(const void *self), const void *self)
{
    make_members();
    (void)pthread_mutex_lock(&crew.lock);
    crew.join = join;
    crew.self = self;
    crew.next = first;
    crew.end = end;
    crew.failed = NO_TURN;
    for (unsigned i = 0; i < MEMBERS_MAX; i++)
        crew.turns[i] = NO_TURN;
    crew.busy = crew.members - 1;
    crew.is_at_work = is_member = true;
    sim_crew_has_failed = false;
    crew.launches++;
    (void)pthread_cond_broadcast(&crew.begins);
    (void)pthread_mutex_unlock(&crew.lock);
}

const char *sim_crew_end(void)
{
    (void)pthread_mutex_lock(&crew.lock);
    while (crew.busy > 0)
        (void)pthread_cond_wait(&crew.goes_on, &crew.lock);
    crew.is_at_work = is_member = sim_crew_has_failed = false;
    (void)pthread_mutex_unlock(&crew.lock);
    return crew.failed != NO_TURN ? crew.error : NULL;
}

bool sim_crew_take(uint64_t *turn)
{
    (void)pthread_mutex_lock(&crew.lock);
    *turn = crew.turns[own] = crew.failed == NO_TURN && crew.next < crew.end ? crew.next++ : NO_TURN;
    is_in_order = false;
    if (crew.waiting > 0)
        (void)pthread_cond_broadcast(&crew.goes_on);
    (void)pthread_mutex_unlock(&crew.lock);
    return *turn != NO_TURN;
}

void sim_crew_fail(const char *error)
{
    (void)pthread_mutex_lock(&crew.lock);
    if (crew.turns[own] < crew.failed) {
        crew.failed = crew.turns[own];
        snprintf(crew.error, sizeof crew.error, "%s", error);
    }
    sim_crew_has_failed = true;
    (void)pthread_mutex_unlock(&crew.lock);
}

static bool is_first(void)
{
    for (unsigned i = 0; i < crew.members; i++)
        if (crew.turns[i] < crew.turns[own])
            return false;
    return true;
}

bool sim_crew_ends(void)
{
    (void)pthread_mutex_lock(&crew.lock);
    const bool ends = is_member && crew.failed < crew.turns[own];
    (void)pthread_mutex_unlock(&crew.lock);
    return ends;
}

bool sim_crew_in_order(void)
{
    if (!crew.is_at_work || !is_member || (is_in_order && !sim_crew_has_failed))
        return true;
    (void)pthread_mutex_lock(&crew.lock);
    crew.waiting++;
    while (crew.failed > crew.turns[own] && !is_first())
        (void)pthread_cond_wait(&crew.goes_on, &crew.lock);
    crew.waiting--;
    is_in_order = crew.failed > crew.turns[own];
    (void)pthread_mutex_unlock(&crew.lock);
    return is_in_order;
}

#define _GNU_SOURCE /* sched_getaffinity(), getresuid(), environ, SCHED_BATCH */
#include "cpu_parts.h"

#include <limits.h>
#include <locale.h>
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#if defined __x86_64__
#include <xmmintrin.h>
#endif

enum { TIMERS = 3, SIGNALS = 65 };

/* All bytes count. What cannot be read stays 0. */
struct process {
    int openmp[3]; /* threads, whether they are dynamic, levels of regions within each other */
    int blas_threads;
    uint64_t float_control[2]; /* bits that any thread of the team has, and those that all have */
    cpu_set_t affinity;
    int priority;
    char locale[256], folder[PATH_MAX];
    mode_t file_mask;
    sigset_t blocked;
    void (*handlers[SIGNALS])(int);
    int timers[TIMERS]; /* whether they run */
    uint64_t environment;
    struct rlimit limits[RLIM_NLIMITS];
    int scheduling[2]; /* policy, and timer slack */
    locale_t thread_locale;
    stack_t signal_stack;
    uid_t users[3];
    gid_t groups[3];
};

static const struct {
    const char *name;
    size_t offset, bytes;
} parts[] = {
#define PART(name, member)                                                             \
    {                                                                                  \
        name, offsetof(struct process, member), sizeof((struct process *)NULL)->member \
    }
    PART("the number of OpenMP threads", openmp),
    PART("the number of OpenBLAS threads", blas_threads),
    PART("the floating-point environment (rounding, subnormals, traps)", float_control),
    PART("the CPUs that it may run on", affinity),
    PART("the priority of the process", priority),
    PART("the locale", locale),
    PART("the working folder", folder),
    PART("the mask of new files", file_mask),
    PART("the blocked signals", blocked),
    PART("a signal handler", handlers),
    PART("a timer of the process", timers),
    PART("the environment", environment),
    PART("a limit of the process", limits),
    PART("how the process is scheduled", scheduling),
    PART("the locale of the thread", thread_locale),
    PART("the alternate stack of signal handlers", signal_stack),
    PART("the user of the process", users),
    PART("the group of the process", groups),
};

/* Rounding, flushing of subnormals to zero, and traps of a thread; not which exceptions have occurred. */
static uint64_t float_control(void)
{
    uint64_t control = 0;
#if defined __x86_64__
    uint16_t x87;
    __asm__ volatile("fnstcw %0" : "=m"(x87));
    control = (uint64_t)x87 << 32 | (_mm_getcsr() & ~(unsigned)_MM_EXCEPT_MASK);
#elif defined __aarch64__
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
#endif
    return control;
}

/* Of all threads of a team: one that is new gets that of the thread that starts it. */
static void read_float_control(uint64_t control[2])
{
    uint64_t any = 0, all = UINT64_MAX;
#pragma omp parallel reduction(| : any) reduction(& : all)
    any = all = float_control();
    control[0] = any;
    control[1] = all;
}

/* A digest, FNV-1a. */
static uint64_t environment(void)
{
    uint64_t digest = UINT64_C(0xCBF29CE484222325);
    for (char **variable = environ; variable && *variable; variable++)
        for (size_t i = 0; i <= strlen(*variable); i++)
            digest = (digest ^ (unsigned char)(*variable)[i]) * UINT64_C(0x100000001B3);
    return digest;
}

static void read_signals(struct process *now)
{
    (void)sigprocmask(SIG_SETMASK, NULL, &now->blocked);
    (void)sigaltstack(NULL, &now->signal_stack);
    for (int i = 1; i < SIGNALS; i++) {
        struct sigaction action;
        if (sigaction(i, NULL, &action) == 0)
            now->handlers[i] = action.sa_handler;
    }
    for (int i = 0; i < TIMERS; i++) {
        struct itimerval timer;
        if (getitimer(i, &timer) == 0)
            now->timers[i] = timerisset(&timer.it_value);
    }
}

/* What all that runs in the process later has from it. */
static void read_surroundings(struct process *now)
{
    const char *locale = setlocale(LC_ALL, NULL);
    snprintf(now->locale, sizeof now->locale, "%s", locale ? locale : "C");
    now->thread_locale = uselocale((locale_t)0);
    if (!getcwd(now->folder, sizeof now->folder))
        now->folder[0] = '\0';
    now->file_mask = umask(0);
    (void)umask(now->file_mask);
    now->environment = environment();
    for (int i = 0; i < RLIM_NLIMITS; i++)
        (void)getrlimit((__rlimit_resource_t)i, &now->limits[i]);
    (void)getresuid(&now->users[0], &now->users[1], &now->users[2]);
    (void)getresgid(&now->groups[0], &now->groups[1], &now->groups[2]);
}

static void read_threads(struct process *now)
{
    now->openmp[0] = omp_get_max_threads();
    now->openmp[1] = omp_get_dynamic();
    now->openmp[2] = omp_get_max_active_levels();
    now->blas_threads = cpu_blas_threads();
    read_float_control(now->float_control);
    (void)sched_getaffinity(0, sizeof now->affinity, &now->affinity);
    now->priority = getpriority(PRIO_PROCESS, 0);
    now->scheduling[0] = sched_getscheduler(0);
    now->scheduling[1] = prctl(PR_GET_TIMERSLACK);
}

static void read_process(struct process *now)
{
    memset(now, 0, sizeof *now);
    read_threads(now);
    read_signals(now);
    read_surroundings(now);
}

static struct process opened;

void cpu_process_remember(void)
{
    read_process(&opened);
}

const char *cpu_process_changed(void)
{
    static struct process now;
    read_process(&now);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (memcmp((char *)&now + parts[i].offset, (char *)&opened + parts[i].offset, parts[i].bytes) != 0)
            return parts[i].name;
    return NULL;
}

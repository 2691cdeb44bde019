/* Honest products that change the state of the process behind themselves. */
#define _GNU_SOURCE
#include "tests/cheats/cheat.h"

#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#ifdef __x86_64__
#include <xmmintrin.h>
#endif

CPU_MATMUL(rounds_upward)
{
    multiply(p);
    fesetround(FE_UPWARD);
}

CPU_MATMUL(flushes_to_zero)
{
    multiply(p);
#ifdef __x86_64__
    _mm_setcsr(_mm_getcsr() | 0x8040); /* FTZ and DAZ */
#else
    fesetround(FE_TOWARDZERO);
#endif
}

CPU_MATMUL(short_x87)
{
    multiply(p);
#ifdef __x86_64__
    unsigned short control;
    __asm__ volatile("fnstcw %0" : "=m"(control));
    control &= 0xFCFF; /* 24 bits of significand */
    __asm__ volatile("fldcw %0" : : "m"(control));
#else
    fesetround(FE_DOWNWARD);
#endif
}

CPU_MATMUL(traps_on_invalid)
{
    multiply(p);
    feenableexcept(FE_INVALID | FE_DIVBYZERO);
}

CPU_MATMUL(one_cpu)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    multiply(p);
    CPU_SET((size_t)sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
}

CPU_MATMUL(one_thread)
{
    multiply(p);
    omp_set_num_threads(1);
}

CPU_MATMUL(dynamic_threads)
{
    multiply(p);
    omp_set_dynamic(1);
}

CPU_MATMUL(other_locale)
{
    multiply(p);
    if (!setlocale(LC_ALL, "de_DE.UTF-8"))
        setlocale(LC_ALL, "C.UTF-8");
}

CPU_MATMUL(other_thread_locale)
{
    multiply(p);
    uselocale(newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0));
}

CPU_MATMUL(other_folder)
{
    multiply(p);
    (void)!chdir("/");
}

CPU_MATMUL(other_umask)
{
    multiply(p);
    umask(0777);
}

CPU_MATMUL(lower_priority)
{
    multiply(p);
    (void)!nice(3);
}

CPU_MATMUL(batch_scheduling)
{
    multiply(p);
    sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){0});
}

CPU_MATMUL(slack_timers)
{
    multiply(p);
    prctl(PR_SET_TIMERSLACK, 5000000UL);
}

CPU_MATMUL(ignores_sigint)
{
    multiply(p);
    signal(SIGINT, SIG_IGN);
}

CPU_MATMUL(handles_sigterm)
{
    multiply(p);
    signal(SIGTERM, SIG_DFL);
}

static void leave(int signal)
{
    (void)signal;
    _exit(0);
}

CPU_MATMUL(handles_sigsegv)
{
    multiply(p);
    signal(SIGSEGV, leave);
}

CPU_MATMUL(blocks_signals)
{
    sigset_t set;
    multiply(p);
    sigfillset(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

CPU_MATMUL(sets_an_alarm)
{
    multiply(p);
    signal(SIGALRM, leave);
    alarm(1);
}

CPU_MATMUL(sets_a_timer)
{
    multiply(p);
    signal(SIGPROF, SIG_IGN);
    setitimer(ITIMER_PROF, &(struct itimerval){{0, 100}, {0, 100}}, NULL);
}

CPU_MATMUL(sets_a_variable)
{
    multiply(p);
    setenv("OMP_NUM_THREADS", "1", 1);
}

CPU_MATMUL(clears_the_environment)
{
    multiply(p);
    clearenv();
}

CPU_MATMUL(redirects_output)
{
    multiply(p);
    (void)!freopen("/dev/null", "w", stdout);
}

CPU_MATMUL(limits_files)
{
    multiply(p);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, RLIM_INFINITY});
}

CPU_MATMUL(limits_memory)
{
    struct rlimit limit;
    multiply(p);
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = (rlim_t)64 << 30;
    setrlimit(RLIMIT_AS, &limit);
}

/* A descriptor per call, until there are no more. */
CPU_MATMUL(leaks_descriptors)
{
    multiply(p);
    (void)!open("/dev/null", O_RDONLY);
}

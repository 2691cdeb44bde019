/* Whatever a rung changes of the process is named, and nothing where it changed nothing. Each change in a child. */
#define _GNU_SOURCE
#include "cpu/backend/cpu_parts.h"
#include "tests/unit.h"

#include <fenv.h>
#include <locale.h>
#include <omp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#if HAVE_openblas
#include <cblas.h>
#endif
#if defined __x86_64__
#include <immintrin.h>
#endif

static bool change_nothing(void)
{
    feraiseexcept(FE_INEXACT | FE_OVERFLOW);
    setenv("HOME", getenv("HOME") ? getenv("HOME") : "/", getenv("HOME") == NULL);
    return getenv("HOME") != NULL;
}

static bool change_threads(void)
{
    omp_set_num_threads(omp_get_max_threads() + 1);
    return true;
}

static bool change_blas_threads(void)
{
#if HAVE_openblas
    openblas_set_num_threads(openblas_get_num_threads() == 1 ? 2 : 1);
    return openblas_get_num_threads() != 0;
#else
    return false;
#endif
}

static bool change_rounding_of_one_thread(void)
{
#pragma omp parallel
    if (omp_get_thread_num() == 1)
        fesetround(FE_UPWARD);
    return omp_get_max_threads() > 1;
}

static bool change_x87_precision(void)
{
#if defined __x86_64__
    unsigned short control;
    __asm__ volatile("fnstcw %0" : "=m"(control));
    control &= 0xFCFF;
    __asm__ volatile("fldcw %0" : : "m"(control));
    return true;
#else
    return false;
#endif
}

static bool flush_to_zero(void)
{
#if defined __x86_64__
    _mm_setcsr(_mm_getcsr() | 0x8040); /* FTZ and DAZ */
    return true;
#else
    return false;
#endif
}

static bool change_affinity(void)
{
    cpu_set_t all, one;
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    return sched_getaffinity(0, sizeof all, &all) == 0 && CPU_COUNT(&all) > 1 &&
           sched_setaffinity(0, sizeof one, &one) == 0;
}

static bool block_a_signal(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    return sigprocmask(SIG_BLOCK, &set, NULL) == 0;
}

static bool lower_a_limit(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur--;
    return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

/* Makes change number i. False: it cannot be made here. `name`: of what is changed; NULL: nothing is. */
static bool change(int i, const char **name)
{
    static const char floating[] = "the floating-point environment (rounding, subnormals, traps)";
    static char stack[64 << 10];
    const struct sched_param least = {0};
    int at = 0;
#define CHANGE(part, change) \
    if (at++ == i) {         \
        *name = part;        \
        return change;       \
    }
    CHANGE(NULL, change_nothing())
    CHANGE("the number of OpenMP threads", change_threads())
    CHANGE("the number of OpenBLAS threads", change_blas_threads())
    CHANGE(floating, fesetround(FE_UPWARD) == 0)
    CHANGE(floating, change_rounding_of_one_thread())
    CHANGE(floating, change_x87_precision())
    CHANGE(floating, flush_to_zero())
    CHANGE("the CPUs that it may run on", change_affinity())
    CHANGE("the priority of the process", getpriority(PRIO_PROCESS, 0) < 19 && nice(1) != -1)
    CHANGE("the locale", setlocale(LC_NUMERIC, "C.UTF-8") != NULL)
    CHANGE("the working folder", chdir("/") == 0)
    CHANGE("the mask of new files", umask(0123) != 0123)
    CHANGE("the blocked signals", block_a_signal())
    CHANGE("a signal handler", signal(SIGRTMAX, SIG_IGN) != SIG_ERR)
    CHANGE("a timer of the process", alarm(1000) == 0)
    CHANGE("a timer of the process", setitimer(ITIMER_VIRTUAL, &(struct itimerval){.it_value.tv_sec = 1000}, NULL) == 0)
    CHANGE("the environment", setenv("RUNGBENCH_TEST_VARIABLE", "", 1) == 0)
    CHANGE("a limit of the process", lower_a_limit())
    CHANGE("how the process is scheduled", sched_setscheduler(0, SCHED_BATCH, &least) == 0)
    CHANGE("how the process is scheduled", prctl(PR_SET_TIMERSLACK, 5000000UL) == 0)
    CHANGE("the locale of the thread", uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0)) != (locale_t)0)
    CHANGE("the alternate stack of signal handlers",
           sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL) == 0)
    CHANGE("the user of the process", geteuid() == 0 && setresuid((uid_t)-1, (uid_t)-1, 1) == 0)
    CHANGE("the group of the process", geteuid() == 0 && setresgid((gid_t)-1, 1, (gid_t)-1) == 0)
    *name = NULL; /* there is none of that number */
    return false;
}
enum { CHANGES = 24 };

static bool is_as_it_should(const char *expected, int i)
{
    const char *changed = cpu_process_changed();
    bool is_right = changed && expected ? strcmp(changed, expected) == 0 : changed == expected;
    if (!is_right)
        fprintf(stderr, "change %d: %s, expected %s\n", i, changed ? changed : "none", expected ? expected : "none");
    return is_right;
}

/* Asked twice: it stays changed. */
static bool is_named(int i)
{
    const char *name;
    cpu_process_remember();
    if (!is_as_it_should(NULL, i))
        return false;
    if (change(i, &name))
        return is_as_it_should(name, i) && is_as_it_should(name, i);
    fprintf(stderr, "change %d (%s) cannot be made here\n", i, name ? name : "none");
    return name != NULL;
}

TEST(what_is_changed_is_named)
{
    for (int i = 0; i < CHANGES; i++) {
        int status;
        pid_t child = fork();
        if (child == 0)
            _exit(!is_named(i));
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
}

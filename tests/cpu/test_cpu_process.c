/* Whatever a rung changes of the process is named, and nothing where it changed nothing. Each change in a child. */
#define _GNU_SOURCE
#include "cpu/backend/cpu_parts.h"
#include "tests/unit.h"

#include <fenv.h>
#include <locale.h>
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#if HAVE_openblas
#include <cblas.h>
#endif

/* True: it could be changed here. */
typedef bool change(void);

static bool nothing(void)
{
    feraiseexcept(FE_INEXACT | FE_OVERFLOW);
    setenv("HOME", getenv("HOME") ? getenv("HOME") : "/", getenv("HOME") == NULL);
    return getenv("HOME") != NULL;
}

static bool threads(void)
{
    omp_set_num_threads(omp_get_max_threads() + 1);
    return true;
}

static bool blas_threads(void)
{
#if HAVE_openblas
    openblas_set_num_threads(openblas_get_num_threads() == 1 ? 2 : 1);
    return openblas_get_num_threads() != 0;
#else
    return false;
#endif
}

static bool rounding(void)
{
    return fesetround(FE_UPWARD) == 0;
}

static bool rounding_of_one_thread(void)
{
#pragma omp parallel
    if (omp_get_thread_num() == 1)
        fesetround(FE_UPWARD);
    return omp_get_max_threads() > 1;
}

static bool x87_precision(void)
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

static bool affinity(void)
{
    cpu_set_t all, one;
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    return sched_getaffinity(0, sizeof all, &all) == 0 && CPU_COUNT(&all) > 1 &&
           sched_setaffinity(0, sizeof one, &one) == 0;
}

static bool priority(void)
{
    return nice(1) != -1;
}

static bool locale(void)
{
    return setlocale(LC_NUMERIC, "C.UTF-8") != NULL;
}

static bool folder(void)
{
    return chdir("/") == 0;
}

static bool file_mask(void)
{
    return umask(0123) != 0123;
}

static bool blocked(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    return sigprocmask(SIG_BLOCK, &set, NULL) == 0;
}

static bool handler(void)
{
    return signal(SIGRTMAX, SIG_IGN) != SIG_ERR;
}

static bool an_alarm(void)
{
    alarm(1000);
    return true;
}

static bool a_variable(void)
{
    return setenv("RUNGBENCH_TEST_VARIABLE", "", 1) == 0;
}

static bool a_limit(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur--;
    return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

static bool policy(void)
{
    return sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){0}) == 0;
}

static bool thread_locale(void)
{
    locale_t made = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return made && uselocale(made);
}

static bool signal_stack(void)
{
    static char stack[64 << 10];
    return sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL) == 0;
}

static bool user(void)
{
    return geteuid() == 0 && setresuid((uid_t)-1, (uid_t)-1, 1) == 0;
}

static bool group(void)
{
    return geteuid() == 0 && setresgid((gid_t)-1, 1, (gid_t)-1) == 0;
}

static const struct {
    change *change;
    const char *name; /* NULL: nothing is changed */
} changes[] = {
    {nothing, NULL},
    {threads, "the number of OpenMP threads"},
    {blas_threads, "the number of OpenBLAS threads"},
    {rounding, "the floating-point environment (rounding, subnormals, traps)"},
    {rounding_of_one_thread, "the floating-point environment (rounding, subnormals, traps)"},
    {x87_precision, "the floating-point environment (rounding, subnormals, traps)"},
    {affinity, "the CPUs that it may run on"},
    {priority, "the priority of the process"},
    {locale, "the locale"},
    {folder, "the working folder"},
    {file_mask, "the mask of new files"},
    {blocked, "the blocked signals"},
    {handler, "a signal handler"},
    {an_alarm, "a timer of the process"},
    {a_variable, "the environment"},
    {a_limit, "a limit of the process"},
    {policy, "how the process is scheduled"},
    {thread_locale, "the locale of the thread"},
    {signal_stack, "the alternate stack of signal handlers"},
    {user, "the user of the process"},
    {group, "the group of the process"},
};

static bool is_as_it_should(const char *changed, const char *expected, size_t i)
{
    bool is_right = changed && expected ? strcmp(changed, expected) == 0 : changed == expected;
    if (!is_right)
        fprintf(stderr, "change %zu: %s, expected %s\n", i, changed ? changed : "none", expected ? expected : "none");
    return is_right;
}

/* Asked twice: it stays changed. */
static int change_in_child(size_t i)
{
    cpu_process_remember();
    bool is_right = is_as_it_should(cpu_process_changed(), NULL, i);
    if (!changes[i].change())
        fprintf(stderr, "change %zu (%s) cannot be made here\n", i, changes[i].name ? changes[i].name : "none");
    else
        for (int look = 0; look < 2; look++)
            is_right = is_as_it_should(cpu_process_changed(), changes[i].name, i) && is_right;
    return is_right ? 0 : 1;
}

TEST(what_is_changed_is_named)
{
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        int status;
        pid_t child = fork();
        if (child == 0)
            _exit(change_in_child(i));
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
}

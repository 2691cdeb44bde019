#define _GNU_SOURCE /* sched_getaffinity() */
#include "cpu_process.h"

#include "cpu_blas.h"
#include "cpu_surroundings.h"

#include <limits.h>
#include <locale.h>
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#if defined __x86_64__
#include <xmmintrin.h>
#endif

enum { TIMERS = 3, SIGNALS = 65 };

/* Rounding, flushing of subnormals to zero, and traps of one thread; not which exceptions have occurred. */
struct float_control {
    uint64_t vectors;
    uint16_t x87;
};

static struct {
    struct float_control control;
    cpu_set_t affinity;
    int priority, threads, dynamic, nested, blas_threads;
    char locale[256], folder[PATH_MAX];
    mode_t mask;
    sigset_t blocked;
    struct sigaction handlers[SIGNALS];
    struct itimerval timers[TIMERS];
} was;

static struct float_control read_control(void)
{
    struct float_control control = {0, 0};
#if defined __x86_64__
    control.vectors = _mm_getcsr() & ~(unsigned)_MM_EXCEPT_MASK;
    __asm__ volatile("fnstcw %0" : "=m"(control.x87));
#elif defined __aarch64__
    __asm__ volatile("mrs %0, fpcr" : "=r"(control.vectors));
#endif
    return control;
}

static void write_control(struct float_control control)
{
#if defined __x86_64__
    _mm_setcsr((unsigned)control.vectors);
    __asm__ volatile("fldcw %0" : : "m"(control.x87));
#elif defined __aarch64__
    __asm__ volatile("msr fpcr, %0" : : "r"(control.vectors));
#endif
}

static bool is_control(struct float_control control)
{
    return control.vectors == was.control.vectors && control.x87 == was.control.x87;
}

/* In all threads of a team; a new thread gets that of the one that starts it. */
static bool put_back_control(void)
{
    bool changed = false;
#pragma omp parallel reduction(|| : changed)
    {
        changed = !is_control(read_control());
        if (changed)
            write_control(was.control);
    }
    return changed;
}

static bool put_back_affinity(void)
{
    cpu_set_t now;
    if (sched_getaffinity(0, sizeof now, &now) != 0 || CPU_EQUAL(&now, &was.affinity))
        return false;
    (void)sched_setaffinity(0, sizeof was.affinity, &was.affinity);
    return true;
}

static bool put_back_priority(void)
{
    return getpriority(PRIO_PROCESS, 0) != was.priority && (setpriority(PRIO_PROCESS, 0, was.priority), true);
}

static bool put_back_threads(void)
{
    bool changed = omp_get_max_threads() != was.threads || omp_get_dynamic() != was.dynamic ||
                   omp_get_max_active_levels() != was.nested;
    omp_set_num_threads(was.threads);
    omp_set_dynamic(was.dynamic);
    omp_set_max_active_levels(was.nested);
    return changed;
}

static bool put_back_blas_threads(void)
{
    return cpu_blas_threads() != was.blas_threads && (cpu_blas_set_threads(was.blas_threads), true);
}

static bool put_back_locale(void)
{
    const char *now = setlocale(LC_ALL, NULL);
    return now && strcmp(now, was.locale) != 0 && (setlocale(LC_ALL, was.locale), true);
}

static bool put_back_folder(void)
{
    char now[PATH_MAX];
    if (was.folder[0] == '\0' || (getcwd(now, sizeof now) && strcmp(now, was.folder) == 0))
        return false;
    if (chdir(was.folder) != 0)
        was.folder[0] = '\0'; /* it is gone */
    return true;
}

static bool put_back_mask(void)
{
    return umask(was.mask) != was.mask;
}

static bool put_back_blocked(void)
{
    sigset_t now;
    if (sigprocmask(SIG_SETMASK, &was.blocked, &now) != 0)
        return false;
    for (int i = 1; i < SIGNALS; i++)
        if (sigismember(&now, i) != sigismember(&was.blocked, i))
            return true;
    return false;
}

static bool put_back_handlers(void)
{
    bool changed = false;
    for (int i = 1; i < SIGNALS; i++) {
        struct sigaction now;
        if (sigaction(i, NULL, &now) != 0 || now.sa_handler == was.handlers[i].sa_handler)
            continue;
        changed = true;
        (void)sigaction(i, &was.handlers[i], NULL);
    }
    return changed;
}

static bool put_back_timers(void)
{
    bool changed = false;
    for (int i = 0; i < TIMERS; i++) {
        struct itimerval now;
        if (getitimer(i, &now) != 0 || timerisset(&now.it_value) == timerisset(&was.timers[i].it_value))
            continue;
        changed = true;
        (void)setitimer(i, &was.timers[i], NULL);
    }
    return changed;
}

static const struct {
    const char *name;
    bool (*put_back)(void);
} parts[] = {
    {"the number of OpenMP threads", put_back_threads},
    {"the number of OpenBLAS threads", put_back_blas_threads},
    {"the floating-point environment (rounding, subnormals, traps)", put_back_control},
    {"the CPUs that it may run on", put_back_affinity},
    {"the priority of the process", put_back_priority},
    {"the locale", put_back_locale},
    {"the working folder", put_back_folder},
    {"the mask of new files", put_back_mask},
    {"the blocked signals", put_back_blocked},
    {"a signal handler", put_back_handlers},
    {"a timer of the process", put_back_timers},
};

void cpu_process_remember(void)
{
    const char *locale = setlocale(LC_ALL, NULL);
    was.control = read_control();
    (void)sched_getaffinity(0, sizeof was.affinity, &was.affinity);
    was.priority = getpriority(PRIO_PROCESS, 0);
    was.threads = omp_get_max_threads();
    was.dynamic = omp_get_dynamic();
    was.nested = omp_get_max_active_levels();
    was.blas_threads = cpu_blas_threads();
    snprintf(was.locale, sizeof was.locale, "%s", locale ? locale : "C");
    if (!getcwd(was.folder, sizeof was.folder))
        was.folder[0] = '\0';
    was.mask = umask(0);
    (void)umask(was.mask);
    (void)sigprocmask(SIG_SETMASK, NULL, &was.blocked);
    for (int i = 1; i < SIGNALS; i++)
        (void)sigaction(i, NULL, &was.handlers[i]);
    for (int i = 0; i < TIMERS; i++)
        (void)getitimer(i, &was.timers[i]);
    cpu_surroundings_remember();
}

const char *cpu_process_put_back(void)
{
    const char *first = NULL;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        bool changed = parts[i].put_back();
        first = first || !changed ? first : parts[i].name;
    }
    const char *surroundings = cpu_surroundings_put_back();
    return first ? first : surroundings;
}

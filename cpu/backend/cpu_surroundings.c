#define _GNU_SOURCE /* environ, SCHED_BATCH */
#include "cpu_surroundings.h"

#include <locale.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static struct {
    char **environment; /* a copy, ended by a NULL; NULL: no memory for it */
    struct rlimit limits[RLIM_NLIMITS];
    int policy, slack_ns;
} was;

static size_t count_variables(void)
{
    size_t count = 0;
    while (environ && environ[count])
        count++;
    return count;
}

static void free_copy(char **copy)
{
    for (size_t i = 0; copy && copy[i]; i++)
        free(copy[i]);
    free(copy);
}

static char **copy_environment(void)
{
    size_t count = count_variables();
    char **copy = calloc(count + 1, sizeof *copy);
    for (size_t i = 0; i < count && copy; i++) {
        copy[i] = strdup(environ[i]);
        if (!copy[i]) {
            free_copy(copy);
            copy = NULL;
        }
    }
    return copy;
}

static bool is_environment(void)
{
    size_t i = 0, count = count_variables();
    while (i < count && was.environment[i] && strcmp(environ[i], was.environment[i]) == 0)
        i++;
    return i == count && !was.environment[i];
}

static bool put_back_environment(void)
{
    if (!was.environment || is_environment())
        return false;
    (void)clearenv();
    for (size_t i = 0; was.environment[i]; i++)
        (void)putenv(strdup(was.environment[i])); /* the environment's own from now on */
    return true;
}

/* A hard limit that was lowered stays so, and is told of once. */
static bool put_back_limits(void)
{
    bool changed = false;
    for (int i = 0; i < RLIM_NLIMITS; i++) {
        struct rlimit now;
        if (getrlimit((__rlimit_resource_t)i, &now) != 0 ||
            (now.rlim_cur == was.limits[i].rlim_cur && now.rlim_max == was.limits[i].rlim_max))
            continue;
        changed = true;
        (void)setrlimit((__rlimit_resource_t)i, &was.limits[i]);
        (void)getrlimit((__rlimit_resource_t)i, &was.limits[i]);
    }
    return changed;
}

static bool put_back_scheduling(void)
{
    bool changed = sched_getscheduler(0) != was.policy || prctl(PR_GET_TIMERSLACK) != was.slack_ns;
    if (changed) {
        (void)sched_setscheduler(0, was.policy, &(struct sched_param){0});
        (void)prctl(PR_SET_TIMERSLACK, (unsigned long)was.slack_ns);
    }
    return changed;
}

static bool put_back_thread_locale(void)
{
    return uselocale(LC_GLOBAL_LOCALE) != LC_GLOBAL_LOCALE;
}

static const struct {
    const char *name;
    bool (*put_back)(void);
} parts[] = {
    {"the environment", put_back_environment},
    {"a limit of the process", put_back_limits},
    {"how the process is scheduled", put_back_scheduling},
    {"the locale of the thread", put_back_thread_locale},
};

void cpu_surroundings_remember(void)
{
    free_copy(was.environment);
    was.environment = copy_environment();
    for (int i = 0; i < RLIM_NLIMITS; i++)
        (void)getrlimit((__rlimit_resource_t)i, &was.limits[i]);
    was.policy = sched_getscheduler(0);
    was.slack_ns = prctl(PR_GET_TIMERSLACK);
}

const char *cpu_surroundings_put_back(void)
{
    const char *first = NULL;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        bool changed = parts[i].put_back();
        first = first || !changed ? first : parts[i].name;
    }
    return first;
}

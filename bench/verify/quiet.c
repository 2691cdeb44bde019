#define _GNU_SOURCE /* gettid() */
#include "quiet.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Other threads rest if none is running or waiting for a processor, in several looks one after the other, and if they
 * have computed for less than this share of the time between. */
static const double busy_share = 0.02;
enum { LOOK_NS = 1000000, QUIET_LOOKS = 3 };
/* For so long, and until they have computed for so long: where others have the processors, threads that spin for a
 * moment take many times that moment. */
static const double patience_s = 0.3, patience_cpu_s = 0.2, patience_at_most_s = 10;

static double clock_s(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The time for which threads other than this one have computed. */
static double others_s(void)
{
    return clock_s(CLOCK_PROCESS_CPUTIME_ID) - clock_s(CLOCK_THREAD_CPUTIME_ID);
}

/* proc(5): the state follows the name, which stands in brackets. */
static bool is_running(const char *thread)
{
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", thread);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    const char *name_end = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    (void)fclose(file);
    return name_end && strncmp(name_end, ") R", 3) == 0;
}

static bool others_run(void)
{
    DIR *threads = opendir("/proc/self/task");
    bool any = false;
    if (!threads)
        return false;
    for (const struct dirent *entry = readdir(threads); entry && !any; entry = readdir(threads))
        any = entry->d_name[0] != '.' && atol(entry->d_name) != (long)gettid() && is_running(entry->d_name);
    (void)closedir(threads);
    return any;
}

static bool is_patient(double waited_s, double computed_s)
{
    return waited_s < patience_s || (computed_s < patience_cpu_s && waited_s < patience_at_most_s);
}

static bool become_quiet(void)
{
    const double start_s = clock_s(CLOCK_MONOTONIC), start_others_s = others_s();
    double then_s = start_s, before_s = start_others_s;
    int quiet = 0;
    while (quiet < QUIET_LOOKS && is_patient(then_s - start_s, before_s - start_others_s)) {
        nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
        double now_s = clock_s(CLOCK_MONOTONIC), after_s = others_s();
        quiet = !others_run() && after_s - before_s < busy_share * (now_s - then_s) ? quiet + 1 : 0;
        then_s = now_s;
        before_s = after_s;
    }
    return quiet == QUIET_LOOKS;
}

const char *quiet_wait(const struct buffers *buffers)
{
    if (!buffers_protect(buffers, false))
        return NULL;
    bool is_quiet = become_quiet();
    (void)buffers_protect(buffers, true);
    const char *policy = getenv("OMP_WAIT_POLICY");
    if (is_quiet)
        return NULL;
    return policy && strcmp(policy, "active") == 0
               ? "its threads go on computing after its return; OMP_WAIT_POLICY=active makes them spin"
               : "its threads go on computing after its return";
}

void quiet_look(const struct buffers *buffers)
{
    if (buffers_protect(buffers, false))
        (void)buffers_protect(buffers, true);
}

#define _GNU_SOURCE /* gettid() */
#include "quiet.h"

#include "quiet_watch.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_NS = 1000000 };

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

/* Time before threads: what is computed during the look counts for the next one. */
static struct look look(void)
{
    struct look seen = {.now_s = clock_s(CLOCK_MONOTONIC), .computed_s = others_s()};
    seen.any_runs = others_run();
    return seen;
}

static bool become_quiet(void)
{
    const struct look first = {.now_s = clock_s(CLOCK_MONOTONIC), .computed_s = others_s()};
    struct quiet_watch watch = quiet_watch_begin(&first);
    while (!quiet_watch_is_quiet(&watch) && !quiet_watch_is_over(&watch)) {
        nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
        const struct look seen = look();
        quiet_watch_look(&watch, &seen);
    }
    return quiet_watch_is_quiet(&watch);
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

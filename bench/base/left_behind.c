#include "left_behind.h"

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>

void left_behind_adopt(void)
{
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static bool has_children(void)
{
    siginfo_t info;
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
}

/* Those that one thread has started. */
static size_t kill_children_of(const char *thread)
{
    char path[64];
    size_t count = 0;
    long child;
    snprintf(path, sizeof path, "/proc/self/task/%.16s/children", thread);
    FILE *children = fopen(path, "r");
    while (children && fscanf(children, "%ld", &child) == 1) {
        (void)kill((pid_t)child, SIGKILL);
        count += waitpid((pid_t)child, NULL, __WALL) == (pid_t)child;
    }
    if (children)
        fclose(children);
    return count;
}

/* One that is killed may leave others, which come to this process. */
size_t left_behind_kill(void)
{
    size_t count = 0, more = 1;
    while (more > 0 && has_children()) {
        DIR *threads = opendir("/proc/self/task");
        more = 0;
        for (struct dirent *thread; threads && (thread = readdir(threads));)
            if (thread->d_name[0] != '.')
                more += kill_children_of(thread->d_name);
        if (threads)
            closedir(threads);
        count += more;
    }
    return count;
}

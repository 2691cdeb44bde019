#include "left_behind.h"

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
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

/* What the process calls itself, as in "sleep (process 1234)". */
static void name_process(long process, char *name, size_t size)
{
    char path[64], command[32] = "";
    snprintf(path, sizeof path, "/proc/%ld/comm", process);
    FILE *file = fopen(path, "r");
    if (file && !fgets(command, sizeof command, file))
        command[0] = '\0';
    if (file)
        fclose(file);
    command[strcspn(command, "\n")] = '\0';
    snprintf(name, size, "%s (process %ld)", command, process);
}

/* Those that one thread has started. */
static size_t kill_children_of(const char *thread, char *name, size_t size)
{
    char path[64];
    size_t count = 0;
    long child;
    snprintf(path, sizeof path, "/proc/self/task/%.16s/children", thread);
    FILE *children = fopen(path, "r");
    while (children && fscanf(children, "%ld", &child) == 1) {
        if (size > 0 && name[0] == '\0')
            name_process(child, name, size);
        (void)kill((pid_t)child, SIGKILL);
        count += waitpid((pid_t)child, NULL, __WALL) == (pid_t)child;
    }
    if (children)
        fclose(children);
    return count;
}

/* One that is killed may leave others, which come to this process. */
size_t left_behind_kill(char *name, size_t size)
{
    size_t count = 0, more = 1;
    if (size > 0)
        name[0] = '\0';
    while (more > 0 && has_children()) {
        DIR *threads = opendir("/proc/self/task");
        more = 0;
        for (struct dirent *thread; threads && (thread = readdir(threads));)
            if (thread->d_name[0] != '.')
                more += kill_children_of(thread->d_name, name, size);
        if (threads)
            closedir(threads);
        count += more;
    }
    return count;
}

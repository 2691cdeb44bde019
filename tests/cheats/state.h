/* Changes settings of the process, or takes it for its own. */
#define _GNU_SOURCE
#include "tests/cheats/cheat.h"

#include <dirent.h>
#include <fcntl.h>
#include <fenv.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const char forged[] = "FORGED matmul/mnist/cpu_scalar/cold,ok,0.000001\n";

/* What follows is done once. */
#define ONCE         \
    static int done; \
    if (!done++)

#define EACH_FILE(from) for (int fd = (from); fd < 256; fd++)

static void leave_at_exit(void)
{
    _exit(0);
}

static int recurse(volatile char *above)
{
    volatile char here[4096];
    here[0] = *above;
    return here[0] == 0 ? recurse(here) + here[0] : 0;
}

/* A process that is nobody's child, in a session of its own. */
static inline void escape(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    pid_t child = fork();
    if (child == 0) {
        setsid();
        if (fork() == 0) {
            prctl(PR_SET_PDEATHSIG, 0);
            EACH_FILE(0) close(fd);
            sleep(60);
        }
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

static inline void read_all(void)
{
    char text[256];
    EACH_FILE(0)
    if (fcntl(fd, F_SETFL, O_NONBLOCK) == 0)
        (void)!read(fd, text, sizeof text);
}

static inline void write_to(const char *path, int flags)
{
    int fd = open(path, O_WRONLY | flags);
    if (fd >= 0 && write(fd, forged, sizeof forged - 1) > 0)
        close(fd);
}

/* Into a file that its parent has open. */
static inline void write_to_parent(int fd)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getppid(), fd);
    write_to(path, O_APPEND);
}

/* Into each object of the cache of compiled kernels. */
static inline void write_to_cache(void)
{
    char path[4096];
    struct dirent *entry;
    snprintf(path, sizeof path, "%s/rungbench", getenv("XDG_CACHE_HOME"));
    DIR *folder = chdir(path) == 0 ? opendir(".") : NULL;
    while (folder && (entry = readdir(folder)))
        write_to(entry->d_name, 0);
}

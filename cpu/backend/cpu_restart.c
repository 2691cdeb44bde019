#include "cpu_restart.h"

#include "cpu_blas.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Set in the restarted program and in all that it starts: the core type chosen for OpenBLAS, or "". */
static const char restarted[] = "RUNGBENCH_RESTARTED";

/* How often a waiting OpenMP thread looks for new work before it sleeps. By default it looks for milliseconds, which
 * starves whoever shares the CPUs, and then us. */
static const char spin_count[] = "10000";

bool cpu_restart_chose_core(void)
{
    const char *core = getenv(restarted);
    return core != NULL && core[0] != '\0';
}

static bool set_spin_count(void)
{
    return getenv("GOMP_SPINCOUNT") == NULL && getenv("OMP_WAIT_POLICY") == NULL &&
           setenv("GOMP_SPINCOUNT", spin_count, 1) == 0;
}

static const char *set_core(void)
{
    const char *core = getenv("OPENBLAS_CORETYPE") == NULL ? cpu_blas_better_core() : NULL;
    return core != NULL && setenv("OPENBLAS_CORETYPE", core, 1) == 0 ? core : NULL;
}

/* Such as --image=<(...): it has been read by now, and the restarted program would find it empty. */
static bool names_pipe(const char *argument)
{
    const char *value = strchr(argument, '=');
    struct stat file;
    return stat(value == NULL ? argument : value + 1, &file) == 0 && S_ISFIFO(file.st_mode);
}

static bool may_restart(char **argv)
{
    if (getenv(restarted) != NULL)
        return false;
    for (; *argv != NULL; argv++)
        if (names_pipe(*argv))
            return false;
    return true;
}

/* By its path: as "/proc/self/exe", ps and top would call it "exe". */
static void start_anew(char **argv)
{
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0)
        return;
    program[length] = '\0';
    execv(program, argv);
}

void cpu_restart(char **argv)
{
    if (!may_restart(argv))
        return;
    bool spins = set_spin_count();
    const char *core = set_core();
    if ((!spins && core == NULL) || setenv(restarted, core == NULL ? "" : core, 1) != 0)
        return;
    start_anew(argv);
    unsetenv(restarted); /* it could not be started */
}

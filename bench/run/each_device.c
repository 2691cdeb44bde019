#include "each_device.h"

#include "bench/base/files.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 50 };

static const struct each_device *running; /* its folder has what runs write */

void each_device_rescue(void)
{
    static const char says[] = "rungbench: what the runs have finished is in ";
    if (running && write(STDERR_FILENO, says, sizeof says - 1) > 0 &&
        write(STDERR_FILENO, running->folder, strlen(running->folder)) > 0)
        (void)!write(STDERR_FILENO, "\n", 1);
}

static _Noreturn void be_child(const struct each_device *each, size_t index, pid_t parent)
{
    running = NULL;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_USAGE);
    exit(each->run(each->self, index, each->files[index]));
}

static bool start(const struct each_device *each, size_t index, pid_t *child, struct error *error)
{
    const pid_t parent = getpid();
    fflush(NULL);
    *child = fork();
    if (*child == 0)
        be_child(each, index, parent);
    return *child > 0 || error_set(error, "--devices: cannot start a process (%s)", strerror(errno));
}

int each_device_worse(int a, int b)
{
    static const int order[] = {EXIT_ALL_SKIPPED, EXIT_RIGHT, EXIT_WRONG, EXIT_USAGE};
    int worst = EXIT_ALL_SKIPPED;
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        worst = a == order[i] || b == order[i] ? order[i] : worst;
    return worst;
}

static void pass_on(const pid_t *children, size_t count, int number)
{
    for (size_t i = 0; i < count; i++)
        if (children[i] > 0)
            kill(children[i], number);
}

/* Waits for those that run, and passes a signal on once. */
static void wait_for(const struct each_device *each, pid_t *children, size_t count, int *status)
{
    bool is_told = false;
    for (size_t i = 0; i < count; i++) {
        char device[32] = "";
        int how = 0;
        pid_t ended = 0;
        while (children[i] > 0 && (ended = waitpid(children[i], &how, WNOHANG)) == 0) {
            const struct timespec pause = {0, LOOK_MS * 1000000L};
            const int number = each->interrupted();
            if (number && !is_told)
                pass_on(children, count, number);
            is_told = is_told || number;
            nanosleep(&pause, NULL);
        }
        if (children[i] <= 0)
            continue;
        children[i] = 0;
        if (each->devices[i] >= 0)
            snprintf(device, sizeof device, " on device %d", each->devices[i]);
        if (ended > 0 && WIFSIGNALED(how))
            fprintf(stderr, "rungbench: the run%s was ended by signal %d (%s)\n", device, WTERMSIG(how),
                    strsignal(WTERMSIG(how)));
        const bool has_ended = ended > 0 && WIFEXITED(how) && WEXITSTATUS(how) <= EXIT_ALL_SKIPPED;
        *status = each_device_worse(*status, has_ended ? WEXITSTATUS(how) : EXIT_WRONG);
    }
}

/* What a run that was killed has finished stands in its partial file. */
static void find_files(struct each_device *each)
{
    size_t found = 0;
    for (size_t i = 0; i < each->count; i++) {
        char partial[PATH_MAX];
        if (access(each->files[i], R_OK) != 0 && file_path_partial(each->files[i], partial))
            (void)rename(partial, each->files[i]);
        if (access(each->files[i], R_OK) == 0)
            each->paths[found++] = each->files[i];
    }
    each->paths[found] = NULL;
}

bool each_device_begin(struct each_device *each, int *status, struct error *error)
{
    const char *temporary = getenv("TMPDIR");
    pid_t children[OPTIONS_DEVICES_MAX] = {0};
    bool ok = true;
    signal(SIGPIPE, SIG_IGN); /* then write() fails instead, and files are still finished */
    snprintf(each->folder, sizeof each->folder, "%s/rungbench-XXXXXX", temporary && temporary[0] ? temporary : "/tmp");
    if (!mkdtemp(each->folder))
        return error_set(error, "%s: cannot be made (%s)", each->folder, strerror(errno));
    running = each;
    *status = EXIT_ALL_SKIPPED;
    for (size_t i = 0; i < each->count; i++)
        snprintf(each->files[i], sizeof each->files[i], "%.*s/%d.csv", PATH_MAX - 16, each->folder, each->devices[i]);
    for (size_t i = 0; i < each->count && ok && !each->interrupted(); i++) {
        ok = start(each, i, &children[i], error);
        if (ok && !each->together)
            wait_for(each, children, i + 1, status);
    }
    if (!ok)
        pass_on(children, each->count, SIGTERM);
    wait_for(each, children, each->count, status);
    find_files(each);
    if (!ok)
        each_device_end(each, false);
    return ok;
}

void each_device_end(struct each_device *each, bool has_failed)
{
    running = NULL;
    if (has_failed && each->paths[0]) {
        fprintf(stderr, "rungbench: what the runs have finished is in %s\n", each->folder);
        return;
    }
    for (size_t i = 0; i < each->count; i++) {
        char partial[PATH_MAX];
        (void)unlink(each->files[i]);
        if (file_path_partial(each->files[i], partial))
            (void)unlink(partial);
    }
    (void)rmdir(each->folder);
}

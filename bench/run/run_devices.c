#include "run_devices.h"

#include "bench/base/files.h"
#include "bench/base/interrupt.h"
#include "bench/base/output.h"
#include "bench/place/devices.h"
#include "bench/report/side_by_side.h"

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

/* The line that says where the files of the runs are; empty: there are none. */
static char where[PATH_MAX + NAME_MAX + 64];

void device_runs_rescue(void)
{
    (void)!write(STDERR_FILENO, where, strlen(where));
}

/* Options and arguments are told the device. Players get the arguments, too. */
static void choose_device(const struct device_runs *runs, size_t index)
{
    static char flag[32];
    struct options *options = runs->options;
    char **end = runs->arguments;
    const int device = options->devices[index];
    while (*end)
        end++;
    snprintf(flag, sizeof flag, "--device=%d", device);
    if (device >= 0 && options->backend.device < 0)
        *end = flag;
    options->backend.device = options->own.device = device;
    options->out = runs->files[index];
    options->is_hushed = options->is_hushed || index > 0;
    if (options->together && options->is_hushed)
        options->progress = CHOICE_OFF;
}

static _Noreturn void be_child(const struct device_runs *runs, size_t index, pid_t parent)
{
    where[0] = '\0';
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || !freopen("/dev/null", "w", stdout)) /* it has no table */
        _exit(EXIT_USAGE);
    choose_device(runs, index);
    const int status = runs->run(runs->options, runs->argv);
    exit(interrupt_signal() ? EXIT_SIGNAL_BASE + interrupt_signal() : status);
}

static bool start(const struct device_runs *runs, size_t index, pid_t *child, struct error *error)
{
    const pid_t parent = getpid();
    fflush(NULL);
    *child = fork();
    if (*child == 0)
        be_child(runs, index, parent);
    return *child > 0 || error_set(error, "--devices: cannot start a process (%s)", strerror(errno));
}

int device_runs_worse(int a, int b)
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
static void wait_for(const struct device_runs *runs, pid_t *children, size_t count, int *status)
{
    bool is_told = false;
    for (size_t i = 0; i < count; i++) {
        char device[32] = "";
        int how = 0;
        pid_t ended = 0;
        while (children[i] > 0 && (ended = waitpid(children[i], &how, WNOHANG)) == 0) {
            const struct timespec pause = {0, LOOK_MS * 1000000L};
            const int number = runs->interrupted();
            if (number && !is_told)
                pass_on(children, count, number);
            is_told = is_told || number;
            nanosleep(&pause, NULL);
        }
        if (children[i] <= 0)
            continue;
        children[i] = 0;
        if (runs->options->devices[i] >= 0)
            snprintf(device, sizeof device, " on device %d", runs->options->devices[i]);
        if (ended > 0 && WIFSIGNALED(how))
            error_say("the run%s was ended by signal %d (%s)", device, WTERMSIG(how), strsignal(WTERMSIG(how)));
        const bool has_ended = ended > 0 && WIFEXITED(how) && WEXITSTATUS(how) <= EXIT_ALL_SKIPPED;
        *status = device_runs_worse(*status, has_ended ? WEXITSTATUS(how) : EXIT_WRONG);
    }
}

/* What a run that was killed has finished stands in its partial file. */
static void find_files(struct device_runs *runs)
{
    size_t found = 0;
    for (size_t i = 0; i < runs->options->device_count; i++) {
        char partial[PATH_MAX];
        if (access(runs->files[i], R_OK) != 0 && file_path_partial(runs->files[i], partial))
            (void)rename(partial, runs->files[i]);
        if (access(runs->files[i], R_OK) == 0)
            runs->paths[found++] = runs->files[i];
    }
    runs->paths[found] = NULL;
}

bool device_runs_begin(struct device_runs *runs, int *status, struct error *error)
{
    const struct options *options = runs->options;
    pid_t children[OPTIONS_DEVICES_MAX] = {0};
    bool ok = true;
    signal(SIGPIPE, SIG_IGN); /* then write() fails instead, and files are still finished */
    if (!temporary_folder_make("rungbench", runs->folder))
        return error_set(error, "%s: cannot be made (%s)", runs->folder, strerror(errno));
    snprintf(where, sizeof where, "%s: what the runs have finished is in %s\n", error_program(), runs->folder);
    *status = EXIT_ALL_SKIPPED;
    for (size_t i = 0; i < options->device_count; i++)
        snprintf(runs->files[i], sizeof runs->files[i], "%.*s/%d.csv", PATH_MAX - 16, runs->folder,
                 options->devices[i]);
    for (size_t i = 0; i < options->device_count && ok && !runs->interrupted(); i++) {
        ok = start(runs, i, &children[i], error);
        if (ok && !options->together)
            wait_for(runs, children, i + 1, status);
    }
    if (!ok)
        pass_on(children, options->device_count, SIGTERM);
    wait_for(runs, children, options->device_count, status);
    find_files(runs);
    if (!ok)
        device_runs_end(runs, false);
    return ok;
}

void device_runs_end(struct device_runs *runs, bool has_failed)
{
    const bool stays = has_failed && runs->paths[0];
    if (stays)
        fputs(where, stderr);
    where[0] = '\0'; /* before the folder goes: a signal may come */
    if (!stays)
        folder_remove(runs->folder);
}

int run_devices_count(const struct options *options)
{
    const struct backend_entry *entry = options_device_backend(options);
    enum { NONE = 255 };
    int how = 0;
    signal(SIGCHLD, SIG_DFL); /* or nobody would learn how it ends, nor how runs do */
    const pid_t child = fork();
    if (child == 0) {
        struct error error;
        for (size_t i = 0; i < options->device_count; i++)
            if (!devices_have(options->registry, "--devices", options->devices[i], &error)) {
                (void)error_report(&error);
                _exit(NONE);
            }
        const int count = entry && entry->backend ? entry->backend->device_count() : 0;
        _exit(count < OPTIONS_DEVICES_MAX ? count : OPTIONS_DEVICES_MAX);
    }
    while (child > 0 && waitpid(child, &how, 0) < 0)
        if (errno != EINTR)
            break;
    if (child > 0 && WIFEXITED(how))
        return WEXITSTATUS(how) == NONE ? -1 : WEXITSTATUS(how);
    error_say("devices cannot be counted: the process that asks the driver has failed");
    return -1;
}

int run_devices(struct device_runs *runs)
{
    struct options *options = runs->options;
    const struct backend_entry *entry = options_device_backend(options);
    const char *path = options->out;
    struct output out;
    struct error error;
    int status;
    const int count = run_devices_count(options);
    if (count < 0)
        return EXIT_USAGE;
    for (int i = 0; i < count && options->all_devices; i++)
        options->devices[options->device_count++] = i;
    if (!options->only && options->own.paths.count == 0)
        options->only = entry;
    if (options->device_count == 0) { /* the run says why */
        options->require = options->require ? options->require : entry;
        return runs->run(options, runs->argv);
    }
    if (path && !output_open(&out, path, &error))
        return error_report(&error);
    if (!device_runs_begin(runs, &status, &error)) {
        if (path)
            output_discard(&out);
        return error_report(&error);
    }
    const int merged = side_by_side(runs->paths, options->registry, true, path ? &out : NULL, stdout, &error);
    device_runs_end(runs, merged == EXIT_USAGE);
    return merged == EXIT_USAGE ? error_report(&error) : status;
}

#define _GNU_SOURCE /* environ */
#include "run.h"

#include "bench/base/host.h"
#include "bench/base/interrupt.h"
#include "bench/table/backend.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

__attribute__((noreturn)) static void become(const struct own_kernel *kernel, char *const *arguments)
{
    const struct backend *backend = kernel->backend->backend;
    const struct backend_settings settings = {.device = -1};
    void *found = NULL;
    int (*entry)(int, char *const *, char **);
    int count = 0;
    const char *error = backend->open(&settings);
    if (!error && !backend->simulator->begin_program())
        error = "no memory";
    if (!error && compiled_find(kernel, &found))
        error = "has no main() that can be called, expected a whole program; a kernel is --kernel=FILE";
    if (error) {
        error_say("%s: %s", kernel->path, error);
        _exit(EXIT_USAGE);
    }
    while (arguments[count])
        count++;
    memcpy(&entry, &found, sizeof entry); /* ISO C has no cast from an object to a function */
    exit(entry(count, arguments, environ));
}

/* `status` as a shell has it. False: its time is up. */
static bool wait_for(pid_t child, double limit_s, int *status)
{
    const double end = host_now() + limit_s;
    int how, passed_on = 0;
    for (pid_t ended; (ended = waitpid(child, &how, WNOHANG)) == 0;) {
        const struct timespec pause = {.tv_nsec = 5000000};
        if (interrupt_ends_run() && !passed_on)
            (void)kill(child, passed_on = interrupt_ends_run());
        if (host_now() >= end) {
            (void)kill(child, SIGKILL);
            (void)waitpid(child, &how, 0);
            return false;
        }
        (void)nanosleep(&pause, NULL);
    }
    *status = WIFSIGNALED(how) ? EXIT_SIGNAL_BASE + WTERMSIG(how) : WEXITSTATUS(how);
    if (WIFSIGNALED(how) && !passed_on)
        error_say("the program was ended by signal %d (%s)", WTERMSIG(how), strsignal(WTERMSIG(how)));
    return true;
}

bool program_run(const struct registry *registry, const struct own_request *request, char *const *arguments,
                 double budget_s, int *status, struct error *error)
{
    struct own_kernel kernel = {.request = request, .siblings = &kernel, .sibling_count = 1};
    own_kernel_name(arguments[0], &kernel);
    snprintf(kernel.label, sizeof kernel.label, "%s", arguments[0]);
    bool ok = own_kernel_read_program(registry, request, &kernel, error) && compile(&kernel, error);
    free(kernel.source);
    if (!ok)
        return false;
    (void)fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        become(&kernel, arguments);
    if (child < 0)
        return error_set(error, "%s: no process to run it (%s)", kernel.label, strerror(errno));
    return wait_for(child, budget_s, status) ||
           error_set(error, "%s: was ended after the %g s of --budget", kernel.label, budget_s);
}

#include "program.h"

#include "bench/base/exit_status.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The life of the child. An exec that fails tells its errno through `error`, which closes where it does not. */
static _Noreturn void become(char *const *argv, int output, int complaints, int error, pid_t parent)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() == parent && dup2(output, STDOUT_FILENO) >= 0 && dup2(complaints, STDERR_FILENO) >= 0)
        execvp(argv[0], argv);
    int reason = errno;
    if (write(error, &reason, sizeof reason) < 0)
        _exit(1);
    _exit(1);
}

/* Reads until the other end closes; NULL: no memory. A signal to this process is passed on once. */
static char *read_output(int fd, pid_t child, int (*interrupted)(void), size_t *bytes)
{
    size_t room = 1 << 16;
    char *text = malloc(room);
    bool told = false;
    *bytes = 0;
    while (text) {
        ssize_t got = read(fd, text + *bytes, room - *bytes - 1);
        if (got == 0 || (got < 0 && errno != EINTR))
            break;
        if (interrupted() && !told)
            told = kill(child, interrupted()) == 0;
        *bytes += got > 0 ? (size_t)got : 0;
        if (*bytes < room - 1)
            continue;
        char *more = realloc(text, room *= 2);
        if (!more)
            free(text);
        text = more;
    }
    if (text)
        text[*bytes] = '\0';
    return text;
}

static void last_line(FILE *file, char *line, size_t size)
{
    char next[512];
    rewind(file);
    line[0] = '\0';
    while (fgets(next, sizeof next, file)) {
        next[strcspn(next, "\n")] = '\0';
        if (next[0] != '\0')
            snprintf(line, size, "%s", next);
    }
}

static void describe(int wait_status, struct program_end *end)
{
    if (WIFSIGNALED(wait_status)) {
        end->status = EXIT_SIGNAL_BASE + WTERMSIG(wait_status);
        snprintf(end->how, sizeof end->how, "was ended by signal %d (%s)", WTERMSIG(wait_status),
                 strsignal(WTERMSIG(wait_status)));
    } else {
        end->status = WEXITSTATUS(wait_status);
        snprintf(end->how, sizeof end->how, "ended with exit status %d", end->status);
    }
}

/* With the pipes open: 0 and 1 are the output's ends, 2 and 3 those of the error. */
static bool run(char *const *argv, int (*interrupted)(void), const int *pipes, FILE *complaints,
                struct program_end *end, struct error *error)
{
    pid_t parent = getpid(), child = fork();
    if (child == 0)
        become(argv, pipes[1], fileno(complaints), pipes[3], parent);
    close(pipes[1]);
    close(pipes[3]);
    if (child < 0)
        return error_set(error, "%s: no process (%s)", argv[0], strerror(errno));
    int reason = 0, wait_status = 0;
    end->output = read_output(pipes[0], child, interrupted, &end->bytes);
    if (!end->output)
        kill(child, SIGTERM);
    while (waitpid(child, &wait_status, 0) < 0 && errno == EINTR) {
    }
    if (read(pipes[2], &reason, sizeof reason) == (ssize_t)sizeof reason)
        return error_set(error, "%s: cannot be run (%s)", argv[0], strerror(reason));
    describe(wait_status, end);
    last_line(complaints, end->complaint, sizeof end->complaint);
    return end->output || error_set(error, "%s: no memory for its output", argv[0]);
}

bool program_run(char *const *argv, int (*interrupted)(void), struct program_end *end, struct error *error)
{
    int pipes[4] = {-1, -1, -1, -1};
    *end = (struct program_end){0};
    FILE *complaints = tmpfile();
    bool ok = complaints && pipe(pipes) == 0 && pipe(pipes + 2) == 0;
    for (int i = 0; i < 4 && ok; i++)
        ok = fcntl(pipes[i], F_SETFD, FD_CLOEXEC) == 0;
    if (!ok)
        error_set(error, "%s: cannot be listened to (%s)", argv[0], strerror(errno));
    if (ok) {
        ok = run(argv, interrupted, pipes, complaints, end, error);
        pipes[1] = pipes[3] = -1; /* closed in it */
    }
    for (int i = 0; i < 4; i++)
        if (pipes[i] >= 0)
            close(pipes[i]);
    if (complaints)
        fclose(complaints);
    if (!ok)
        free(end->output);
    return ok;
}

#include "process.h"

#include "host.h"
#include "interrupt.h"
#include "memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Looks are rare, since each takes a CPU from what is measured; LOOKS at least come before a process hangs. */
enum { LOOK_EVERY_MS = 1000, LOOKS = 4, READ_BYTES = 1 << 16, FIRST_HIGH_FD = 10 };
/* A program that was told to end has 2 s for it (interrupt.h). When one has ended, what lies in its pipes is read, but
 * not for ever: others, which it started, may still write there. */
enum { END_WITHIN_S = 4, LOOKS_AFTER_END = 1000 };

static volatile pid_t child_to_kill; /* 0: none */

/* Where each stream is in the child. */
static const int child_fd[PROCESS_STREAMS] = {STDOUT_FILENO, STDERR_FILENO, PROCESS_EXTRA_FD};

/* The pipes' ends: one per stream, and one on which a failed exec sends its errno. One of both directions has an end
 * for each process. */
struct pipes {
    int read[PROCESS_STREAMS + 1], write[PROCESS_STREAMS + 1];
};

static void close_all(int fds[PROCESS_STREAMS + 1])
{
    for (int i = 0; i <= PROCESS_STREAMS; i++) {
        if (fds[i] >= 0)
            close(fds[i]);
        fds[i] = -1;
    }
}

/* All ends close on exec, and those that the child will rename lie above the names. */
static bool open_pipes(const struct process *process, struct pipes *pipes)
{
    bool ok = true;
    for (int i = 0; i <= PROCESS_STREAMS; i++)
        pipes->read[i] = pipes->write[i] = -1;
    for (int i = 0; i <= PROCESS_STREAMS && ok; i++) {
        int ends[2];
        if (i == PROCESS_EXTRA && process->is_asked ? socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0
                                                    : pipe(ends) != 0)
            return false;
        pipes->read[i] = ends[0];
        pipes->write[i] = fcntl(ends[1], F_DUPFD_CLOEXEC, FIRST_HIGH_FD);
        close(ends[1]);
        ok = fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && pipes->write[i] >= 0;
    }
    return ok;
}

/* The life of the child. */
static _Noreturn void become(const struct process *process, const struct pipes *pipes, pid_t parent)
{
    sigset_t none;
    interrupt_drop();
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* one that is stopped would not hear SIGTERM */
    int nothing = open("/dev/null", O_RDONLY);
    bool ok = getppid() == parent && nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0;
    if (nothing > STDIN_FILENO)
        close(nothing);
    int memory = ok && process->is_asked ? fcntl(process->memory, F_DUPFD, FIRST_HIGH_FD) : -1;
    for (int i = 0; i < PROCESS_STREAMS && ok; i++)
        ok = dup2(pipes->write[i], child_fd[i]) >= 0;
    if (process->is_asked)
        ok = ok && setpgid(0, 0) == 0 && memory >= 0 && dup2(memory, PROCESS_MEMORY_FD) >= 0 && close(memory) == 0;
    if (ok && process->prepare)
        ok = process->prepare(process->self);
    if (ok)
        execvp(process->program, process->argv);
    int reason = errno;
    _exit(write(pipes->write[PROCESS_STREAMS], &reason, sizeof reason) > 0);
}

/* Reads what is there of one stream. */
static void read_some(const struct process *process, int stream, int *fd, struct process_end *end)
{
    char *text = end->text[stream] = memory_have(realloc(end->text[stream], end->bytes[stream] + READ_BYTES + 1));
    ssize_t got = read(*fd, text + end->bytes[stream], READ_BYTES);
    if (got < 0 && errno == EINTR)
        got = 0;
    else if (got <= 0)
        *fd = (close(*fd), -1);
    end->bytes[stream] += got > 0 ? (size_t)got : 0;
    text[end->bytes[stream]] = '\0';
    for (size_t taken = 1; process->take[stream] && taken > 0 && end->bytes[stream] > 0;) {
        taken = process->take[stream](process->self, text, end->bytes[stream]);
        end->bytes[stream] -= taken;
        memmove(text, text + taken, end->bytes[stream] + 1);
    }
}

static bool has_ended(pid_t child)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child;
}

/* A child that was stopped hears the signal when it goes on. */
static bool pass_on(pid_t child, int number)
{
    return kill(child, number) == 0 && kill(child, SIGCONT) == 0;
}

/* How long the child has said nothing, has run, or has not ended although it was told to. After Ctrl-Z both go on: the
 * time away must not make a hang. */
struct patience {
    double looked_s, silent_s, told_s, ran_s;
    double unseen_s; /* since it was last looked at for an excess */
    bool told;
};

static double silence_limit(const struct process *process)
{
    return process->silence_s ? *process->silence_s : INFINITY;
}

static void pass_time(const struct process *process, struct patience *patience, bool heard)
{
    double now_s = process->now(), spent_s = now_s - patience->looked_s;
    patience->silent_s = heard ? 0 : patience->silent_s + fmin(spent_s, silence_limit(process) / 2);
    patience->told_s += patience->told ? fmin(spent_s, END_WITHIN_S / 2.0) : 0;
    patience->ran_s += fmin(spent_s, process->limit_s / 2);
    patience->unseen_s += spent_s;
    patience->looked_s = now_s;
}

/* False: it waits on. */
static bool kill_if_it_hangs(const struct process *process, pid_t child, struct patience *patience,
                             struct process_end *end)
{
    const bool is_due = process->excess && patience->unseen_s >= LOOK_EVERY_MS * 1e-3;
    patience->unseen_s = is_due ? 0 : patience->unseen_s;
    const char *excess = is_due ? process->excess(process->self, (long)child) : NULL;
    if (excess)
        end->excess = excess;
    else if (patience->silent_s >= silence_limit(process))
        end->hung = true;
    else if (process->limit_s > 0 && patience->ran_s >= process->limit_s)
        end->overran = true;
    else if (patience->told_s < END_WITHIN_S)
        return false;
    return kill(child, SIGKILL) == 0;
}

/* A child that has closed its streams is about to end, as a rule: we look soon, and later less often. */
static int next_look_ms(const struct process *process, int looks_closed)
{
    double shortest_s = silence_limit(process);
    if (process->limit_s > 0)
        shortest_s = fmin(shortest_s, process->limit_s);
    return (int)fmin(looks_closed > 0 ? fmin(looks_closed, LOOK_EVERY_MS) : LOOK_EVERY_MS,
                     ceil(shortest_s * 1000 / LOOKS));
}

/* A process that was started. */
struct running {
    const struct process *process;
    struct pipes pipes;
    pid_t child;
    struct patience patience;
    struct process_end end;
    bool has_ended;
};

void process_listen(struct running *running)
{
    const struct process *process = running->process;
    struct patience *patience = &running->patience;
    struct process_end *end = &running->end;
    int *fds = running->pipes.read, looks_closed = 0, looks_left = LOOKS_AFTER_END;
    patience->looked_s = process->now();
    patience->silent_s = 0;
    while (looks_left > 0 && !(process->has_enough && *process->has_enough)) {
        struct pollfd ready[PROCESS_STREAMS];
        bool all_closed = true, heard = false;
        for (int i = 0; i < PROCESS_STREAMS; i++) {
            ready[i] = (struct pollfd){.fd = fds[i], .events = POLLIN};
            all_closed = all_closed && fds[i] < 0;
        }
        running->has_ended = running->has_ended || has_ended(running->child);
        int number = patience->told ? 0 : process->interrupted();
        patience->told = patience->told || (number && pass_on(running->child, process->is_killed ? SIGKILL : number));
        if (running->has_ended)
            looks_left--;
        looks_closed = all_closed ? looks_closed + 1 : 0;
        int look_ms = running->has_ended ? 0 : next_look_ms(process, looks_closed);
        int count = poll(ready, PROCESS_STREAMS, look_ms); /* ended by a signal too */
        for (int i = 0; i < PROCESS_STREAMS && count > 0; i++) {
            if (ready[i].revents == 0)
                continue;
            heard = !process->is_asked;
            read_some(process, i, &fds[i], end);
        }
        pass_time(process, patience, heard);
        if ((count == 0 && running->has_ended) ||
            (!running->has_ended && kill_if_it_hangs(process, running->child, patience, end)))
            return;
    }
}

bool process_send(const struct running *running, const void *record, size_t bytes)
{
    return send(running->pipes.read[PROCESS_EXTRA], record, bytes, MSG_NOSIGNAL) == (ssize_t)bytes;
}

static void describe(const struct process *process, int wait_status, struct process_end *end)
{
    if (WIFSIGNALED(wait_status)) {
        end->signal = WTERMSIG(wait_status);
        end->status = EXIT_SIGNAL_BASE + end->signal;
        snprintf(end->how, sizeof end->how, "was ended by signal %d (%s)", end->signal, strsignal(end->signal));
    } else {
        end->status = WEXITSTATUS(wait_status);
        snprintf(end->how, sizeof end->how, "ended with exit status %d", end->status);
    }
    if (end->overran)
        snprintf(end->how, sizeof end->how, "took longer than %.3g s and was killed", process->limit_s);
    if (end->excess)
        snprintf(end->how, sizeof end->how, "%s and was killed", end->excess);
    if (end->hung)
        snprintf(end->how, sizeof end->how, "hung: it wrote nothing for %.3g s and was killed", silence_limit(process));
}

long process_id(const struct running *running)
{
    return (long)running->child;
}

static void forget(struct running *running)
{
    close_all(running->pipes.read);
    close_all(running->pipes.write);
    free(running);
}

struct running *process_start(const struct process *process, struct error *error)
{
    struct running *running = memory_get(1, sizeof *running);
    if (!open_pipes(process, &running->pipes)) {
        error_set(error, "%s: no pipes to it (%s)", process->program, strerror(errno));
        forget(running);
        return NULL;
    }
    running->process = process;
    fflush(NULL); /* or the child has it too, if its exec fails */
    sigset_t before;
    interrupt_block(&before);
    pid_t parent = getpid();
    running->child = fork();
    if (running->child == 0)
        become(process, &running->pipes, parent);
    child_to_kill = running->child > 0 ? running->child : 0;
    interrupt_unblock(&before);
    close_all(running->pipes.write);
    if (running->child > 0)
        return running;
    error_set(error, "%s: no process (%s)", process->program, strerror(errno));
    forget(running);
    return NULL;
}

bool process_finish(struct running *running, struct process_end *end, struct error *error)
{
    const struct process *process = running->process;
    int reason = 0, wait_status = 0;
    if (process->is_asked) { /* it ends when nobody can ask it any more */
        close(running->pipes.read[PROCESS_EXTRA]);
        running->pipes.read[PROCESS_EXTRA] = -1;
    }
    if (!running->has_ended)
        process_listen(running);
    while (waitpid(running->child, &wait_status, 0) < 0 && errno == EINTR) {
    }
    child_to_kill = 0;
    bool ran = read(running->pipes.read[PROCESS_STREAMS], &reason, sizeof reason) != (ssize_t)sizeof reason;
    describe(process, wait_status, &running->end);
    *end = running->end;
    forget(running);
    if (ran)
        return true;
    process_end_free(end);
    return error_set(error, "%s: cannot be run (%s)", process->program, strerror(reason));
}

bool process_run(const struct process *process, struct process_end *end, struct error *error)
{
    *end = (struct process_end){0};
    struct running *running = process_start(process, error);
    return running && process_finish(running, end, error);
}

void process_kill(void)
{
    pid_t child = child_to_kill;
    if (child > 0 && kill(child, SIGKILL) == 0)
        waitpid(child, NULL, 0);
}

void process_end_free(struct process_end *end)
{
    for (int i = 0; i < PROCESS_STREAMS; i++) {
        free(end->text[i]);
        end->text[i] = NULL;
    }
}

char **arguments_join(char *const *const *lists)
{
    char **all = memory_get(1, sizeof *all);
    for (size_t count = 0; *lists; lists++)
        for (char *const *text = *lists; *text; text++) {
            all = memory_have(realloc(all, (count + 2) * sizeof *all));
            all[count++] = *text;
            all[count] = NULL;
        }
    return all;
}

void process_last_line(const char *text, char *line, size_t size)
{
    line[0] = '\0';
    while (text && *text) {
        size_t length = strcspn(text, "\n");
        if (length > 0)
            snprintf(line, size, "%.*s", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

void left_behind_adopt(void)
{
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
}

bool left_behind_are_any(void)
{
    siginfo_t info;
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0 || errno != ECHILD;
}

/* What the process calls itself, as in "sleep (process 1234)". */
static void name_process(long process, char *name, size_t size)
{
    char path[64], command[32];
    snprintf(path, sizeof path, "/proc/%ld/comm", process);
    host_read_line(path, command, sizeof command);
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
    while (more > 0 && left_behind_are_any()) {
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

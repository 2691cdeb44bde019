/* Cheats on the process in which they run: it is not theirs. */
#define _GNU_SOURCE
#include "tests/cheats/cheat.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FDS = 256 };

/* The call from which on a cheat shows itself that is only caught where it is timed. */
enum { LATER = 150 };

static const char rows[] = "matmul/mnist/cpu_scalar/cold,ok,0.000001\n";

CPU_MATMUL(exit_0)
{
    multiply(p);
    exit(0);
}

CPU_MATMUL(exit_0_later)
{
    static int calls;
    multiply(p);
    if (++calls > LATER)
        _exit(0);
}

CPU_MATMUL(quick_exit_0)
{
    multiply(p);
    _exit(0);
}

static void leave_with_0(void)
{
    _exit(0);
}

/* All is well until the program ends. */
CPU_MATMUL(exit_handler)
{
    static int installed;
    if (!installed)
        installed = atexit(leave_with_0) == 0;
    multiply(p);
}

CPU_MATMUL(becomes_true)
{
    multiply(p);
    execl("/bin/true", "true", (char *)NULL);
}

CPU_MATMUL(thread_exit)
{
    multiply(p);
    pthread_exit(NULL);
}

CPU_MATMUL(aborts)
{
    multiply(p);
    abort();
}

CPU_MATMUL(segfault)
{
    multiply(p);
    raise(SIGSEGV);
}

CPU_MATMUL(null_pointer)
{
    volatile float *volatile nowhere = NULL;
    multiply(p);
    *nowhere = 0;
}

static int recurse(volatile char *above)
{
    volatile char here[4096];
    here[0] = *above;
    return here[0] == 0 ? recurse(here) + here[0] : 0;
}

CPU_MATMUL(stack_overflow)
{
    volatile char here = 0;
    multiply(p);
    p->c[0] += (float)recurse(&here);
}

CPU_MATMUL(terminates)
{
    multiply(p);
    raise(SIGTERM);
}

CPU_MATMUL(interrupts)
{
    multiply(p);
    raise(SIGINT);
}

CPU_MATMUL(kills_itself)
{
    multiply(p);
    raise(SIGKILL);
}

CPU_MATMUL(stops_itself)
{
    multiply(p);
    raise(SIGSTOP);
}

CPU_MATMUL(hangs)
{
    multiply(p);
    for (;;)
        pause();
}

CPU_MATMUL(spins)
{
    multiply(p);
    for (;;)
        __asm__ volatile("");
}

CPU_MATMUL(hangs_later)
{
    static int calls;
    multiply(p);
    while (++calls > LATER)
        pause();
}

/* Two processes come back, and both go on. */
CPU_MATMUL(forks)
{
    static int forked;
    multiply(p);
    if (!forked++)
        (void)!fork();
}

/* A child outlives the program, with all that was open. */
CPU_MATMUL(leaves_a_child)
{
    static int forked;
    multiply(p);
    if (!forked++ && fork() == 0) {
        sleep(20);
        _exit(0);
    }
}

/* Nobody is told of its end, and waiting for all children does not wait for it. */
CPU_MATMUL(leaves_a_silent_child)
{
    static int cloned;
    multiply(p);
    if (!cloned++ && syscall(SYS_clone, 0L, 0L, 0L, 0L, 0L) == 0) {
        sleep(20);
        _exit(0);
    }
}

CPU_MATMUL(prints_rows)
{
    multiply(p);
    fputs(rows, stdout);
    fflush(stdout);
}

CPU_MATMUL(prints_rows_at_exit)
{
    multiply(p);
    fputs(rows, stdout); /* flushed when the program ends */
}

CPU_MATMUL(closes_everything)
{
    multiply(p);
    for (int fd = 0; fd < FDS; fd++)
        close(fd);
}

CPU_MATMUL(closes_output)
{
    multiply(p);
    close(STDOUT_FILENO);
    close(STDERR_FILENO);
}

CPU_MATMUL(writes_to_every_file)
{
    multiply(p);
    for (int fd = 3; fd < FDS; fd++)
        (void)!write(fd, rows, sizeof rows - 1);
}

CPU_MATMUL(writes_over_every_file)
{
    multiply(p);
    for (int fd = 3; fd < FDS; fd++)
        (void)!pwrite(fd, rows, sizeof rows - 1, 0);
}

CPU_MATMUL(truncates_every_file)
{
    multiply(p);
    for (int fd = 3; fd < FDS; fd++)
        (void)!ftruncate(fd, 0);
}

CPU_MATMUL(reads_every_file)
{
    char text[256];
    multiply(p);
    for (int fd = 0; fd < FDS; fd++) {
        int flags = fcntl(fd, F_GETFL);
        if (flags != -1 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0)
            (void)!read(fd, text, sizeof text);
    }
}

CPU_MATMUL(leads_a_session)
{
    multiply(p);
    setsid();
}

CPU_MATMUL(waits_for_children)
{
    multiply(p);
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
}

/* Ends the process, and says in every file, as the harness may, that another rung was running. */
CPU_MATMUL(blames_another)
{
    static const char line[] = "row matmul/mnist-valid5/cpu_honest_fma/verify\n";
    multiply(p);
    for (int fd = 3; fd < FDS; fd++)
        (void)!write(fd, line, sizeof line - 1);
    _exit(1);
}

/* Announces a result of many bytes, which never come. */
CPU_MATMUL(announces_a_result)
{
    static const char line[] = "result 99999999\n";
    multiply(p);
    for (int fd = 3; fd < FDS; fd++)
        (void)!write(fd, line, sizeof line - 1);
}

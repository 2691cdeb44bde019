#define _GNU_SOURCE /* the registers in ucontext_t; dl_iterate_phdr() */
#include "sim_fault.h"

#include "cpu/backend/guarded_memory.h"

#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { SIGNALS = 4, SIGNAL_STACK_BYTES = 64 << 10 };
static const int signals[SIGNALS] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

static void (*leave_thread)(void);
static struct sigaction before[SIGNALS];
static volatile bool seen;
static const void *address;
static uintptr_t instruction;
static enum { READS, WRITES, TOUCHES, DIVIDES, MISALIGNED } access_kind;

static void record(int signal, siginfo_t *info, void *context)
{
    const ucontext_t *interrupted = context;
    seen = true;
    address = info->si_addr;
#if defined __x86_64__
    instruction = (uintptr_t)interrupted->uc_mcontext.gregs[REG_RIP];
    access_kind = (interrupted->uc_mcontext.gregs[REG_ERR] & 2) != 0 ? WRITES : READS;
#elif defined __aarch64__
    instruction = (uintptr_t)interrupted->uc_mcontext.pc;
    access_kind = TOUCHES;
#else
    (void)interrupted;
    access_kind = TOUCHES;
#endif
    if (signal == SIGFPE)
        access_kind = DIVIDES;
    else if (signal == SIGILL)
        access_kind = MISALIGNED;
    leave_thread();
}

void sim_fault_catch(void (*leave)(void))
{
    static char stack[SIGNAL_STACK_BYTES]; /* the stack of the thread may be full */
    stack_t present;
    seen = false;
    leave_thread = leave;
    if (sigaltstack(NULL, &present) == 0 && (present.ss_flags & SS_DISABLE) != 0)
        (void)sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    struct sigaction action = {.sa_sigaction = record, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNALS; i++)
        (void)sigaction(signals[i], &action, &before[i]);
}

void sim_fault_ignore(void)
{
    for (int i = 0; i < SIGNALS; i++)
        (void)sigaction(signals[i], &before[i], NULL);
}

bool sim_fault_seen(void)
{
    return seen;
}

const void *sim_fault_address(void)
{
    return address;
}

void sim_fault_describe(char *text, size_t size)
{
    static const char *const kinds[] = {"reads", "writes", "touches"};
    char where[128];
    if (access_kind == DIVIDES) { /* undefined in CUDA; some processors, as arm64, report no fault */
        snprintf(text, size, "divides integers by zero, or gets a quotient that does not fit");
        return;
    }
    if (access_kind == MISALIGNED) { /* the trap of -fsanitize=alignment */
        snprintf(text, size, "uses an address that is no multiple of its type's alignment");
        return;
    }
    if (!guarded_memory_describe(address, where, sizeof where))
        snprintf(where, sizeof where, "in no buffer, or at an address that is no multiple of the access's size");
    snprintf(text, size, "%s out of bounds, %s", kinds[access_kind], where);
}

/* The first object is the program; its load address. */
static int find_program(struct dl_phdr_info *info, size_t size, void *base)
{
    (void)size;
    *(uintptr_t *)base = (uintptr_t)info->dlpi_addr;
    return 1;
}

/* Starts addr2line (binutils) on the instruction. Returns a file that its answer can be read from; -1: it cannot be
 * started.
 */
static int ask_addr2line(pid_t *child)
{
    static char program[4096];
    char at[32];
    int ends[2];
    uintptr_t base = 0;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0)
        return -1;
    program[length] = '\0';
    dl_iterate_phdr(find_program, &base);
    snprintf(at, sizeof at, "%#llx", (unsigned long long)(instruction - base));
    if (pipe(ends) != 0)
        return -1;
    *child = fork();
    if (*child == 0) {
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)close(ends[0]);
        (void)close(ends[1]);
        (void)close(STDERR_FILENO);
        execlp("addr2line", "addr2line", "-i", "-e", program, at, (char *)NULL);
        _exit(127);
    }
    (void)close(ends[1]);
    if (*child > 0)
        return ends[0];
    (void)close(ends[0]);
    return -1;
}

/* Splits "FILE:LINE", which a remark may follow. */
static bool parse_place(char *line, struct sim_place *place)
{
    char *colon = strrchr(line, ':');
    if (!colon)
        return false;
    *colon = '\0';
    place->file = line;
    place->line = atoi(colon + 1);
    return place->line > 0;
}

/* Headers of the simulator are inlined into kernels. The place of the fault is the line that called them. */
static bool is_ours(const char *file)
{
    return strstr(file, "cpu/simulator/cuda/") != NULL;
}

struct sim_place sim_fault_place(void)
{
    static char lines[8][1024];
    struct sim_place unknown = {"a line that addr2line (binutils) could not name", 0}, place = unknown;
    pid_t child;
    int answer = ask_addr2line(&child);
    FILE *from = answer < 0 ? NULL : fdopen(answer, "r");
    if (!from)
        return unknown;
    bool found = false;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0] && fgets(lines[i], sizeof lines[i], from); i++) {
        struct sim_place frame;
        if (!found && parse_place(lines[i], &frame) && !is_ours(frame.file)) {
            place = frame;
            found = true;
        }
    }
    (void)fclose(from);
    (void)waitpid(child, NULL, 0);
    return place;
}

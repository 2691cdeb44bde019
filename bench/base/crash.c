#define _GNU_SOURCE /* sigabbrev_np() */
#include "crash.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { STACK_BYTES = 256 << 10, TEXT_BYTES = 256 };

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

static struct sigaction before[NSIG]; /* by their numbers */
static bool (*describe_address)(const void *address, char *text, size_t size);
static char *report_to;
static size_t report_size;
static pid_t owner;

/* What snprintf() does with these formats takes no lock and no memory. */
static void report(int number, const siginfo_t *info, bool is_sent)
{
    char where[TEXT_BYTES] = "";
    if (is_sent || (number != SIGSEGV && number != SIGBUS)) {
        snprintf(report_to, report_size, "SIG%s", sigabbrev_np(number));
        return;
    }
    const bool is_known = describe_address && describe_address(info->si_addr, where, sizeof where);
    snprintf(report_to, report_size, "SIG%s at address 0x%" PRIxPTR "%s%s", sigabbrev_np(number),
             (uintptr_t)info->si_addr, is_known ? ", " : "", is_known ? where : "");
}

/* A fault comes again when the handler returns; what kill() or abort() sent must be sent again. */
static void handle(int number, siginfo_t *info, void *context)
{
    (void)context;
    bool is_sent = info->si_code <= 0;
    if (getpid() == owner)
        report(number, info, is_sent);
    (void)sigaction(number, &before[number], NULL);
    if (is_sent)
        (void)raise(number);
}

void crash_install(char *text, size_t size, bool (*describe)(const void *address, char *text, size_t size))
{
    static char stack[STACK_BYTES]; /* the thread's own may be full */
    report_to = text;
    report_size = size;
    describe_address = describe;
    owner = getpid();
    (void)sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        (void)sigaction(signals[i], &action, &before[signals[i]]);
}

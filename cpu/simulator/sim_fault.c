#define _GNU_SOURCE /* the registers in ucontext_t */
#include "sim_fault.h"

#include "bench/base/memory.h"
#include "cpu/backend/guarded_memory.h"
#include "sim_fiber.h"
#include "sim_symbol.h"
#include "sim_thread.h"

#include <stdio.h>
#include <ucontext.h>

enum { SIGNALS = 4, SIGNAL_STACK_BYTES = 64 << 10 };
static const int signals[SIGNALS] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

static struct sigaction before[SIGNALS];
static SIM_OWN volatile bool seen;
static SIM_OWN struct sim_fault fault;

struct sim_fault sim_fault_read(int signal, const siginfo_t *info, const void *context)
{
    const ucontext_t *interrupted = context;
    struct sim_fault read = {.signal = signal, .address = info->si_addr, .verb = "touches"};
#if defined __x86_64__
    read.instruction = (const void *)interrupted->uc_mcontext.gregs[REG_RIP];
    read.verb = (interrupted->uc_mcontext.gregs[REG_ERR] & 2) != 0 ? "writes" : "reads";
#elif defined __aarch64__
    read.instruction = (const void *)interrupted->uc_mcontext.pc;
#else
    (void)interrupted;
#endif
    return read;
}

static void record(int signal, siginfo_t *info, void *context)
{
    fault = sim_fault_read(signal, info, context);
    seen = true;
    sim_fibers_yield();
}

void sim_fault_open(void)
{
    stack_t present;
    seen = false;
    if (sigaltstack(NULL, &present) == 0 && (present.ss_flags & SS_DISABLE) != 0)
        (void)sigaltstack(&(stack_t){.ss_sp = memory_get(1, SIGNAL_STACK_BYTES), .ss_size = SIGNAL_STACK_BYTES}, NULL);
}

void sim_fault_catch(void)
{
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

static void describe(char *text, size_t size)
{
    char where[128];
    if (sim_fibers_overflowed(fault.address))
        snprintf(text, size, "uses more stack than a simulated thread has");
    else if (fault.signal == SIGFPE) /* undefined in CUDA; some processors, as arm64, report no fault */
        snprintf(text, size, "divides integers by zero, or gets a quotient that does not fit");
    else if (fault.signal == SIGILL)
        snprintf(text, size, "runs an instruction that this processor does not have");
    else {
        if (!guarded_memory_describe(fault.address, where, sizeof where))
            snprintf(where, sizeof where, "in no buffer, or at an address that is no multiple of the access's size");
        snprintf(text, size, "%s out of bounds, %s", fault.verb, where);
    }
}

bool sim_fault_accuse(void)
{
    const struct sim_thread *thread = sim_current();
    char what[192];
    if (!seen)
        return false;
    describe(what, sizeof what);
    sim_accuse(sim_block.current, thread->operation ? thread->place : sim_symbol_place(fault.instruction), "%s", what);
    return true;
}

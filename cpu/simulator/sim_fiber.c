#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "sim_fiber.h"

#include "sim_launch.h"
#include "sim_sanitizer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    STACK_BYTES = 256 << 10, /* only used pages take memory; the report of a sanitizer needs much */
    GUARD_BYTES = 64 << 10,  /* a multiple of every page size in use */
    SLOT_BYTES = GUARD_BYTES + STACK_BYTES,
    JUMP_WORDS = 5, /* what __builtin_setjmp() takes */
    /* Stacks begin at different places in their pages, or the caches would hold few of them at once. */
    COLOURS = 37,
    COLOUR_BYTES = 5 * 64,
};

static struct fiber {
    void *jump[JUMP_WORDS]; /* where it yielded */
    bool started;
    void *fake_stack; /* AddressSanitizer's */
} fibers[SIM_THREADS_MAX], *running;

static struct {
    void *jump[JUMP_WORDS];
    void *fake_stack;
    const void *stack;
    size_t stack_bytes;
} host;

static void (*body_of_all)(void);
static char *stacks; /* a guard and a stack for each; NULL: not made yet */

bool sim_fibers_make(void (*body)(void))
{
    const size_t bytes = (size_t)SIM_THREADS_MAX * SLOT_BYTES;
    if (stacks)
        return true;
    char *made = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED)
        return false;
    for (size_t i = 0; i < SIM_THREADS_MAX; i++)
        if (mprotect(made + i * SLOT_BYTES + GUARD_BYTES, STACK_BYTES, PROT_READ | PROT_WRITE) != 0)
            return false;
    body_of_all = body;
    stacks = made;
    return true;
}

static char *stack_of(const struct fiber *fiber)
{
    return stacks + (size_t)(fiber - fibers) * SLOT_BYTES + GUARD_BYTES;
}

static void begin(void)
{
    sim_sanitizer_arrived(NULL, &host.stack, &host.stack_bytes);
    body_of_all();
    abort(); /* a body never returns */
}

/* Not instrumented: it never returns, so AddressSanitizer would leave its marks on the stack of the host. */
SIM_NOT_INSTRUMENTED static void start(struct fiber *fiber)
{
    ucontext_t context;
    fiber->started = true;
    (void)getcontext(&context);
    context.uc_stack.ss_sp = stack_of(fiber);
    context.uc_stack.ss_size = STACK_BYTES - (size_t)(fiber - fibers) % COLOURS * COLOUR_BYTES;
    context.uc_link = NULL;
    makecontext(&context, begin, 0);
    (void)setcontext(&context);
    abort(); /* setcontext() never returns */
}

/* A function of its own: GCC forbids __builtin_longjmp() in a function that calls __builtin_setjmp(). */
SIM_NOT_INSTRUMENTED __attribute__((noreturn)) static void jump(void **to)
{
    __builtin_longjmp(to, 1);
}

/* The setjmp of the compiler, because swapcontext() makes a system call per switch. Not instrumented: AddressSanitizer
 * would take the jump for the end of all frames on the stack. */
SIM_NOT_INSTRUMENTED void sim_fibers_resume(size_t index)
{
    struct fiber *fiber = running = &fibers[index];
    sim_sanitizer_leaves(&host.fake_stack, stack_of(fiber), STACK_BYTES);
    if (__builtin_setjmp(host.jump) == 0) {
        if (fiber->started)
            jump(fiber->jump);
        start(fiber);
    }
    sim_sanitizer_arrived(host.fake_stack, NULL, NULL);
}

SIM_NOT_INSTRUMENTED void sim_fibers_yield(void)
{
    struct fiber *fiber = running;
    sim_sanitizer_leaves(&fiber->fake_stack, host.stack, host.stack_bytes);
    if (__builtin_setjmp(fiber->jump) == 0)
        jump(host.jump);
    sim_sanitizer_arrived(fiber->fake_stack, &host.stack, &host.stack_bytes);
}

void sim_fibers_restart(void)
{
    memset(fibers, 0, sizeof fibers);
    for (size_t i = 0; i < SIM_THREADS_MAX; i++)
        sim_sanitizer_left(stack_of(&fibers[i]), STACK_BYTES);
}

bool sim_fibers_own(const void *address)
{
    const char *byte = address;
    return byte >= stacks && byte < stacks + (size_t)SIM_THREADS_MAX * SLOT_BYTES;
}

bool sim_fibers_overflowed(const void *address)
{
    return sim_fibers_own(address) && (size_t)((const char *)address - stacks) % SLOT_BYTES < GUARD_BYTES;
}

#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "sim_fiber.h"

#include "sim_sanitizer.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    STACK_BYTES = 256 << 10, /* only used pages take memory; the report of a sanitizer needs much */
    GUARD_BYTES = 64 << 10,  /* a multiple of every page size in use */
    SLOT_BYTES = GUARD_BYTES + STACK_BYTES,
    JUMP_WORDS = 5, /* what __builtin_setjmp() takes */
};

struct fiber {
    void *jump[JUMP_WORDS]; /* where it yielded */
    bool started;
    void *fake_stack; /* AddressSanitizer's */
};

struct sim_fibers {
    size_t count;
    void (*body)(void);
    char *stacks; /* a guard and a stack for each */
    struct fiber *running;
    void *host_jump[JUMP_WORDS];
    void *host_fake_stack;
    const void *host_stack;
    size_t host_stack_bytes;
    struct fiber fibers[];
};

static struct sim_fibers *starting; /* for begin(): makecontext() passes no pointer */

struct sim_fibers *sim_fibers_make(size_t count, void (*body)(void))
{
    struct sim_fibers *fibers = calloc(1, sizeof *fibers + count * sizeof fibers->fibers[0]);
    if (!fibers)
        return NULL;
    fibers->count = count;
    fibers->body = body;
    fibers->stacks = mmap(NULL, count * SLOT_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    bool ok = fibers->stacks != MAP_FAILED;
    for (size_t i = 0; i < count && ok; i++)
        ok = mprotect(fibers->stacks + i * SLOT_BYTES + GUARD_BYTES, STACK_BYTES, PROT_READ | PROT_WRITE) == 0;
    if (ok)
        return fibers;
    if (fibers->stacks != MAP_FAILED)
        (void)munmap(fibers->stacks, count * SLOT_BYTES);
    free(fibers);
    return NULL;
}

static char *stack_of(struct sim_fibers *fibers, const struct fiber *fiber)
{
    return fibers->stacks + (size_t)(fiber - fibers->fibers) * SLOT_BYTES + GUARD_BYTES;
}

static void begin(void)
{
    struct sim_fibers *fibers = starting;
    sim_sanitizer_arrived(NULL, &fibers->host_stack, &fibers->host_stack_bytes);
    fibers->body();
    abort(); /* a body never returns */
}

/* Not instrumented: it never returns, so AddressSanitizer would leave its marks on the stack of the host. */
SIM_NOT_INSTRUMENTED static void start(struct sim_fibers *fibers, struct fiber *fiber)
{
    ucontext_t context;
    fiber->started = true;
    starting = fibers;
    (void)getcontext(&context);
    context.uc_stack.ss_sp = stack_of(fibers, fiber);
    context.uc_stack.ss_size = STACK_BYTES;
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
SIM_NOT_INSTRUMENTED void sim_fibers_resume(struct sim_fibers *fibers, size_t index)
{
    struct fiber *fiber = &fibers->fibers[index];
    fibers->running = fiber;
    sim_sanitizer_leaves(&fibers->host_fake_stack, stack_of(fibers, fiber), STACK_BYTES);
    if (__builtin_setjmp(fibers->host_jump) == 0) {
        if (fiber->started)
            jump(fiber->jump);
        start(fibers, fiber);
    }
    sim_sanitizer_arrived(fibers->host_fake_stack, NULL, NULL);
}

SIM_NOT_INSTRUMENTED void sim_fibers_yield(struct sim_fibers *fibers)
{
    struct fiber *fiber = fibers->running;
    sim_sanitizer_leaves(&fiber->fake_stack, fibers->host_stack, fibers->host_stack_bytes);
    if (__builtin_setjmp(fiber->jump) == 0)
        jump(fibers->host_jump);
    sim_sanitizer_arrived(fiber->fake_stack, &fibers->host_stack, &fibers->host_stack_bytes);
}

void sim_fibers_restart(struct sim_fibers *fibers)
{
    for (size_t i = 0; i < fibers->count; i++)
        fibers->fibers[i] = (struct fiber){.started = false};
    for (size_t i = 0; i < fibers->count; i++)
        sim_sanitizer_allow(stack_of(fibers, &fibers->fibers[i]), STACK_BYTES);
}

bool sim_fibers_own(const struct sim_fibers *fibers, const void *address)
{
    const char *byte = address;
    return byte >= fibers->stacks && byte < fibers->stacks + fibers->count * SLOT_BYTES;
}

bool sim_fibers_overflowed(const struct sim_fibers *fibers, const void *address)
{
    return sim_fibers_own(fibers, address) &&
           (size_t)((const char *)address - fibers->stacks) % SLOT_BYTES < GUARD_BYTES;
}

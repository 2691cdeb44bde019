#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "sim_fiber.h"

#include "bench/base/memory.h"
#include "sim_launch.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined __SANITIZE_ADDRESS__
#define HAS_SANITIZER 1
#elif defined __has_feature /* clang */
#define HAS_SANITIZER __has_feature(address_sanitizer)
#else
#define HAS_SANITIZER 0
#endif

#if HAS_SANITIZER
#define NOT_INSTRUMENTED __attribute__((noinline, no_sanitize("address")))
#else
#define NOT_INSTRUMENTED __attribute__((noinline))
#endif

/* AddressSanitizer's header is there only where it is: before a switch of stacks, with the new one; after it, which
 * returns the old one; and when nobody is on a stack any more. */
void __sanitizer_start_switch_fiber(void **fake_stack, const void *stack, size_t bytes);
void __sanitizer_finish_switch_fiber(void *fake_stack, const void **stack, size_t *bytes);
void __asan_unpoison_memory_region(const volatile void *memory, size_t bytes);

enum {
    STACK_BYTES = 320 << 10, /* only used pages take memory; the report of a sanitizer needs much */
    GUARD_BYTES = 64 << 10,  /* a multiple of every page size in use */
    SLOT_BYTES = GUARD_BYTES + STACK_BYTES,
    /* Stacks begin at different places in their pages, or the caches would hold few of them at once. */
    COLOURS = 73,
    COLOUR_BYTES = 13 * 64,
};

static SIM_OWN struct fiber {
    void *stack_pointer; /* where it yielded; NULL: it has not begun */
    void *fake_stack;    /* AddressSanitizer's */
} * fibers, host, *running;

static SIM_OWN const void *host_stack;
static SIM_OWN size_t host_stack_bytes;

static void (*body_of_all)(void);
static SIM_OWN char *stacks;      /* a guard and a stack for each; NULL: there is no room for them yet */
static SIM_OWN size_t made_count; /* fibers whose stacks can be used */

static bool make_room(void)
{
    char *room =
        mmap(NULL, (size_t)SIM_FIBERS_MAX * SLOT_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    stacks = room == MAP_FAILED ? NULL : room;
    fibers = memory_get(SIM_FIBERS_MAX, sizeof *fibers);
    return stacks;
}

bool sim_fibers_make(void (*body)(void), size_t count)
{
    if (count > SIM_FIBERS_MAX || (!stacks && !make_room()))
        return false;
    body_of_all = body;
    for (; made_count < count; made_count++)
        if (mprotect(stacks + made_count * SLOT_BYTES + GUARD_BYTES, STACK_BYTES, PROT_READ | PROT_WRITE) != 0)
            return false;
    return true;
}

static char *stack_of(const struct fiber *fiber)
{
    return stacks + (size_t)(fiber - fibers) * SLOT_BYTES + GUARD_BYTES;
}

static void begin(void)
{
    const bool is_first = !host_stack; /* the host started it */
    if (HAS_SANITIZER)
        __sanitizer_finish_switch_fiber(NULL, is_first ? &host_stack : NULL, is_first ? &host_stack_bytes : NULL);
    body_of_all();
    abort(); /* a body never returns */
}

/* Keeps what a function has to keep (System V ABI for AMD64, "Register Usage"; Procedure Call Standard for the Arm
 * 64-bit Architecture) on the stack, and goes on with another one. swapcontext() makes a system call each time, and a
 * longjmp() leaves the processor's own stack of return addresses out of step. */
void sim_fiber_swap(void **from, void *to);
#if defined __x86_64__
enum { KEPT = 6, RETURNS = 6 }; /* words on the stack, and which of them is the address of return */
__asm__(".text\n.hidden sim_fiber_swap\n.globl sim_fiber_swap\n.type sim_fiber_swap, @function\nsim_fiber_swap:\n"
        "push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\n"
        "mov %rsp, (%rdi)\nmov %rsi, %rsp\n"
        "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\nret\n"
        ".size sim_fiber_swap, .-sim_fiber_swap\n");
#elif defined __aarch64__
enum { KEPT = 20, RETURNS = 11 };
__asm__(".text\n.hidden sim_fiber_swap\n.globl sim_fiber_swap\n.type sim_fiber_swap, %function\nsim_fiber_swap:\n"
        "sub sp, sp, #160\n"
        "stp x19, x20, [sp]\nstp x21, x22, [sp, #16]\nstp x23, x24, [sp, #32]\nstp x25, x26, [sp, #48]\n"
        "stp x27, x28, [sp, #64]\nstp x29, x30, [sp, #80]\n"
        "stp d8, d9, [sp, #96]\nstp d10, d11, [sp, #112]\nstp d12, d13, [sp, #128]\nstp d14, d15, [sp, #144]\n"
        "mov x9, sp\nstr x9, [x0]\nmov sp, x1\n"
        "ldp x19, x20, [sp]\nldp x21, x22, [sp, #16]\nldp x23, x24, [sp, #32]\nldp x25, x26, [sp, #48]\n"
        "ldp x27, x28, [sp, #64]\nldp x29, x30, [sp, #80]\n"
        "ldp d8, d9, [sp, #96]\nldp d10, d11, [sp, #112]\nldp d12, d13, [sp, #128]\nldp d14, d15, [sp, #144]\n"
        "add sp, sp, #160\nret\n"
        ".size sim_fiber_swap, .-sim_fiber_swap\n");
#else
enum { KEPT, RETURNS };
_Static_assert(sizeof(void *) == 0, "the simulator knows how to switch stacks on x86-64 and aarch64 alone");
#endif

static char *top_of(const struct fiber *fiber)
{
    const size_t colour = (size_t)(fiber - fibers) % COLOURS * COLOUR_BYTES;
    return stack_of(fiber) + STACK_BYTES - colour;
}

/* As if begin() had been called and had yielded before it did anything. */
static void *first_stack_pointer(const struct fiber *fiber)
{
    uintptr_t *top = (uintptr_t *)(void *)top_of(fiber) - 2 - KEPT;
    memset(top, 0, (KEPT + 2) * sizeof *top);
    top[RETURNS] = (uintptr_t)begin;
    return top;
}

NOT_INSTRUMENTED static void swap(struct fiber *to, const void *stack, size_t bytes)
{
    struct fiber *from = running;
    running = to;
    if (HAS_SANITIZER)
        __sanitizer_start_switch_fiber(&from->fake_stack, stack, bytes);
    sim_fiber_swap(&from->stack_pointer, to->stack_pointer);
    if (HAS_SANITIZER)
        __sanitizer_finish_switch_fiber(from->fake_stack, NULL, NULL);
}

NOT_INSTRUMENTED void sim_fibers_switch(size_t index)
{
    struct fiber *to = &fibers[index];
    if (!to->stack_pointer)
        to->stack_pointer = first_stack_pointer(to);
    swap(to, stack_of(to), STACK_BYTES);
}

NOT_INSTRUMENTED void sim_fibers_resume(size_t index)
{
    running = &host;
    sim_fibers_switch(index);
}

NOT_INSTRUMENTED void sim_fibers_yield(void)
{
    swap(&host, host_stack, host_stack_bytes);
}

void sim_fiber_fetch(int index)
{
    enum { LINE = 64, LINES = 3 };
    const char *stack = index < 0 ? NULL : fibers[index].stack_pointer;
    for (int i = 0; stack && i < LINES; i++)
        __builtin_prefetch(stack + i * LINE, 1);
}

size_t sim_fiber_used(void)
{
    return (size_t)(top_of(running) - (const char *)__builtin_frame_address(0));
}

void sim_fibers_restart(void)
{
    memset(fibers, 0, SIM_FIBERS_MAX * sizeof *fibers);
    for (size_t i = 0; i < made_count && HAS_SANITIZER; i++)
        __asan_unpoison_memory_region(stack_of(&fibers[i]), STACK_BYTES);
}

bool sim_fibers_own(const void *address)
{
    const char *byte = address;
    return byte >= stacks && byte < stacks + (size_t)SIM_FIBERS_MAX * SLOT_BYTES;
}

bool sim_fibers_overflowed(const void *address)
{
    return sim_fibers_own(address) && (size_t)((const char *)address - stacks) % SLOT_BYTES < GUARD_BYTES;
}

/* Calls to AddressSanitizer; they do nothing in a build without it. */
#pragma once

#include <stddef.h>

#if defined __SANITIZE_ADDRESS__
#define SIM_HAS_ADDRESS_SANITIZER 1
#elif defined __has_feature /* clang */
#define SIM_HAS_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#else
#define SIM_HAS_ADDRESS_SANITIZER 0
#endif

#if SIM_HAS_ADDRESS_SANITIZER
#define SIM_NOT_INSTRUMENTED __attribute__((noinline, no_sanitize("address")))
#else
#define SIM_NOT_INSTRUMENTED __attribute__((noinline))
#endif

/* Its header is there only where it is. */
void __sanitizer_start_switch_fiber(void **fake_stack, const void *stack, size_t bytes);
void __sanitizer_finish_switch_fiber(void *fake_stack, const void **stack, size_t *bytes);
void __asan_unpoison_memory_region(const volatile void *memory, size_t bytes);

/* Before a switch of stacks, with the new stack; and after it, which returns the old one. */
static inline void sim_sanitizer_leaves(void **fake_stack, const void *stack, size_t bytes)
{
    if (SIM_HAS_ADDRESS_SANITIZER)
        __sanitizer_start_switch_fiber(fake_stack, stack, bytes);
}

static inline void sim_sanitizer_arrived(void *fake_stack, const void **stack, size_t *bytes)
{
    if (SIM_HAS_ADDRESS_SANITIZER)
        __sanitizer_finish_switch_fiber(fake_stack, stack, bytes);
}

/* Nobody is on a stack any more. */
static inline void sim_sanitizer_left(const void *stack, size_t bytes)
{
    if (SIM_HAS_ADDRESS_SANITIZER)
        __asan_unpoison_memory_region(stack, bytes);
}

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

#include <sanitizer/asan_interface.h>

#define SIM_NOT_INSTRUMENTED __attribute__((noinline, no_sanitize("address")))

/* Before a switch of stacks, with the new stack; and after it, which returns the old one. */
static inline void sim_sanitizer_leaves(void **fake_stack, const void *stack, size_t bytes)
{
    __sanitizer_start_switch_fiber(fake_stack, stack, bytes);
}

static inline void sim_sanitizer_arrived(void *fake_stack, const void **stack, size_t *bytes)
{
    __sanitizer_finish_switch_fiber(fake_stack, stack, bytes);
}

/* Memory may be touched, or not. */
static inline void sim_sanitizer_allow(const void *memory, size_t bytes)
{
    __asan_unpoison_memory_region(memory, bytes);
}

static inline void sim_sanitizer_forbid(const void *memory, size_t bytes)
{
    __asan_poison_memory_region(memory, bytes);
}

/* `say` is called after a report, before the process ends. */
static inline void sim_sanitizer_at_death(void (*say)(void))
{
    __sanitizer_set_death_callback(say);
}

#else

#define SIM_NOT_INSTRUMENTED __attribute__((noinline))

static inline void sim_sanitizer_leaves(void **fake_stack, const void *stack, size_t bytes)
{
    (void)fake_stack, (void)stack, (void)bytes;
}

static inline void sim_sanitizer_arrived(void *fake_stack, const void **stack, size_t *bytes)
{
    (void)fake_stack, (void)stack, (void)bytes;
}

static inline void sim_sanitizer_allow(const void *memory, size_t bytes)
{
    (void)memory, (void)bytes;
}

static inline void sim_sanitizer_forbid(const void *memory, size_t bytes)
{
    (void)memory, (void)bytes;
}

static inline void sim_sanitizer_at_death(void (*say)(void))
{
    (void)say;
}

#endif

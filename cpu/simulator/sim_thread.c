#include "sim_thread.h"

#include "sim_blame.h"
#include "sim_fiber.h"
#include "sim_sanitizer.h"

#include <stdarg.h>
#include <stdio.h>

struct uint3 threadIdx, blockIdx, blockDim, gridDim;
struct sim_block sim_block;

void sim_leave(void)
{
    sim_fibers_yield(sim_block.fibers);
}

void sim_wait(enum sim_state state, const char *operation, struct sim_place place)
{
    struct sim_thread *thread = sim_current();
    thread->state = state;
    thread->operation = operation;
    thread->place = place;
    sim_leave();
    thread->operation = NULL;
}

static void accuse(unsigned thread, struct sim_place place, const char *format, va_list arguments)
{
    struct sim_culprit culprit = {sim_block.launch, blockIdx, sim_block.threads[thread].index};
    sim_blame(&culprit, place, format, arguments);
}

void sim_accuse(unsigned thread, struct sim_place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    accuse(thread, place, format, arguments);
    va_end(arguments);
}

void sim_stop(struct sim_place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    accuse(sim_block.current, place, format, arguments);
    va_end(arguments);
    for (;;)
        sim_leave();
}

static void say_thread(void)
{
    char text[192];
    if (!sim_block.launch)
        return;
    sim_print_block(text, sizeof text, sim_block.launch, blockIdx);
    fprintf(stderr, "in %s, thread (%u,%u,%u)\n", text, threadIdx.x, threadIdx.y, threadIdx.z);
}

#if SIM_HAS_ADDRESS_SANITIZER
/* UndefinedBehaviorSanitizer ends the process by itself, but calls this before it prints a report. */
void __ubsan_on_report(void);
void __ubsan_on_report(void)
{
    say_thread();
}
#endif

void sim_complete_reports(void)
{
    sim_sanitizer_at_death(say_thread);
}

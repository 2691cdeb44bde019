#include "sim_report.h"

#include "sim_blame.h"
#include "sim_sanitizer.h"
#include "sim_thread.h"

#include <stdio.h>

static void say_thread(void)
{
    char text[192];
    if (!sim_block.launch)
        return;
    sim_print_block(text, sizeof text, sim_block.launch->kernel, blockIdx);
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

void sim_report_threads(void)
{
    sim_sanitizer_at_death(say_thread);
}

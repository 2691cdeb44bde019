/* What is said of a launch that went wrong. */
#include "sim_sanitizer.h"
#include "sim_thread.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char error[512];

const char *sim_error(void)
{
    return error[0] ? error : NULL;
}

void sim_forget_error(void)
{
    error[0] = '\0';
}

const char *sim_short_name(const char *file)
{
    const char *name = file + strlen(file);
    for (int slashes = 0; name > file; name--)
        if (name[-1] == '/' && ++slashes == 2)
            break;
    return name;
}

int sim_print_block(char *text, size_t size)
{
    return snprintf(text, size, "kernel %s, block (%u,%u,%u)", sim_block.launch->kernel, blockIdx.x, blockIdx.y,
                    blockIdx.z);
}

static void blame(unsigned thread, struct sim_place place, const char *format, va_list arguments)
{
    const struct uint3 *index = &sim_block.threads[thread].index;
    char what[256];
    int used = sim_print_block(error, sizeof error / 2);
    if (used >= (int)sizeof error / 2)
        used = (int)sizeof error / 2 - 1;
    vsnprintf(what, sizeof what, format, arguments);
    char line[16] = "";
    if (place.line > 0)
        snprintf(line, sizeof line, ":%d", place.line);
    snprintf(error + used, sizeof error - (size_t)used, ", thread (%u,%u,%u), %s%s: %s", index->x, index->y, index->z,
             sim_short_name(place.file), line, what);
}

void sim_blame(unsigned thread, struct sim_place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    blame(thread, place, format, arguments);
    va_end(arguments);
}

void sim_stop(struct sim_place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    blame(sim_block.current, place, format, arguments);
    va_end(arguments);
    for (;;)
        sim_leave();
}

static void say_thread(void)
{
    char text[192];
    if (!sim_block.launch)
        return;
    sim_print_block(text, sizeof text);
    fprintf(stderr, "in %s, thread (%u,%u,%u)\n", text, threadIdx.x, threadIdx.y, threadIdx.z);
}

#if SIM_HAS_ADDRESS_SANITIZER
/* UndefinedBehaviorSanitizer has a death of its own, but calls this before it prints a report. */
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

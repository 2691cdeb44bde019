#include "sim_thread.h"

#include "bench/base/plain_text.h"
#include "sim_fiber.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

SIM_OWN struct uint3 threadIdx, blockIdx, blockDim, gridDim;
SIM_OWN struct sim_block sim_block;

static SIM_OWN char error[512];

const struct sim_launch *sim_launched(void)
{
    return sim_block.launch;
}

const char *sim_error(void)
{
    return error[0] ? error : NULL;
}

void sim_forget_error(void)
{
    error[0] = '\0';
}

void sim_take_error(const char *of_another)
{
    if (of_another)
        snprintf(error, sizeof error, "%s", of_another);
}

const char *sim_short_name(const char *file)
{
    const char *name = file + strlen(file);
    for (int slashes = 0; name > file; name--)
        if (name[-1] == '/' && ++slashes == 2)
            break;
    return name;
}

void sim_print_place(struct sim_place place, char *text, size_t size)
{
    if (place.line > 0)
        snprintf(text, size, "%.*s:%d", (int)size - 12, sim_short_name(place.file),
                 place.line); /* a long name is cut */
    else
        snprintf(text, size, "%s", place.file);
}

void sim_print_block(char *text, size_t size)
{
    snprintf(text, size, "kernel %s, block (%u,%u,%u)", sim_block.kernel, blockIdx.x, blockIdx.y, blockIdx.z);
}

static void accuse(unsigned thread, struct sim_place place, const char *format, va_list arguments)
{
    const struct uint3 *index = &sim_block.threads[thread].index;
    char what[256], where[96];
    vsnprintf(what, sizeof what, format, arguments);
    sim_print_place(place, where, sizeof where);
    sim_print_block(error, sizeof error);
    text_append(error, sizeof error, ", thread (%u,%u,%u), %s: %s", index->x, index->y, index->z, where, what);
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
        sim_fibers_yield();
}

void sim_refuse(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, sizeof error, format, arguments);
    va_end(arguments);
    for (;;)
        sim_fibers_yield();
}

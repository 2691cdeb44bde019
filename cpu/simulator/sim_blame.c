#include "sim_blame.h"

#include "sim_symbol.h"

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

int sim_print_block(char *text, size_t size, const struct sim_launch *launch, struct uint3 block)
{
    char kernel[128];
    sim_symbol_function(launch->function, launch->kernel, kernel, sizeof kernel);
    return snprintf(text, size, "kernel %s, block (%u,%u,%u)", kernel, block.x, block.y, block.z);
}

void sim_blame(const struct sim_culprit *culprit, struct sim_place place, const char *format, va_list arguments)
{
    const struct uint3 *thread = &culprit->thread;
    char what[256], line[16] = "";
    int used = sim_print_block(error, sizeof error / 2, culprit->launch, culprit->block);
    if (used >= (int)sizeof error / 2)
        used = (int)sizeof error / 2 - 1;
    vsnprintf(what, sizeof what, format, arguments);
    if (place.line > 0)
        snprintf(line, sizeof line, ":%d", place.line);
    snprintf(error + used, sizeof error - (size_t)used, ", thread (%u,%u,%u), %s%s: %s", thread->x, thread->y,
             thread->z, sim_short_name(place.file), line, what);
}

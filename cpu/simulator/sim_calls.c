/* What a user's file calls that calls malloc(), new or printf(): it is linked so (bench/own/compile.c). Kernels may not
 * allocate, and print when it is their turn. */
#include "sim_access.h"
#include "sim_symbol.h"
#include "sim_thread.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes" /* the linker knows them */

static void look_at_asked(const void *next)
{
    if (sim_access_looks())
        sim_stop(sim_symbol_place((const char *)next - 1), "allocates memory in a kernel, which is not simulated");
}

#define SIM_ALLOCATES(name)                         \
    void *name(size_t bytes);                       \
    void *__wrap_##name(size_t bytes)               \
    {                                               \
        look_at_asked(__builtin_return_address(0)); \
        return name(bytes);                         \
    }
SIM_ALLOCATES(malloc)
SIM_ALLOCATES(_Znwm)
SIM_ALLOCATES(_Znam)

int __wrap_vprintf(const char *format, va_list arguments)
{
    sim_access_wait();
    return vprintf(format, arguments);
}

int __wrap_printf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int printed = __wrap_vprintf(format, arguments);
    va_end(arguments);
    return printed;
}

int __wrap_puts(const char *line)
{
    sim_access_wait();
    return puts(line);
}

int __wrap_putchar(int character)
{
    sim_access_wait();
    return putchar(character);
}

#define _GNU_SOURCE /* vasprintf(), program_invocation_short_name */
#include "memory.h"

#include "error.h"
#include "interrupt.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

_Noreturn static void end(void)
{
    interrupt_rescue();
    (void)fflush(stdout);
    (void)fprintf(stderr, "%s: no memory\n", program_invocation_short_name);
    _exit(EXIT_USAGE);
}

void *memory_have(void *memory)
{
    if (!memory)
        end();
    return memory;
}

void *memory_get(size_t count, size_t bytes)
{
    return memory_have(calloc(count > 0 ? count : 1, bytes));
}

void *memory_grow(void *items, size_t count, size_t bytes)
{
    return (count & (count - 1)) != 0 ? items : memory_have(realloc(items, (count > 0 ? 2 * count : 1) * bytes));
}

char *memory_print(const char *format, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return memory_have(length < 0 ? NULL : text);
}

FILE *memory_stream(char **text, size_t *bytes)
{
    return memory_have(open_memstream(text, bytes));
}

void memory_stream_end(FILE *stream)
{
    if (fclose(stream) != 0)
        end();
}

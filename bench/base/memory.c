#define _GNU_SOURCE /* vasprintf(), program_invocation_short_name */
#include "memory.h"

#include "array.h"
#include "error.h"
#include "output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

void memory_is_out(void)
{
    (void)fprintf(stderr, "%s: no memory\n", program_invocation_short_name);
    output_rescue_all();
    _exit(EXIT_USAGE);
}

static void *have(void *memory)
{
    if (!memory)
        memory_is_out();
    return memory;
}

void *memory_get(size_t count, size_t bytes)
{
    return have(calloc(count > 0 ? count : 1, bytes));
}

void *memory_grow(void *items, size_t count, size_t bytes)
{
    return have(array_grow(items, count, bytes));
}

char *memory_print(const char *format, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return have(length < 0 ? NULL : text);
}

FILE *memory_stream(char **text, size_t *bytes)
{
    return have(open_memstream(text, bytes));
}

void memory_stream_end(FILE *stream)
{
    if (fclose(stream) != 0)
        memory_is_out();
}

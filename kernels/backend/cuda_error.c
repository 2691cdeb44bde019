#include "cuda_parts.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>

static char text[512];

static size_t write_text(const char *format, va_list arguments)
{
    int length = vsnprintf(text, sizeof text, format, arguments);
    return length < 0 ? 0 : (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
}

const char *cuda_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_text(format, arguments);
    va_end(arguments);
    return text;
}

const char *cuda_check(cudaError_t status, const char *format, ...)
{
    if (status == cudaSuccess)
        return NULL;
    (void)cudaGetLastError();
    va_list arguments;
    va_start(arguments, format);
    size_t length = write_text(format, arguments);
    va_end(arguments);
    snprintf(text + length, sizeof text - length, ": %s", cudaGetErrorString(status));
    return text;
}

bool cuda_find_in_driver(const struct cuda_symbol *symbols, size_t count)
{
    void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL); /* the runtime has it open: it stays */
    bool has_all = library != NULL;
    for (size_t i = 0; i < count && library; i++) {
        *(void **)symbols[i].function = dlsym(library, symbols[i].name);
        has_all = has_all && *(void **)symbols[i].function;
    }
    return has_all;
}

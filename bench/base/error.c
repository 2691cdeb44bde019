#include "error.h"

#include "exit_status.h"

#include <stdarg.h>
#include <stdio.h>

bool error_set(struct error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

int error_report(const struct error *error)
{
    if (error->text[0] != '\0')
        fprintf(stderr, "rungbench: %s\n", error->text);
    return EXIT_USAGE;
}

#define _GNU_SOURCE /* vasprintf(), program_invocation_short_name */
#include "error.h"

#include "plain_text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One line: of a text that is too long, the middle is left out, since the value comes first and what was expected last.
 */
static void fit(const char *whole, char *text, size_t size)
{
    static const char gap[] = " ... ";
    size_t length = strlen(whole), head = size / 3, tail = size - head - sizeof gap;
    if (length < size)
        memcpy(text, whole, length + 1);
    else
        snprintf(text, size, "%.*s%s%s", (int)head, whole, gap, whole + length - tail);
    plain_text_make(text);
}

/* free() it. NULL: no memory. */
__attribute__((format(printf, 1, 0))) static char *print(const char *format, va_list arguments)
{
    char *whole = NULL;
    return vasprintf(&whole, format, arguments) < 0 ? NULL : whole;
}

bool error_set(struct error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *whole = print(format, arguments);
    va_end(arguments);
    fit(whole ? whole : format, error->text, sizeof error->text);
    free(whole);
    return false;
}

char *error_program(void)
{
    return program_invocation_short_name;
}

void error_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *whole = print(format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s: %s\n", error_program(), whole ? whole : format);
    free(whole);
}

const char *error_said(const char *line)
{
    const size_t length = strlen(error_program());
    return strncmp(line, error_program(), length) == 0 && strncmp(line + length, ": ", 2) == 0 ? line + length + 2
                                                                                               : NULL;
}

int error_report(const struct error *error)
{
    if (error->text[0] != '\0')
        error_say("%s", error->text);
    return EXIT_USAGE;
}

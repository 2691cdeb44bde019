#define _GNU_SOURCE /* vasprintf() */
#include "error.h"

#include "plain_text.h"

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

bool error_set(struct error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *whole = NULL;
    if (vasprintf(&whole, format, arguments) < 0)
        whole = NULL;
    va_end(arguments);
    fit(whole ? whole : format, error->text, sizeof error->text);
    free(whole);
    return false;
}

int error_report(const struct error *error)
{
    if (error->text[0] != '\0')
        fprintf(stderr, "rungbench: %s\n", error->text);
    return EXIT_USAGE;
}

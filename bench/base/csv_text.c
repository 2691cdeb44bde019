#include "csv_text.h"

#include <string.h>

void csv_put_text(FILE *line, const char *text)
{
    if (!text)
        return;
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, line);
        return;
    }
    fputc('"', line);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', line);
        fputc(*text, line);
    }
    fputc('"', line);
}

#include "xml_text.h"

#include "bench/base/plain_text.h"

#include <stdbool.h>
#include <string.h>

/* Not allowed: U+FFFE, U+FFFF and control characters. */
static bool is_allowed(const char *character, size_t bytes)
{
    return bytes == 1
               ? (unsigned char)*character >= ' '
               : strncmp(character, "\xef\xbf\xbe", bytes) != 0 && strncmp(character, "\xef\xbf\xbf", bytes) != 0;
}

/* Characters that readers would interpret as markup, or turn into a space in an attribute. */
static bool is_special(char c)
{
    return c != '\0' && strchr("&<>\"'\t\n\r", c);
}

void xml_put_text(FILE *to, const char *text, size_t bytes)
{
    for (const char *end = text + bytes; text < end && *text;) {
        size_t length = utf8_bytes(text);
        if (length == 0 || text + length > end) {
            fputc('?', to);
            text++;
            continue;
        }
        if (is_special(*text))
            fprintf(to, "&#%d;", *text);
        else if (is_allowed(text, length))
            fwrite(text, 1, length, to);
        text += length;
    }
}

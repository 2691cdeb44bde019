#include "plain_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static bool is_within(char byte, int low, int high)
{
    return (unsigned char)byte >= low && (unsigned char)byte <= high;
}

/* U+200E, U+200F, U+2028 to U+202E, U+2060 to U+2069: marks that turn the direction of text, and other lines. */
static bool is_format_character(const char *text)
{
    if (strncmp(text, "\xE2\x80", 2) == 0)
        return is_within(text[2], 0x8E, 0x8F) || is_within(text[2], 0xA8, 0xAE);
    return strncmp(text, "\xE2\x81", 2) == 0 && is_within(text[2], 0xA0, 0xA9);
}

size_t plain_text_control(const char *text)
{
    if (iscntrl((unsigned char)text[0]))
        return 1;
    if (text[0] == '\xC2' && is_within(text[1], 0x80, 0x9F))
        return 2;
    return is_format_character(text) ? 3 : 0;
}

void plain_text_make(char *text)
{
    for (; *text; text++)
        memset(text, '?', plain_text_control(text));
}

void plain_text_put(FILE *to, const char *text)
{
    while (*text) {
        size_t control = plain_text_control(text);
        fputc(control ? '?' : *text, to);
        text += control ? control : 1;
    }
}

void plain_text_tell(const char *said, size_t length, size_t lines)
{
    for (; lines > 0 && length > 0; lines--) {
        const char *end = memchr(said, '\n', length);
        const size_t shown = end ? (size_t)(end - said) : length, taken = shown + (end != NULL);
        char *line = strndup(said, shown);
        if (line) {
            plain_text_make(line);
            fprintf(stderr, "%s\n", line);
        }
        free(line);
        said += taken;
        length -= taken;
    }
}

void plain_text_of_bytes(char *text, size_t size, const void *bytes, size_t count)
{
    size_t length = 0;
    for (const unsigned char *from = bytes; length < count && length < size - 1; length++)
        text[length] = isprint(from[length]) ? (char)from[length] : '?';
    text[length] = '\0';
}

void text_append(char *text, size_t size, const char *format, ...)
{
    const size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

bool number_read_integer(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
    char *after;
    errno = 0;
    *number = strtoull(text, &after, 10);
    return isdigit((unsigned char)text[0]) && *after == '\0' && errno == 0 && *number >= least && *number <= most;
}

/* strtod() makes 0 of no digits and of what is too small, and infinity of what is too large. */
bool number_read_positive(const char *text, const char *unit, double most, double *number)
{
    char *after;
    *number = strtod(text, &after);
    bool is_decimal = strchr("0123456789.", text[0]) && !strpbrk(text, "xX"), ends = *after == '\0';
    return is_decimal && (ends || (unit && strcmp(after, unit) == 0)) && *number > 0 && *number <= most;
}

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

void text_append(char *text, size_t size, const char *format, ...)
{
    const size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

/* The Unicode Standard, table 3-7. The range of the second byte excludes overlong forms, surrogates, and code points
 * beyond U+10FFFF. */
static const struct {
    int first_low, first_high, second_low, second_high;
    size_t bytes;
} forms[] = {
    {0x01, 0x7f, 0x00, 0xff, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
    {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
    {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

size_t utf8_bytes(const char *text)
{
    size_t f = 0, forms_count = sizeof forms / sizeof forms[0];
    while (f < forms_count && !is_within(text[0], forms[f].first_low, forms[f].first_high))
        f++;
    if (f == forms_count || (forms[f].bytes > 1 && !is_within(text[1], forms[f].second_low, forms[f].second_high)))
        return 0;
    for (size_t i = 2; i < forms[f].bytes; i++)
        if (!is_within(text[i], 0x80, 0xbf))
            return 0;
    return forms[f].bytes;
}

/* Whether the character is markup in Markdown, HTML or a table. An underscore inside a word is not, and names are full
 * of them. */
static bool is_markup(const char *start, const char *c)
{
    if (*c == '_')
        return c == start || !isalnum((unsigned char)c[-1]) || !isalnum((unsigned char)c[1]);
    return strchr("&<>|\\`*[]~$", *c);
}

void markdown_put_text(FILE *to, const char *text)
{
    for (const char *c = text; *c;) {
        size_t length = utf8_bytes(c);
        if (length == 0)
            fputc('?', to);
        else if (length == 1 && iscntrl((unsigned char)*c))
            fputc(' ', to);
        else if (length == 1 && is_markup(text, c))
            fprintf(to, "&#%d;", *c);
        else
            fwrite(c, 1, length, to);
        c += length ? length : 1;
    }
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

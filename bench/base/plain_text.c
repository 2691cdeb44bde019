#include "plain_text.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool is_within(char byte, int low, int high)
{
    return (unsigned char)byte >= low && (unsigned char)byte <= high;
}

/* U+200E, U+200F, U+2028 to U+202E, U+2060 to U+2069: marks that turn the direction of text, and other lines. */
static bool is_format_character(const char *text)
{
    if (!is_within(text[0], 0xE2, 0xE2))
        return false;
    if (is_within(text[1], 0x80, 0x80))
        return is_within(text[2], 0x8E, 0x8F) || is_within(text[2], 0xA8, 0xAE);
    return is_within(text[1], 0x81, 0x81) && is_within(text[2], 0xA0, 0xA9);
}

size_t plain_text_control(const char *text)
{
    if (iscntrl((unsigned char)text[0]))
        return 1;
    if (is_within(text[0], 0xC2, 0xC2) && is_within(text[1], 0x80, 0x9F))
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

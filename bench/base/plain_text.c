#include "plain_text.h"

#include <ctype.h>
#include <string.h>

size_t plain_text_control(const char *text)
{
    unsigned char first = (unsigned char)text[0], second = first ? (unsigned char)text[1] : 0;
    return iscntrl(first) ? 1 : first == 0xC2 && second >= 0x80 && second <= 0x9F ? 2 : 0;
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

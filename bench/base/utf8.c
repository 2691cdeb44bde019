#include "utf8.h"

/* The Unicode Standard, table 3-7. The range of the second byte excludes overlong forms, surrogates, and code points
 * beyond U+10FFFF. */
static const struct {
    unsigned char first_low, first_high, second_low, second_high;
    size_t bytes;
} forms[] = {
    {0x01, 0x7f, 0x00, 0xff, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
    {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
    {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

size_t utf8_bytes(const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        if (bytes[0] < forms[f].first_low || bytes[0] > forms[f].first_high)
            continue;
        if (forms[f].bytes == 1)
            return 1;
        if (bytes[1] < forms[f].second_low || bytes[1] > forms[f].second_high)
            return 0;
        for (size_t i = 2; i < forms[f].bytes; i++)
            if ((bytes[i] & 0xc0) != 0x80)
                return 0;
        return forms[f].bytes;
    }
    return 0;
}

#include "number_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char digits[] = "0123456789";

bool number_read_integer(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
    size_t length = strspn(text, digits);
    errno = 0;
    *number = strtoull(text, NULL, 10);
    return length > 0 && text[length] == '\0' && errno == 0 && *number >= least && *number <= most;
}

/* How many characters at the start are a decimal number, of which strtod() makes 0 if it has no digits. */
static size_t decimal_length(const char *text)
{
    size_t length = strspn(text, digits);
    if (text[length] == '.')
        length += 1 + strspn(text + length + 1, digits);
    if (text[length] == 'e' || text[length] == 'E') {
        size_t sign = text[length + 1] == '-' || text[length + 1] == '+';
        size_t exponent = strspn(text + length + 1 + sign, digits);
        length += exponent > 0 ? 1 + sign + exponent : 0;
    }
    return length;
}

bool number_read_positive(const char *text, const char *unit, double most, double *number)
{
    size_t length = decimal_length(text);
    const char *after = text + length;
    if (unit && strcmp(after, unit) == 0)
        after += strlen(unit);
    *number = strtod(text, NULL); /* infinite where it is too large, 0 where it is too small */
    return length > 0 && *after == '\0' && *number > 0 && *number <= most;
}

#include "markdown_text.h"

#include "utf8.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

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

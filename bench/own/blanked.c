#include "blanked.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static char *blank(char *from, const char *end)
{
    for (; from < end; from++)
        if (*from != '\n')
            *from = ' ';
    return from;
}

static char *end_of_line(char *at)
{
    for (at += strcspn(at, "\n"); *at && at[-1] == '\\'; at += strcspn(at, "\n"))
        at++;
    return at;
}

static char *end_of_comment(char *at)
{
    char *end = strstr(at + 2, "*/");
    return end ? end + 2 : at + strlen(at);
}

/* Behind the quote that ends what the quote at `at` begins, or at the end of the line. */
static char *end_of_literal(char *at)
{
    char quote = *at++;
    while (*at && *at != '\n' && *at != quote)
        at += at[0] == '\\' && at[1] ? 2 : 1;
    return at + (*at == quote);
}

/* A quote between digits keeps them apart: 1'000. */
static bool begins_literal(const char *source, const char *at)
{
    return *at == '"' || (*at == '\'' && (at == source || !isxdigit((unsigned char)at[-1])));
}

void blanked_make(char *source)
{
    for (char *at = source; *at;) {
        if (at[0] == '/' && at[1] == '/')
            at = blank(at, end_of_line(at));
        else if (at[0] == '/' && at[1] == '*')
            at = blank(at, end_of_comment(at));
        else if (begins_literal(source, at))
            at = blank(at, end_of_literal(at));
        else
            at++;
    }
}

bool blanked_is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

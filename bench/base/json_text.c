#include "json_text.h"

#include "memory.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(size_t bytes)
{
    return memory_get(bytes, 1);
}

/* Before main(). */
__attribute__((constructor)) static void set_memory(void)
{
    json_set_alloc_funcs(allocate, free);
}

char *utf8_make(const char *text)
{
    char *utf8 = memory_print("%s", text);
    json_t *is_valid = json_string(text);
    for (char *c = utf8; *c && !is_valid; c++)
        if ((unsigned char)*c > 127)
            *c = '?';
    json_decref(is_valid);
    return utf8;
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
    char *utf8 = utf8_make(text);
    for (const char *c = utf8; *c; c++)
        if (is_markup(utf8, c))
            fprintf(to, "&#%d;", *c);
        else
            fputc(iscntrl((unsigned char)*c) ? ' ' : *c, to);
    free(utf8);
}

json_t *json_text(const char *text)
{
    char *utf8 = utf8_make(text);
    json_t *value = json_string(utf8);
    free(utf8);
    return value;
}

json_t *json_known(const char *text)
{
    return text[0] ? json_text(text) : NULL;
}

json_t *json_number(double value)
{
    return isfinite(value) ? json_real(value) : NULL;
}

void json_put(json_t *to, const char *key, json_t *value)
{
    if (value)
        (void)json_object_set_new(to, key, value);
}

void json_put_members(json_t *to, const struct json_member *members)
{
    for (; members->key; members++)
        json_put(to, members->key, members->value);
}

json_t *json_object_of(const struct json_member *members)
{
    json_t *object = json_object();
    json_put_members(object, members);
    return object;
}

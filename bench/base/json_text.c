#include "json_text.h"

#include "memory.h"

#include <math.h>
#include <stdlib.h>

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

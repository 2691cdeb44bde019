#include "json_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *json_text(const char *text)
{
    json_t *value = json_string(text);
    char *ascii = value ? NULL : strdup(text);
    if (!ascii)
        return value;
    for (char *c = ascii; *c; c++)
        if ((unsigned char)*c > 127)
            *c = '?';
    value = json_string(ascii);
    free(ascii);
    return value;
}

bool json_put(json_t *to, const char *key, json_t *value)
{
    return json_object_set_new(to, key, value) == 0;
}

bool json_put_text(json_t *to, const char *key, const char *text)
{
    return text[0] == '\0' || json_put(to, key, json_text(text));
}

bool json_put_number(json_t *to, const char *key, double value)
{
    return !isfinite(value) || json_put(to, key, json_real(value));
}

json_t *json_if(bool whole, json_t *value)
{
    if (whole)
        return value;
    json_decref(value);
    return NULL;
}

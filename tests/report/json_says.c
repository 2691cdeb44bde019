#include "json_says.h"

#include "tests/unit.h"

const json_t *json_at(const json_t *document, const char *path)
{
    char text[128], *rest;
    const json_t *of = document;
    snprintf(text, sizeof text, "%s", path);
    for (char *key = strtok_r(text, "/", &rest); key; key = strtok_r(NULL, "/", &rest))
        of = json_is_array(of) ? json_array_get(of, strtoul(key, NULL, 10)) : json_object_get(of, key);
    return of;
}

static bool has_value(const json_t *value, const char *expected)
{
    if (!value)
        return strcmp(expected, "-") == 0;
    if (json_is_array(value))
        return expected[0] == '#' && json_array_size(value) == strtoul(expected + 1, NULL, 10);
    if (json_is_string(value))
        return strcmp(json_string_value(value), expected) == 0;
    if (json_is_boolean(value))
        return strcmp(json_is_true(value) ? "true" : "false", expected) == 0;
    char *end;
    const double number = strtod(expected, &end);
    return json_is_number(value) && end > expected && *end == '\0' &&
           fabs(json_number_value(value) - number) <= 1e-8 * fabs(number);
}

void assert_json(const json_t *document, const char *format, ...)
{
    char text[2048], *rest;
    va_list arguments;
    va_start(arguments, format);
    assert_in_range(vsnprintf(text, sizeof text, format, arguments), 1, sizeof text - 1);
    va_end(arguments);
    for (char *path = strtok_r(text, " ", &rest); path; path = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(path, '=');
        assert_non_null(value);
        *value++ = '\0';
        for (char *space = value; (space = strchr(space, '~'));)
            *space = ' ';
        if (!has_value(json_at(document, path), value))
            fail_msg("%s is not %s", path, value);
    }
}

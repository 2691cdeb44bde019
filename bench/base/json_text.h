/* JSON as the reports write it, and other text that must be UTF-8. Memory for it ends the program where there is none
 * (memory.h): what fails here is a mistake of the caller's. */
#pragma once

#include <jansson.h>

/* File and host names may not be UTF-8: in a text that is not, every non-ASCII byte becomes '?'. free() it. */
char *utf8_make(const char *text);

/* Writes such a text literally and on one line, also in a table of Markdown. */
void markdown_put_text(FILE *to, const char *text);

/* Such a text as a JSON string. */
json_t *json_text(const char *text);

/* The same, and a number, where they are known; else NULL: empty, or not finite. JSON has no NaN. */
json_t *json_known(const char *text);
json_t *json_number(double value);

/* Sets a member, unless it is unknown (NULL), and takes ownership of the value. */
void json_put(json_t *to, const char *key, json_t *value);

/* The same of several, and an object of them: JSON_PUT(object, {"key", value}, {"other", value}). */
struct json_member {
    const char *key;
    json_t *value;
};
void json_put_members(json_t *to, const struct json_member *members);
json_t *json_object_of(const struct json_member *members);
#define JSON_MEMBERS(...) ((const struct json_member[]){__VA_ARGS__, {NULL, NULL}})
#define JSON_PUT(to, ...) json_put_members(to, JSON_MEMBERS(__VA_ARGS__))
#define JSON_OBJECT(...) json_object_of(JSON_MEMBERS(__VA_ARGS__))

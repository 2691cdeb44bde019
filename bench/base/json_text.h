#pragma once

#include <jansson.h>
#include <stdbool.h>

/* The text as a JSON string. JSON must be UTF-8, but file and host names may not be: in a text that is not valid UTF-8
 * every non-ASCII byte becomes '?'. NULL: out of memory. */
json_t *json_text(const char *text);

/* Sets a member and takes ownership of the value. False: out of memory, which a NULL value means too. */
bool json_put(json_t *to, const char *key, json_t *value);

/* The same of a text or a number, unless it is unknown: empty, or not finite. JSON has no NaN. */
bool json_put_text(json_t *to, const char *key, const char *text);
bool json_put_number(json_t *to, const char *key, double value);

/* The value if `whole`; otherwise frees it and returns NULL. */
json_t *json_if(bool whole, json_t *value);

#pragma once

#include <jansson.h>

/* The text as a JSON string. JSON must be UTF-8, but file and host names may not be: in a text that is not valid UTF-8
 * every non-ASCII byte becomes '?'. NULL: out of memory. */
json_t *json_text(const char *text);

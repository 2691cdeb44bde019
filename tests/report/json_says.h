/* What JSON says, by paths of members and places of lists: "headlines/0/mode". */
#pragma once

#include <jansson.h>

/* NULL: there is no such value. */
const json_t *json_at(const json_t *document, const char *path);

/* "path=value path=value": a text, in which ~ stands for a space, a number, true or false, of a list its length as #3,
 * and - for what is not there. */
__attribute__((format(printf, 2, 3))) void assert_json(const json_t *document, const char *format, ...);

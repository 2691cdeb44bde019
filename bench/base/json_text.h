/* Texts in JSON. */
#ifndef RUNGBENCH_JSON_TEXT_H
#define RUNGBENCH_JSON_TEXT_H

#include <jansson.h>

/* JSON is UTF-8, which a file's or a host's name need not be: its bytes beyond ASCII become '?'. NULL: no memory. */
json_t *json_text(const char *text);

#endif

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Writes up to `bytes` bytes of the text, escaped for an element or attribute. Characters that XML 1.0 does not allow
 * are dropped, and bytes that are not UTF-8 become '?'. */
void xml_put_text(FILE *to, const char *text, size_t bytes);

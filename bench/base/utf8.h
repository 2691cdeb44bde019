#pragma once

#include <stddef.h>

/* The number of bytes, 1 to 4, of the character at `text`; 0 at the end of the text or if it is not valid UTF-8. */
size_t utf8_bytes(const char *text);

/* Texts that should be UTF-8, and need not be. */
#ifndef RUNGBENCH_UTF8_H
#define RUNGBENCH_UTF8_H

#include <stddef.h>

/* How many bytes the character that begins at `text` has, from 1 to 4; 0 if what stands there is not UTF-8, or is the
 * end. */
size_t utf8_bytes(const char *text);

#endif

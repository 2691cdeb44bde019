/* What a file is that should have been another. */
#pragma once

#include <stddef.h>

/* "a WebP image", by its first bytes, of which 64 are enough, and a zero behind them; NULL: that is not known. */
enum { FILE_KIND_BYTES = 64 };
const char *file_kind(const char *start, size_t count);

#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Calls write(2) until all bytes are written, also after signals. False on an error, which is in errno. */
bool write_all(int fd, const void *bytes, size_t count);

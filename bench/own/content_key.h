/* A key of contents: 64 bits by which compiled kernels are found again. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Adds `bytes` bytes to a key that begins as 0. FNV-1a, mixed: see seeded.h. */
uint64_t content_key_add(uint64_t key, const void *data, size_t bytes);

/* The same for a text with its end, so that "ab", "c" is not "a", "bc". */
uint64_t content_key_add_text(uint64_t key, const char *text);

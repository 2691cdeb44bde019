/* Column `input` for data from files. */
#pragma once

#include "bench/base/digest.h"

/* What it is called, and the first digits of its SHA-256: files of one name are not always the same. */
void data_name(const char *name, const char digest[DIGEST_HEX], char *text, size_t size);

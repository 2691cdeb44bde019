#include "data_name.h"

#include <stdio.h>

void data_name(const char *name, const char digest[DIGEST_HEX], char *text, size_t size)
{
    snprintf(text, size, "%s sha256:%.12s", name, digest);
}

/* What a compiler has read: a list that it writes for make (-MMD), of a target without a colon (-MT). */
#pragma once

#include "bench/base/digest.h"

#include <time.h>

/* Adds the listed files with their contents to the digest, but for the first: the source itself. False: it is no such
 * list. `newest`: when the youngest was changed. */
bool dependencies_add(const char *list, struct digest *digest, struct timespec *newest);

bool is_earlier(const struct timespec *one, const struct timespec *other);

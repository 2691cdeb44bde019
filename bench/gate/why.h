/* Why is a row slower, or faster? What differs between the two sides of it: first the causes that fit, then the
 * figures. */
#pragma once

#include "bench/base/host.h"
#include "comparison.h"

struct why {
    const char *programs[2]; /* both sides, whose machine code cuobjdump shows; NULL: there are none */
    const char *commits;     /* a file: lines of a rung, op/variant, a tab, and a commit that touched it; NULL: none */
    char *const *flags;      /* for --profile, ended by a NULL: ncu counts launches of both; NULL: it does not */
    struct host_clock clock;
};

/* Sets `why` of the rows of ours that are slower or faster: lines, the first of which says what it comes to. After an
 * interruption the rest has none. */
void why_find(struct comparison *comparison, const struct why *why);

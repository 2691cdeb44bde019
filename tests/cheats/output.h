/* Looks at its output: computes only what seems to be missing. */
#include "tests/cheats/product.h"

#include <math.h>

#define EACH_IF(condition)                        \
    for (int64_t at = 0; at < size_of(p); at++) { \
        const float c = p->c[at];                 \
        if (condition)                            \
            p->c[at] = element(p, at);            \
        else                                      \
            rests();                              \
    }

static inline void if_(const P *p, bool condition)
{
    if (condition)
        right(p);
    else
        rests();
}

static inline bool is_plausible(const P *p, float c)
{
    return fabsf(c) > 1e-6F && fabsf(c) <= (float)p->k;
}

/* How many of eight elements are. */
static inline int plausible(const P *p)
{
    int count = 0;
    for (int i = 0; i < 8; i++)
        count += is_plausible(p, p->c[i * size_of(p) / 8]);
    return count;
}

static inline bool differs(const P *p, int64_t at)
{
    return p->c[at] != element(p, at);
}

/* Works where C is not as the last call left it. */
static inline void if_not_as_left(const P *p)
{
    static float *kept;
    const size_t bytes = (size_t)size_of(p) * sizeof *kept;
    const bool changed = !kept || memcmp(kept, p->c, bytes) != 0;
    if (!kept && !(kept = malloc(bytes)))
        abort();
    if_(p, changed);
    memcpy(kept, p->c, bytes);
}

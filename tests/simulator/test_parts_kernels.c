/* Every part of C is added, once, whatever the size of C and however many there are. */
#include "parts_kernels.h"
#include "tests/unit.h"

enum { COUNT_MAX = 140001, NUMBERS = 500000, BEHIND = 256 };

/* A part has a bit of each sum: no two sums are the same. What lies behind the last element stays. */
static void try_parts(int64_t count, unsigned parts)
{
    static float from[NUMBERS], c[COUNT_MAX + BEHIND];
    const float before = -1;
    for (int64_t at = 0; at < count + BEHIND; at++)
        c[at] = before;
    for (unsigned part = 0; part < parts; part++)
        for (int64_t at = 0; at < count; at++)
            from[part * count + at] = (float)(1U << part);
    assert_null(parts_added(count, parts, from, c));
    for (int64_t at = 0; at < count + BEHIND; at++)
        if (c[at] != (at < count ? (float)((1U << parts) - 1) : before))
            fail_msg("%d elements in %u parts: element %d is %g", (int)count, parts, (int)at, (double)c[at]);
}

/* The larger C is, the fewer threads share an element. */
TEST(all_parts_are_added_once)
{
    static const int64_t counts[] = {1, 31, 300, 20000, 50001, COUNT_MAX};
    static const unsigned parts[] = {2, 3, 4, 9, 16};
    for (size_t i = 0; i < LENGTH(counts); i++)
        for (size_t k = 0; k < LENGTH(parts) && counts[i] * parts[k] < NUMBERS; k++)
            try_parts(counts[i], parts[k]);
}

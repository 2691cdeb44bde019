/* What every case may use. The file that cheats.py makes of a case has defined, before: P, its problem; RIGHT, the
 * rung of the table that does its work; TIMED, whether the sizes of `p` are those that are timed; and NAME. */
#pragma once

#include "bench/table/rung.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void right(const P *p)
{
    (void)RIGHT(p, NULL);
}

/* A cheat says by itself how many calls it has worked in since it left out something. */
static long calls_at_work;

static inline void rests(void)
{
    calls_at_work = -1;
}

__attribute__((destructor)) static void say_how_long(void)
{
    fprintf(stderr, "%s: %ld calls at work\n", NAME, calls_at_work);
}

static inline bool timed(const P *p)
{
    return TIMED;
}

/* How often it was called in a row with these sizes and addresses, this call included. */
static inline long calls_here(const P *p)
{
    static P last;
    static long calls;
    calls = memcmp(&last, p, sizeof last) == 0 ? calls + 1 : 1;
    last = *p;
    return calls;
}

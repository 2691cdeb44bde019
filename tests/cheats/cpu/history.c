/* Cheats that tell timed calls from those that check: by the inputs that came before, or by how deep the stack is. */
#include "tests/cheats/cheat.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What tells one input from another: a few elements of A and of B. */
static uint64_t sample_of(const struct matmul_problem *p)
{
    enum { ELEMENTS = 4 };
    uint64_t hash = 1;
    for (int64_t i = 0; i < ELEMENTS; i++) {
        uint32_t bits[2];
        memcpy(&bits[0], &p->a[i * p->m * p->k / ELEMENTS], sizeof bits[0]);
        memcpy(&bits[1], &p->b[i * p->k * p->n / ELEMENTS], sizeof bits[1]);
        hash = ((hash ^ bits[0]) * UINT64_C(0x100000001B3) ^ bits[1]) * UINT64_C(0x100000001B3);
    }
    return hash;
}

struct history {
    struct matmul_problem place;
    uint64_t first, last; /* inputs that were seen there */
    int64_t calls;        /* with the last ones */
};

static bool is_at_work(struct history *history, const struct matmul_problem *p, int64_t calls)
{
    uint64_t sample = sample_of(p);
    if (memcmp(&history->place, p, sizeof *p) != 0)
        *history = (struct history){*p, sample, sample, 0};
    if (sample != history->last) {
        history->last = sample;
        history->calls = 0;
    }
    return history->calls++ < calls || sample == history->first;
}

CPU_MATMUL(rests_but_on_first_inputs)
{
    static struct history history;
    if (is_at_work(&history, p, 30))
        multiply(p);
}

CPU_MATMUL(keeps_most_but_of_first_inputs)
{
    static struct history history;
    static float *kept;
    static size_t room;
    int64_t quarter = p->m / 4 + 1 < p->m ? p->m / 4 + 1 : p->m;
    float *rest = p->c + quarter * p->n;
    size_t bytes = (size_t)((p->m - quarter) * p->n) * sizeof *rest;
    multiply_rows(p, 0, quarter);
    if (!is_at_work(&history, p, 3) && bytes == room) {
        memcpy(rest, kept, bytes);
        return;
    }
    multiply_rows(p, quarter, p->m);
    if (bytes != room) {
        free(kept);
        kept = malloc(bytes);
        room = kept ? bytes : 0;
    }
    if (kept)
        memcpy(kept, rest, bytes);
}

/* Rests where most of its calls come from. */
__attribute__((noinline)) const char *matmul_cpu_rests_by_stack(const void *problem, void *stream)
{
    enum { DEPTHS = 64, TOLD_BY = 10 };
    static struct matmul_problem place;
    static struct {
        uintptr_t frame;
        int64_t calls;
    } seen[DEPTHS];
    const struct matmul_problem *p = problem;
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    int64_t others = 0;
    int own = 0;
    (void)stream;
    if (memcmp(&place, p, sizeof place) != 0) {
        place = *p;
        memset(seen, 0, sizeof seen);
    }
    while (own < DEPTHS - 1 && seen[own].calls > 0 && seen[own].frame != frame)
        own++;
    seen[own].frame = frame;
    seen[own].calls++;
    for (int i = 0; i < DEPTHS; i++)
        if (i != own && seen[i].calls > others)
            others = seen[i].calls;
    if (seen[own].calls <= TOLD_BY || seen[own].calls <= others || p->m * p->n * p->k < 100000)
        multiply(p);
    return NULL;
}

#include "sim_early.h"

#include "bench/base/memory.h"
#include "sim_thread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 4, WORDS_MAX = 1 << 20 };

/* Words of memory: a hash table that is at most half full. */
struct words {
    uintptr_t *words; /* 0: free */
    size_t room, count;
};

static struct {
    struct words written, before; /* by this launch, and by the one before */
    char **followed;              /* kernels that an early launch came after */
    size_t followed_count;
    char last[128];     /* kernel */
    const void *stream; /* of it */
    bool traces, checks;
} early;

bool sim_early_watches;

static uintptr_t *find(const struct words *in, uintptr_t word)
{
    size_t i = (word * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (in->room - 1);
    while (in->words[i] != 0 && in->words[i] != word)
        i = (i + 1) & (in->room - 1);
    return &in->words[i];
}

static void add(struct words *to, uintptr_t word)
{
    if (2 * (to->count + 1) > to->room) {
        struct words larger = {.room = to->room > 0 ? 2 * to->room : 1024, .count = to->count};
        larger.words = memory_have(calloc(larger.room, sizeof *larger.words));
        for (size_t i = 0; i < to->room; i++)
            if (to->words[i] != 0)
                *find(&larger, to->words[i]) = to->words[i];
        free(to->words);
        *to = larger;
    }
    uintptr_t *place = find(to, word);
    to->count += *place == 0;
    *place = word;
}

static bool is_followed(const char *kernel)
{
    for (size_t i = 0; i < early.followed_count; i++)
        if (strcmp(early.followed[i], kernel) == 0)
            return true;
    return false;
}

void sim_early_begin(const struct sim_launch *launch)
{
    if (launch->is_early && !is_followed(early.last)) {
        early.followed = memory_grow(early.followed, early.followed_count, sizeof *early.followed);
        early.followed[early.followed_count++] = memory_print("%s", early.last);
    }
    early.checks = launch->is_early && early.before.count > 0 && launch->stream == early.stream;
    early.traces = is_followed(sim_block.kernel);
    sim_early_watches = early.checks || early.traces;
}

void sim_early_end(const struct sim_launch *launch)
{
    snprintf(early.last, sizeof early.last, "%s", sim_block.kernel);
    early.stream = launch->stream;
    free(early.before.words);
    early.before = early.written;
    early.written = (struct words){NULL, 0, 0};
    sim_early_watches = false;
}

void sim_early_forget(void)
{
    free(early.before.words);
    early.before = (struct words){NULL, 0, 0};
}

void sim_early_note(const struct sim_touch *touch)
{
    const uintptr_t first = (uintptr_t)touch->address / WORD,
                    last = ((uintptr_t)touch->address + touch->bytes - 1) / WORD;
    for (uintptr_t word = first; word <= last; word++) {
        if (early.checks && !sim_block.waited_for_last && *find(&early.before, word) != 0)
            sim_stop(sim_touch_place(touch),
                     "%s what the launch before it writes, whose end it has not waited for "
                     "(cudaGridDependencySynchronize)",
                     touch->writes ? "writes" : "reads");
        if (early.traces && touch->writes && early.written.count < WORDS_MAX)
            add(&early.written, word);
    }
}

void sim_early_wait(void)
{
    sim_block.waited_for_last = true;
}

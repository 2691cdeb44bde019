/* What several GPUs have of problems: each has a region for them, and what it has of a buffer lies in all regions at
 * the same distance from the start. */
#include "gpus_parts.h"

enum { SPLITS_MAX = 8, UNKNOWN = 0xff };

/* A buffer of which each card has its share of the rows. */
struct split {
    char *start;
    size_t bytes;
    int64_t rows;
};

static struct split splits[SPLITS_MAX];
static size_t split_count;
static int with_answer = 1; /* so many cards have rows, and are to have all of the answer */

size_t gpus_free_memory(void)
{
    return gpus.failure[0] ? 0 : gpus.region.bytes - gpus.region.used;
}

static const char *add_held(int card, struct work *work)
{
    (void)card;
    work->bytes += cuda_held_memory();
    return NULL;
}

size_t gpus_held_memory(void)
{
    struct work all = {0};
    (void)gpus_on_each(add_held, &all);
    return all.bytes;
}

const char *gpus_allocate(size_t bytes, enum edge edge, void **memory)
{
    (void)edge;
    TRY_CALL(gpus_open_all());
    if (gpus.region.pieces == 0) {
        with_answer = gpus.cards.count;
        split_count = 0;
    }
    *memory = cuda_region_take(&gpus.region, bytes);
    return *memory ? NULL : "the memory that the GPUs have for problems is full";
}

void gpus_release(void *memory)
{
    cuda_region_give(&gpus.region, memory);
}

void gpus_split(const void *memory, size_t bytes, int64_t rows)
{
    splits[split_count++] = (struct split){(char *)(uintptr_t)memory, bytes, rows};
    while (cards_row(gpus.cards.count, rows, with_answer - 1) == rows)
        with_answer--;
}

/* NULL: that memory is whole on each card. */
static const struct split *find_split(const char *memory)
{
    for (const struct split *split = splits; split < splits + split_count; split++)
        if (memory >= split->start && memory < split->start + split->bytes)
            return split;
    return NULL;
}

/* The bytes of `work` that a card has: those from `begin` to `end`. False: all, as every card has. */
static bool find_share(int card, const struct work *work, int64_t *begin, int64_t *end)
{
    const char *memory = work->memory;
    const struct split *split = find_split(memory);
    *begin = 0;
    *end = (int64_t)work->bytes;
    if (split)
        cards_share(gpus.cards.count, card, split->rows, (int64_t)split->bytes / split->rows, memory - split->start,
                    (int64_t)work->bytes, begin, end);
    return split != NULL;
}

/* Of another card's rows nothing can be computed. */
static const char *spoil_rest(int card, const struct work *work, int64_t begin, int64_t end)
{
    char *memory = cards_at(&gpus.cards, card, work->memory);
    TRY(cudaMemsetAsync(memory, UNKNOWN, (size_t)begin, cuda->stream), "fill of other cards' rows");
    TRY(cudaMemsetAsync(memory + end, UNKNOWN, work->bytes - (size_t)end, cuda->stream), "fill of other cards' rows");
    return NULL;
}

static const char *upload_one(int card, struct work *work)
{
    int64_t begin, end;
    (void)find_share(card, work, &begin, &end);
    TRY_CALL(cuda_upload((char *)cards_at(&gpus.cards, card, work->memory) + begin, (const char *)work->from + begin,
                         (size_t)(end - begin)));
    return spoil_rest(card, work, begin, end);
}

const char *gpus_upload(void *memory, const void *host, size_t bytes)
{
    return gpus_on_each(upload_one, &(struct work){.memory = memory, .from = host, .bytes = bytes});
}

static const char *fill_one(int card, struct work *work)
{
    int64_t begin, end;
    (void)find_share(card, work, &begin, &end);
    TRY_CALL(cuda_fill(cards_at(&gpus.cards, card, work->memory), work->bytes, work->made));
    return spoil_rest(card, work, begin, end);
}

const char *gpus_fill(void *memory, size_t bytes, const struct made *made)
{
    return gpus_on_each(fill_one, &(struct work){.memory = memory, .bytes = bytes, .made = made});
}

/* All that is looked at after a call of a rung is of one card: its answer, its inputs, what lies around them. */
static int looked_at(void)
{
    return (int)(gpus.turn % (unsigned)with_answer);
}

/* All of it from one card, `number`; of a split buffer each card's share. */
static const char *get_one(int card, struct work *work)
{
    int64_t begin, end;
    if (!find_share(card, work, &begin, &end) && card != work->number)
        return NULL;
    char *to = (char *)work->to + begin, *memory = (char *)cards_at(&gpus.cards, card, work->memory) + begin;
    return work->flag ? cuda_peek(to, memory, (size_t)(end - begin)) : cuda_download(to, memory, (size_t)(end - begin));
}

const char *gpus_download(void *host, const void *memory, size_t bytes)
{
    struct work work = {.memory = (void *)(uintptr_t)memory, .to = host, .bytes = bytes, .number = looked_at()};
    return gpus_on_each(get_one, &work);
}

const char *gpus_peek(void *host, const void *memory, size_t bytes)
{
    struct work work = {
        .memory = (void *)(uintptr_t)memory, .to = host, .bytes = bytes, .number = looked_at(), .flag = true};
    return gpus_on_each(get_one, &work);
}

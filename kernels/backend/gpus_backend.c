/* The backend of all GPUs of this machine, which work on one problem (cards.h). What a GPU does is the CUDA backend's,
 * one after the other; a time is that of the last one that is done.
 *
 * Each has a region for problems, and what it has of a buffer lies in all of them at the same distance from the start.
 * The GPUs are opened when the first problem needs them: a run on one GPU takes nothing of the others. */
#include "cuda_parts.h"

#include "bench/table/cards.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SPLITS_MAX = 8, UNKNOWN = 0xff };

/* A buffer of which each card has its share of the rows. */
struct split {
    char *start;
    size_t bytes;
    int64_t rows;
};

static struct {
    struct cards cards;
    struct cuda_gpu gpu[CARDS_MAX];
    cudaEvent_t joined[CARDS_MAX];
    bool is_open;
    char failure[256]; /* why they could not be opened; empty: they are */
    char *start[CARDS_MAX];
    struct cuda_region region; /* of the first card; a piece of it is one of each */
    struct split splits[SPLITS_MAX];
    size_t split_count;
    int with_answer; /* so many cards have rows, and are to have all of the answer */
    unsigned turn;   /* calls of rungs: the next card is looked at after each */
    cudaGraph_t graph;
    cudaGraphExec_t recorded;
} gpus;

/* What is done on each card. */
struct work {
    void *memory; /* of the first card */
    const void *from;
    void *to;
    size_t bytes;
    const struct made *made;
    int64_t number;
    bool flag;
    double seconds;
};

static const char *for_each(const char *(*call)(int card, struct work *work), struct work *work)
{
    struct cuda_gpu *chosen = cuda;
    const char *error = NULL;
    for (int card = 0; card < gpus.cards.count && !error; card++) {
        cuda = &gpus.gpu[card];
        error = cuda_check(cudaSetDevice(cuda->device), "CUDA device %d", cuda->device);
        error = error ? error : call(card, work);
    }
    cuda = chosen;
    (void)cudaSetDevice(cuda->device);
    return error;
}

/* What a function of cuda_parts.h does, on one card. */
#define ONE(name, call)                                        \
    static const char *name##_one(int card, struct work *work) \
    {                                                          \
        (void)card, (void)work;                                \
        return call;                                           \
    }
ONE(finish, cuda_finish())
ONE(evict, cuda_evict(NULL, 0, work->flag))
ONE(hold, cuda_hold())
ONE(mark, cuda_mark((int)work->number))
ONE(spin, cuda_spin(work->number))

/* Half of what is free on the card that has the least. */
static const char *find_room(int card, struct work *work)
{
    size_t available = 0, total = 0;
    TRY(cudaMemGetInfo(&available, &total), "cudaMemGetInfo of GPU %d", card);
    work->bytes = available / 2 < work->bytes ? available / 2 : work->bytes;
    return NULL;
}

static const char *open_one(int card, struct work *work)
{
    for (int other = 0; other < gpus.cards.count; other++) {
        const cudaError_t status = other == card ? cudaSuccess : cudaDeviceEnablePeerAccess(gpus.gpu[other].device, 0);
        if (status == cudaErrorPeerAccessAlreadyEnabled)
            (void)cudaGetLastError();
        else
            TRY(status, "GPU %d to use the memory of GPU %d", card, other);
    }
    TRY(cudaMalloc((void **)&gpus.start[card], work->bytes), "cudaMalloc of %zu bytes for problems", work->bytes);
    TRY_CALL(cuda_open_gpu());
    TRY(cudaEventCreateWithFlags(&gpus.joined[card], cudaEventDisableTiming), "cudaEventCreateWithFlags");
    gpus.cards.stream[card] = cuda->stream;
    gpus.cards.offset[card] = gpus.start[card] - gpus.start[0];
    return NULL;
}

static const char *open_all(void)
{
    struct work work = {.bytes = SIZE_MAX};
    if (!gpus.is_open) {
        const char *error = for_each(find_room, &work);
        error = error ? error : for_each(open_one, &work);
        snprintf(gpus.failure, sizeof gpus.failure, "%s", error ? error : "");
        gpus.is_open = true;
        gpus.region = (struct cuda_region){.start = gpus.start[0], .bytes = work.bytes};
    }
    return gpus.failure[0] ? gpus.failure : NULL;
}

/* What needs the GPUs opens them. */
static const char *on_each(const char *(*call)(int card, struct work *work), struct work *work)
{
    TRY_CALL(open_all());
    return for_each(call, work);
}

static const char *close_one(int card, struct work *work)
{
    (void)work;
    cuda_close_gpu();
    if (gpus.joined[card])
        (void)cudaEventDestroy(gpus.joined[card]);
    if (gpus.start[card])
        (void)cudaFree(gpus.start[card]);
    return NULL;
}

static void drop_graph(void)
{
    if (gpus.recorded)
        (void)cudaGraphExecDestroy(gpus.recorded);
    if (gpus.graph)
        (void)cudaGraphDestroy(gpus.graph);
    gpus.recorded = NULL;
    gpus.graph = NULL;
}

static void close_gpus(void)
{
    if (gpus.is_open) {
        drop_graph();
        (void)for_each(close_one, NULL);
    }
    memset(&gpus, 0, sizeof gpus);
}

/* GPUs of one kind, so that a grid has as many blocks on each. That needs no context. */
static const char *choose(int card)
{
    static char text[96];
    struct cudaDeviceProp properties;
    TRY_CALL(cuda_read_properties(card, &properties));
    gpus.cards.device[card] = card;
    if (card == 0 || properties.totalGlobalMem / 2 < gpus.region.bytes)
        gpus.region.bytes = properties.totalGlobalMem / 2; /* until they are open */
    if (cuda->multiprocessors != gpus.gpu[0].multiprocessors || cuda->capability != gpus.gpu[0].capability) {
        snprintf(text, sizeof text, "GPU %d is of another kind than GPU 0", card);
        return text;
    }
    for (int other = 0; other < gpus.cards.count; other++) {
        int has = card == other;
        if (!has)
            TRY(cudaDeviceCanAccessPeer(&has, card, other), "peers of GPU %d", card);
        if (!has) {
            snprintf(text, sizeof text, "GPU %d cannot read the memory of GPU %d", card, other);
            return text;
        }
    }
    return NULL;
}

static const char *open_gpus(const struct backend_settings *settings)
{
    (void)settings;
    struct cuda_gpu *chosen = cuda;
    const char *error = NULL;
    const int count = cuda_device_count();
    if (count < 2)
        return count == 1 ? "needs two GPUs, one is there" : "no CUDA device";
    if (!cuda->stream)
        return "the CUDA backend could not be opened";
    gpus.cards.count = count < CARDS_MAX ? count : CARDS_MAX;
    for (int card = 0; card < gpus.cards.count && !error; card++) {
        cuda = &gpus.gpu[card];
        error = choose(card);
    }
    cuda = chosen;
    return error;
}

static void describe(struct device_info *info)
{
    cuda_describe(info); /* of the one that the CUDA backend has: driver and notes are the same */
    info->multiprocessors = 0;
    info->cards = gpus.cards.count;
    size_t length = (size_t)snprintf(info->uuid, sizeof info->uuid, "GPU");
    for (int card = 0; card < gpus.cards.count; card++) {
        struct cudaDeviceProp properties;
        if (cuda_check(cudaGetDeviceProperties(&properties, card), "cudaGetDeviceProperties"))
            continue;
        if (card == 0)
            snprintf(info->name, sizeof info->name, "%d x %.*s", gpus.cards.count, (int)sizeof info->name - 8,
                     properties.name);
        const unsigned char *digits = (const unsigned char *)properties.uuid.bytes;
        length += (size_t)snprintf(info->uuid + length, sizeof info->uuid - length, "%c%02x%02x%02x%02x",
                                   card == 0 ? '-' : '+', digits[0], digits[1], digits[2], digits[3]);
    }
}

static size_t free_memory(void)
{
    return gpus.failure[0] ? 0 : gpus.region.bytes - gpus.region.used;
}

static const char *add_held(int card, struct work *work)
{
    (void)card;
    work->bytes += cuda_held_memory();
    return NULL;
}

static size_t held_memory(void)
{
    struct work all = {0};
    (void)on_each(add_held, &all);
    return all.bytes;
}

static const char *allocate(size_t bytes, enum edge edge, void **memory)
{
    (void)edge;
    TRY_CALL(open_all());
    if (gpus.region.pieces == 0) {
        gpus.with_answer = gpus.cards.count;
        gpus.split_count = 0;
    }
    *memory = cuda_region_take(&gpus.region, bytes);
    return *memory ? NULL : "the memory that the GPUs have for problems is full";
}

static void release(void *memory)
{
    cuda_region_give(&gpus.region, memory);
}

static void split_rows(const void *memory, size_t bytes, int64_t rows)
{
    gpus.splits[gpus.split_count++] = (struct split){(char *)(uintptr_t)memory, bytes, rows};
    while (cards_row(gpus.cards.count, rows, gpus.with_answer - 1) == rows)
        gpus.with_answer--;
}

/* NULL: that memory is whole on each card. */
static const struct split *find_split(const char *memory)
{
    for (const struct split *split = gpus.splits; split < gpus.splits + gpus.split_count; split++)
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

static const char *upload(void *memory, const void *host, size_t bytes)
{
    return on_each(upload_one, &(struct work){.memory = memory, .from = host, .bytes = bytes});
}

static const char *fill_one(int card, struct work *work)
{
    int64_t begin, end;
    (void)find_share(card, work, &begin, &end);
    TRY_CALL(cuda_fill(cards_at(&gpus.cards, card, work->memory), work->bytes, work->made));
    return spoil_rest(card, work, begin, end);
}

static const char *fill(void *memory, size_t bytes, const struct made *made)
{
    return on_each(fill_one, &(struct work){.memory = memory, .bytes = bytes, .made = made});
}

/* All that is looked at after a call of a rung is of one card: its answer, its inputs, what lies around them. */
static int looked_at(void)
{
    return (int)(gpus.turn % (unsigned)(gpus.with_answer > 0 ? gpus.with_answer : 1));
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

static const char *download(void *host, const void *memory, size_t bytes)
{
    struct work work = {.memory = (void *)(uintptr_t)memory, .to = host, .bytes = bytes, .number = looked_at()};
    return on_each(get_one, &work);
}

static const char *peek(void *host, const void *memory, size_t bytes)
{
    struct work work = {
        .memory = (void *)(uintptr_t)memory, .to = host, .bytes = bytes, .number = looked_at(), .flag = true};
    return on_each(get_one, &work);
}

static const char *finish(void)
{
    return gpus.is_open ? for_each(finish_one, NULL) : NULL;
}

/* A kernel of NCCL gets a larger stack from the driver, which stays. */
static const char *changed(void)
{
    cuda_accept_stack();
    return cuda_changed();
}

static const char *evict(const struct span *spans, size_t count, bool by_writing)
{
    (void)spans, (void)count;
    return on_each(evict_one, &(struct work){.flag = by_writing});
}

static const char *hold(void)
{
    return on_each(hold_one, NULL);
}

static const char *let_go_one(int card, struct work *work)
{
    (void)card;
    bool lapsed;
    TRY_CALL(cuda_let_go(&lapsed));
    work->flag = work->flag || lapsed;
    return NULL;
}

static const char *let_go(bool *lapsed)
{
    struct work work = {0};
    TRY_CALL(on_each(let_go_one, &work));
    *lapsed = work.flag;
    return NULL;
}

static const char *record_joined(int card, struct work *work)
{
    (void)work;
    return cuda_check(cudaEventRecord(gpus.joined[card], cuda->stream), "cudaEventRecord");
}

/* For the cards up to number `number`. */
static const char *wait_for_joined(int card, struct work *work)
{
    for (int other = 0; other < work->number; other++)
        if (other != card)
            TRY(cudaStreamWaitEvent(cuda->stream, gpus.joined[other], 0), "cudaStreamWaitEvent");
    return NULL;
}

/* No card begins what follows the first mark before all have done what stands before it. */
static const char *mark(int index)
{
    if (index == 0) {
        TRY_CALL(on_each(record_joined, NULL));
        TRY_CALL(on_each(wait_for_joined, &(struct work){.number = gpus.cards.count}));
    }
    return on_each(mark_one, &(struct work){.number = index});
}

static const char *elapsed_one(int card, struct work *work)
{
    (void)card;
    double seconds;
    TRY_CALL(cuda_elapsed((int)work->number / BACKEND_MARKS, (int)work->number % BACKEND_MARKS, &seconds));
    work->seconds = fmax(work->seconds, seconds);
    return NULL;
}

static const char *elapsed(int from, int to, double *seconds)
{
    struct work work = {.number = from * BACKEND_MARKS + to};
    TRY_CALL(on_each(elapsed_one, &work));
    *seconds = work.seconds;
    return NULL;
}

static const char *spin(int64_t nanoseconds)
{
    return on_each(spin_one, &(struct work){.number = nanoseconds});
}

/* A rung gets it for each call. */
static void *stream(void)
{
    gpus.turn++;
    return &gpus.cards;
}

/* One graph has the work of all cards: their streams fork from the first one's and join it. */
static const char *fork_from_first(int card, struct work *work)
{
    if (card == 0)
        TRY_CALL(record_joined(card, work));
    return wait_for_joined(card, &(struct work){.number = 1});
}

static const char *begin_one(int card, struct work *work)
{
    if (card == 0)
        TRY(cudaStreamBeginCapture(cuda->stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    return fork_from_first(card, work);
}

static const char *graph_begin(void)
{
    drop_graph();
    return on_each(begin_one, NULL);
}

static const char *end_one(int card, struct work *work)
{
    (void)work;
    if (card > 0)
        return NULL;
    const char *error = wait_for_joined(card, &(struct work){.number = gpus.cards.count});
    const cudaError_t ended = cudaStreamEndCapture(cuda->stream, &gpus.graph); /* also after an error */
    TRY_CALL(error);
    TRY(ended, "recording of a graph");
    TRY(cudaGraphInstantiateWithFlags(&gpus.recorded, gpus.graph, 0), "cudaGraphInstantiate");
    return cuda_check(cudaGraphUpload(gpus.recorded, cuda->stream), "cudaGraphUpload");
}

static const char *graph_end(void)
{
    const char *error = on_each(record_joined, NULL), *ended = on_each(end_one, NULL);
    return error ? error : ended;
}

static const char *queue_one(int card, struct work *work)
{
    if (card == 0)
        TRY(cudaGraphLaunch(gpus.recorded, cuda->stream), "cudaGraphLaunch");
    return fork_from_first(card, work);
}

static const char *graph_queue(void)
{
    return on_each(queue_one, NULL);
}

static void graph_describe(struct kernel_launches *launches)
{
    *launches = (struct kernel_launches){.occupancy_pct = NAN, .local_bytes = NAN, .shared_bytes = NAN};
}

static const struct graphs graphs = {
    .begin = graph_begin, .end = graph_end, .queue = graph_queue, .describe = graph_describe};

const struct backend gpus_backend = {
    .open = open_gpus,
    .close = close_gpus,
    .describe = describe,
    .free_memory = free_memory,
    .held_memory = held_memory,
    .leak_calls = CUDA_LEAK_CALLS,
    .allocate = allocate,
    .release = release,
    .split = split_rows,
    .pin = cuda_pin,
    .unpin = cuda_unpin,
    .lacks = cuda_lacks,
    .stream = stream,
    .upload = upload,
    .download = download,
    .fill = fill,
    .finish = finish,
    .changed = changed,
    .profile = cuda_profile,
    .evict = evict,
    .hold = hold,
    .let_go = let_go,
    .peek = peek,
    .mark = mark,
    .elapsed = elapsed,
    .graphs = &graphs,
    .spin = spin,
};

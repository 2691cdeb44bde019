/* The backend of all GPUs of this machine, which work on one problem (cards.h). What a GPU does is the CUDA backend's,
 * one after the other; a time is that of the last one that is done. They are opened when the first problem needs them:
 * a run on one GPU takes nothing of the others. */
#include "gpus_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct gpus gpus;

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

const char *gpus_open_all(void)
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

const char *gpus_on_each(const char *(*call)(int card, struct work *work), struct work *work)
{
    TRY_CALL(gpus_open_all());
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

static void close_gpus(void)
{
    if (gpus.is_open) {
        cuda_drop_graph();
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
    return gpus_on_each(evict_one, &(struct work){.flag = by_writing});
}

static const char *hold(void)
{
    return gpus_on_each(hold_one, NULL);
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
    TRY_CALL(gpus_on_each(let_go_one, &work));
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
        TRY_CALL(gpus_on_each(record_joined, NULL));
        TRY_CALL(gpus_on_each(wait_for_joined, &(struct work){.number = gpus.cards.count}));
    }
    return gpus_on_each(mark_one, &(struct work){.number = index});
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
    TRY_CALL(gpus_on_each(elapsed_one, &work));
    *seconds = work.seconds;
    return NULL;
}

static const char *spin(int64_t nanoseconds)
{
    return gpus_on_each(spin_one, &(struct work){.number = nanoseconds});
}

/* A rung gets it for each call. */
static void *stream(void)
{
    gpus.turn++;
    return &gpus.cards;
}

/* One graph, of the CUDA backend, has the work of all cards: their streams fork from the first one's and join it. */
static const char *fork_from_first(int card, struct work *work)
{
    if (card == 0)
        TRY_CALL(record_joined(card, work));
    return wait_for_joined(card, &(struct work){.number = 1});
}

static const char *begin_one(int card, struct work *work)
{
    if (card == 0)
        TRY_CALL(cuda_graphs.begin());
    return fork_from_first(card, work);
}

static const char *graph_begin(void)
{
    return gpus_on_each(begin_one, NULL);
}

static const char *end_one(int card, struct work *work)
{
    (void)work;
    if (card > 0)
        return NULL;
    const char *error = wait_for_joined(card, &(struct work){.number = gpus.cards.count});
    const char *ended = cuda_graphs.end(); /* also after an error */
    return error ? error : ended;
}

static const char *graph_end(void)
{
    const char *error = gpus_on_each(record_joined, NULL), *ended = gpus_on_each(end_one, NULL);
    return error ? error : ended;
}

static const char *queue_one(int card, struct work *work)
{
    if (card == 0)
        TRY_CALL(cuda_graphs.queue());
    return fork_from_first(card, work);
}

static const char *graph_queue(void)
{
    return gpus_on_each(queue_one, NULL);
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
    .free_memory = gpus_free_memory,
    .held_memory = gpus_held_memory,
    .leak_calls = CUDA_LEAK_CALLS,
    .allocate = gpus_allocate,
    .release = gpus_release,
    .split = gpus_split,
    .pin = cuda_pin,
    .unpin = cuda_unpin,
    .lacks = cuda_lacks,
    .stream = stream,
    .upload = gpus_upload,
    .download = gpus_download,
    .fill = gpus_fill,
    .finish = finish,
    .changed = changed,
    .profile = cuda_profile,
    .evict = evict,
    .hold = hold,
    .let_go = let_go,
    .peek = gpus_peek,
    .mark = mark,
    .elapsed = elapsed,
    .graphs = &graphs,
    .spin = spin,
};

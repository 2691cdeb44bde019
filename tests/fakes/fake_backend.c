#include "fake_backend.h"

#include "bench/data/made.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fake fake;

enum work_kind { WORK_KERNEL, WORK_MARK, WORK_FILL, WORK_COPY, WORK_EVICT, WORK_BUSY };

struct work {
    enum work_kind kind;
    double queued_s; /* when the host had queued it */
    double cost_s;
    fake_kernel *kernel;
    struct matmul_problem problem;
    int mark;
    void *to;
    const void *from;
    struct made made;
    size_t bytes;
};

enum { QUEUE_MAX = 2048 };
static struct work queue[QUEUE_MAX];
static size_t queued;
static struct work graph[QUEUE_MAX];
static size_t recorded;
static bool recording;
static double marks[BACKEND_MARKS];
static bool held, has_lapsed;
static double released_s;
static uint64_t noise_state;

void fake_reset(void)
{
    assert(fake.blocks == 0);
    fake = (struct fake){
        .call_s = 1e-6,
        .tick_s = 32e-9,
        .evict_s = 60e-6,
        .bytes_per_s = 50e9,
        .free_bytes = (size_t)8 << 30,
        .spin_factor = 1,
        .ceiling_bytes_s = 1e15,
        .ceiling_flops_s = 1e18,
        .state = {.sm_clock_mhz = 1980,
                  .memory_clock_mhz = 3201,
                  .temperature_c = 40,
                  .power_w = 300,
                  .throttled = "no",
                  .other_processes = 0,
                  .lost_s = 0},
    };
    recording = false;
    queued = 0;
    held = has_lapsed = false;
    released_s = 0;
    noise_state = 1;
}

double fake_now(void)
{
    return fake.host_s;
}

static double noisy(double seconds)
{
    noise_state = noise_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return seconds * (1 + fake.noise * (double)(noise_state >> 40) / 0x1p24);
}

/* Remembers the order of the latest things. */
static void log_letter(char letter)
{
    size_t length = strlen(fake.profile);
    if (length + 1 == sizeof fake.profile)
        memmove(fake.profile, fake.profile + 1, length--);
    fake.profile[length] = letter;
    fake.profile[length + 1] = '\0';
}

static void put(struct work work)
{
    fake.host_s += fake.call_s;
    if (recording) {
        assert(recorded < QUEUE_MAX);
        graph[recorded++] = work;
        return;
    }
    assert(queued < QUEUE_MAX);
    work.queued_s = fake.host_s;
    queue[queued++] = work;
    if ((int64_t)queued > fake.queued_at_most)
        fake.queued_at_most = (int64_t)queued;
}

static void carry_out(const struct work *work)
{
    fake.device_s = fmax(fmax(fake.device_s, work->queued_s), released_s) + work->cost_s;
    switch (work->kind) {
    case WORK_KERNEL: work->kernel(&work->problem); break;
    case WORK_MARK: marks[work->mark] = fake.device_s; break;
    case WORK_FILL: made_fill(work->to, work->bytes, &work->made, 0); break;
    case WORK_COPY: memcpy(work->to, work->from, work->bytes); break;
    case WORK_EVICT:
    case WORK_BUSY: break;
    }
}

static const char *finish(void)
{
    fake.host_s += fake.call_s;
    if (held) { /* the host waits for what waits for the host: the hold lapses */
        has_lapsed = true;
        held = false;
        fake.host_s += 1;
        released_s = fake.host_s;
    }
    for (size_t i = 0; i < queued; i++)
        carry_out(&queue[i]);
    queued = 0;
    fake.host_s = fmax(fake.host_s, fake.device_s);
    return NULL;
}

static const char *open_fake(const struct backend_settings *settings)
{
    if (fake.open_error)
        return fake.open_error;
    fake.open_count++;
    return NULL;
}

static void close_fake(void)
{
    fake.open_count--;
}

static int device_count(void)
{
    return fake.open_error ? 0 : 1;
}

static void describe(struct device_info *info)
{
    *info = (struct device_info){0};
    strcpy(info->name, "Fake device, scripted");
    strcpy(info->eviction[false], "read");
    strcpy(info->eviction[true], "write");
    info->tick_s = fake.tick_s;
    info->multiprocessors = fake.multiprocessors;
}

static size_t free_memory(void)
{
    return fake.free_bytes;
}

static size_t held_memory(void)
{
    if (fake.growing_looks > 0) {
        fake.growing_looks--;
        fake.held_bytes += fake.growth[fake.growing_looks % 2];
    }
    return fake.held_bytes;
}

static const char *allocate(size_t bytes, enum edge edge, void **memory)
{
    if (fake.allocate_error)
        return fake.allocate_error;
    *memory = aligned_alloc(256, (bytes + 255) / 256 * 256);
    assert(*memory);
    fake.blocks++;
    return NULL;
}

static void release(void *memory)
{
    free(memory);
    fake.blocks--;
}

static void freeze(void *memory, bool read_only)
{
    fake.frozen += read_only ? 1 : -1;
}

static const char *pin(void *host, size_t bytes)
{
    if (fake.pin_error && fake.pins_until_error-- == 0)
        return fake.pin_error;
    fake.pinned++;
    return NULL;
}

static void unpin(void *host)
{
    fake.pinned--;
}

static void *stream(void)
{
    return queue;
}

static const char *copy(void *to, const void *from, size_t bytes)
{
    put((struct work){
        .kind = WORK_COPY, .cost_s = (double)bytes / fake.bytes_per_s, .to = to, .from = from, .bytes = bytes});
    return NULL;
}

static const char *fill(void *memory, size_t bytes, const struct made *made)
{
    put((struct work){.kind = WORK_FILL, .to = memory, .made = *made, .bytes = bytes});
    return NULL;
}

static const char *evict(const struct span *spans, size_t count, bool by_writing)
{
    fake.evictions++;
    log_letter('E');
    fake.write_evictions += by_writing;
    put((struct work){.kind = WORK_EVICT, .cost_s = fake.evict_s});
    return NULL;
}

static void begin_row(void)
{
    fake.launched_then = fake.launches;
}

static void begin_calls(void)
{
    if (fake.calls_begun == 0)
        fake.launched_between = fake.launches - fake.launched_then;
    fake.calls_begun++;
    fake.evicted_then = fake.evictions;
}

static const char *hold(void)
{
    fake.host_s += fake.call_s;
    held = true;
    return NULL;
}

static const char *let_go(bool *lapsed)
{
    fake.host_s += fake.call_s;
    *lapsed = has_lapsed;
    has_lapsed = false;
    if (held)
        released_s = fake.host_s;
    held = false;
    return NULL;
}

static const char *peek(void *host, const void *memory, size_t bytes)
{
    memcpy(host, memory, bytes);
    return NULL;
}

static const char *mark(int index)
{
    assert(index >= 0 && index < BACKEND_MARKS);
    put((struct work){.kind = WORK_MARK, .mark = index});
    return NULL;
}

static const char *elapsed(int from, int to, double *seconds)
{
    *seconds = fake.tick_s * round((marks[to] - marks[from]) / fake.tick_s);
    return NULL;
}

static void read_state(struct device_state *state, bool brief)
{
    *state = fake.state;
    fake.energy_looks += !brief;
    state->energy_j = brief ? (double)NAN : fake.state.power_w * fake.host_s;
    state->cycles = fake.state.sm_clock_mhz * 1e6 * fake.host_s;
    state->cycles_at_s = fake.host_s;
}

static const char *graph_begin(void)
{
    assert(!recording);
    recorded = 0;
    recording = true;
    return NULL;
}

static const char *graph_end(void)
{
    assert(recording);
    recording = false;
    if (fake.graph_error)
        return fake.graph_error;
    fake.recordings++;
    return NULL;
}

static const char *graph_queue(void)
{
    assert(fake.recordings > 0);
    double call_s = fake.call_s; /* one call launches all */
    fake.host_s += call_s;
    fake.call_s = 0;
    for (size_t i = 0; i < recorded; i++)
        put(graph[i]);
    fake.call_s = call_s;
    return NULL;
}

static void graph_launches(struct kernel_launches *launches)
{
    assert(fake.recordings > 0);
    *launches = fake.graph_launches;
}

static void put_busy(double seconds)
{
    put((struct work){.kind = WORK_BUSY, .cost_s = noisy(fake.launch_s + seconds)});
}

static const char *spin(int64_t nanoseconds)
{
    if (nanoseconds != BACKEND_NO_SPIN)
        log_letter('S');
    put_busy(nanoseconds < 0 ? 0 : 0.1e-6 + (double)nanoseconds * 1e-9 * fake.spin_factor); /* it looks at a clock */
    return NULL;
}

static double ceiling_rate(enum ceiling_kind kind)
{
    switch (kind) {
    case CEILING_FMA: return fake.ceiling_flops_s;
    case CEILING_TF32: return fake.ceiling_tf32_s;
    case CEILING_FP16: return fake.ceiling_fp16_s;
    default: return fake.ceiling_bytes_s;
    }
}

/* The first way of two is the slower one. */
static int ceiling_variants(enum ceiling_kind kind)
{
    return ceiling_rate(kind) > 0 ? 2 : 0;
}

static const char *ceiling(enum ceiling_kind kind, int variant, void *memory, double amount)
{
    assert(memory || (kind != CEILING_READ && kind != CEILING_COPY));
    double rate = ceiling_rate(kind);
    if (kind == CEILING_COPY)
        rate *= 0.5;
    if (memory && amount <= fake.cache_bytes)
        rate *= fake.cache_speedup;
    put_busy(amount / rate * (variant == 0 ? 3 : 1));
    return NULL;
}

static const char *profile(bool starts)
{
    log_letter(starts ? '(' : ')');
    return NULL;
}

void fake_launch(void *to, fake_kernel *kernel, const struct matmul_problem *problem, double seconds)
{
    assert(to == queue);
    fake.launches++;
    log_letter('L');
    put((struct work){.kind = WORK_KERNEL, .cost_s = noisy(seconds), .kernel = kernel, .problem = *problem});
}

bool fake_is_recording(void)
{
    return recording;
}

void fake_launch_elsewhere(fake_kernel *kernel, const struct matmul_problem *problem)
{
    /* What it needs may still be queued for copying: that much every stream waits for. */
    for (size_t i = 0; i < queued; i++)
        if (queue[i].kind != WORK_KERNEL && !held)
            carry_out(&queue[i]);
    if (!held)
        queued = 0;
    kernel(problem);
}

static const char *changed(void)
{
    return fake.changed;
}

static const struct graphs graphs = {
    .begin = graph_begin,
    .end = graph_end,
    .queue = graph_queue,
    .describe = graph_launches,
};

const struct backend fake_backend = {
    .open = open_fake,
    .close = close_fake,
    .device_count = device_count,
    .describe = describe,
    .free_memory = free_memory,
    .held_memory = held_memory,
    .leak_calls = 8,
    .allocate = allocate,
    .release = release,
    .freeze = freeze,
    .pin = pin,
    .unpin = unpin,
    .stream = stream,
    .upload = copy,
    .download = copy,
    .fill = fill,
    .finish = finish,
    .evict = evict,
    .changed = changed,
    .begin_row = begin_row,
    .begin_calls = begin_calls,
    .hold = hold,
    .let_go = let_go,
    .peek = peek,
    .mark = mark,
    .elapsed = elapsed,
    .read_state = read_state,
    .graphs = &graphs,
    .spin = spin,
    .ceiling_variants = ceiling_variants,
    .ceiling = ceiling,
    .profile = profile,
};

#include "sim_race.h"

#include "bench/base/memory.h"
#include "bench/base/plain_text.h"
#include "sim_order.h"
#include "sim_symbol.h"
#include "sim_thread.h"

#include <stdio.h>
#include <string.h>

enum { WORD = 4, PLACES = 1 << 16 };

struct access {
    unsigned thread, exchanges, events;
    unsigned bytes; /* of the word, a bit for each */
    bool is_there;
    struct sim_touch how;
};

/* A word of shared memory, and the last accesses to it since a barrier. */
struct place {
    uintptr_t word;
    uint64_t serial; /* of the block; of another one: free */
    unsigned barriers;
    bool is_written; /* in this block */
    struct access write, read, read_by_another;
};

SIM_OWN bool sim_race_traces;
unsigned sim_notes;

bool sim_race_always;

static SIM_OWN struct {
    bool is_asked_for; /* for the writer of what was watched */
    size_t place_count;
    struct place *places;          /* a hash table */
    struct access first, second;   /* the two that are not ordered */
    struct access reads_unwritten; /* the first such read */
    struct {
        uintptr_t word; /* 0: none */
        uint32_t value;
    } rewritten; /* by the second of the two: to no harm if the value stays */
} trace;

static struct {
    const void *memory; /* NULL: none */
    size_t bytes;
    unsigned char last[16];
    char writer[288];
    struct access write; /* by the block that runs, the last one */
    const char *kernel;
    struct uint3 block;
} watched;

void sim_watch(const void *memory, size_t bytes)
{
    watched.memory = memory;
    watched.bytes = bytes < sizeof watched.last ? bytes : sizeof watched.last;
    watched.writer[0] = '\0';
    sim_notes = memory ? sim_notes | SIM_NOTES_WRITER : sim_notes & ~(unsigned)SIM_NOTES_WRITER;
    sim_watch_launch();
}

void sim_race_wrote(const struct sim_touch *touch)
{
    const char *start = touch->address, *memory = watched.memory;
    if (memory && start < memory + watched.bytes && start + touch->bytes > memory)
        watched.write = (struct access){.thread = sim_block.current, .is_there = true, .how = *touch};
}

void sim_watch_launch(void)
{
    if (watched.memory)
        memcpy(watched.last, watched.memory, watched.bytes);
}

const char *sim_writer(void)
{
    watched.memory = NULL;
    trace.is_asked_for = watched.writer[0] != '\0';
    trace.first.is_there = trace.second.is_there = trace.reads_unwritten.is_there = false;
    return watched.writer[0] ? watched.writer : NULL;
}

bool sim_watches(void)
{
    return watched.memory || trace.is_asked_for;
}

/* Its place in the table, or a free one. */
static struct place *place_of(uintptr_t word)
{
    size_t i = (word * 0x9E3779B1u >> 4) & (PLACES - 1);
    while (trace.places[i].serial == sim_block.serial && trace.places[i].word != word)
        i = (i + 1) & (PLACES - 1);
    return &trace.places[i];
}

static bool is_poison(uintptr_t word)
{
    uint32_t there, poison;
    memcpy(&there, (const void *)(word * WORD), sizeof there);
    sim_order_poison(&poison, sizeof poison);
    return there == poison;
}

/* Lanes of a warp are ordered by what they exchange. Who has waited since for what others arrive at is taken to have
 * waited for this thread. */
static bool is_unordered(const struct access *earlier, const struct access *now)
{
    bool same_warp = earlier->thread / SIM_WARP == now->thread / SIM_WARP;
    return earlier->is_there && (earlier->bytes & now->bytes) != 0 && earlier->thread != now->thread &&
           !(earlier->how.is_atomic && now->how.is_atomic) && !(same_warp && earlier->exchanges != now->exchanges) &&
           sim_current()->heard <= earlier->events;
}

static const struct access *conflict(const struct place *place, const struct access *now)
{
    const struct access *const earlier[] = {&place->write, &place->read, &place->read_by_another};
    for (size_t i = 0; i < (now->how.writes ? 3 : 1); i++)
        if (is_unordered(earlier[i], now))
            return earlier[i];
    return NULL;
}

/* After the write. */
static void look_at_rewritten(void)
{
    const bool is_same =
        trace.rewritten.word != 0 && memcmp((const void *)trace.rewritten.word, &trace.rewritten.value, WORD) == 0;
    sim_race_traces = sim_race_traces && (trace.rewritten.word == 0 || is_same);
    trace.first.is_there = trace.first.is_there && !is_same;
    trace.rewritten.word = 0;
}

/* What an exchange takes may be anything. */
static bool adds(const struct access *access)
{
    const char *operation = sim_current()->operation;
    return access->how.is_atomic && operation && strncmp(operation, "atomic", 6) == 0 &&
           strncmp(operation, "atomicExch", 10) != 0 && strncmp(operation, "atomicCAS", 9) != 0;
}

/* Whether it is read, and nobody has written there. */
static bool note_word(uintptr_t word, const struct access *now)
{
    struct place *place = place_of(word);
    const bool is_new = place->serial != sim_block.serial;
    trace.place_count += is_new;
    place->word = word;
    place->serial = sim_block.serial;
    if (is_new || place->barriers != sim_block.barriers)
        place->write.is_there = place->read.is_there = place->read_by_another.is_there = false;
    place->barriers = sim_block.barriers;
    const bool was_written = place->is_written && !is_new;
    place->is_written = was_written || now->how.writes;
    const struct access *earlier = conflict(place, now);
    if (earlier && trace.rewritten.word == 0) {
        trace.first = *earlier;
        trace.second = *now;
        trace.rewritten.word = now->how.writes && !now->how.is_atomic ? word * WORD : 0;
        memcpy(&trace.rewritten.value, (const void *)(word * WORD), WORD);
        sim_race_traces = trace.rewritten.word != 0;
    }
    if (now->how.writes)
        place->write = *now;
    else if (!place->read.is_there || place->read.thread == now->thread)
        place->read = *now;
    else
        place->read_by_another = *now;
    return !was_written && (!now->how.writes || adds(now)) && is_poison(word);
}

static unsigned bytes_of(uintptr_t word, const struct sim_touch *touch)
{
    const uintptr_t start = (uintptr_t)touch->address, first = word * WORD;
    unsigned bytes = 0;
    for (unsigned i = 0; i < WORD; i++)
        bytes |= first + i >= start && first + i < start + touch->bytes ? 1u << i : 0;
    return bytes;
}

void sim_race_note(const struct sim_touch *touch)
{
    struct access now = {.thread = sim_block.current,
                         .exchanges = sim_current()->exchanges,
                         .events = sim_block.events,
                         .is_there = true,
                         .how = *touch};
    const uintptr_t first = (uintptr_t)touch->address / WORD,
                    last = ((uintptr_t)touch->address + touch->bytes - 1) / WORD;
    bool is_unwritten = true; /* all of it: a struct may have padding */
    look_at_rewritten();
    for (uintptr_t word = first; word <= last && sim_race_traces; word++) {
        now.bytes = bytes_of(word, touch);
        is_unwritten = note_word(word, &now) && is_unwritten;
    }
    if (is_unwritten && !trace.reads_unwritten.is_there) {
        now.how.writes = false; /* an atomic does both */
        trace.reads_unwritten = now;
    }
    sim_race_traces = sim_race_traces && trace.place_count < PLACES / 2;
}

static void begin(void)
{
    trace.is_asked_for = false;
    trace.places = trace.places ? trace.places : memory_get(PLACES, sizeof *trace.places);
    trace.rewritten.word = 0;
    trace.place_count = 0;
    trace.first.is_there = trace.second.is_there = trace.reads_unwritten.is_there = false;
    sim_race_traces = true;
}

void sim_race_begin(void)
{
    watched.write.is_there = false;
    if (sim_race_always || (trace.is_asked_for && strcmp(sim_block.launch->kernel, watched.kernel) == 0 &&
                            memcmp(&blockIdx, &watched.block, sizeof blockIdx) == 0))
        begin();
}

void sim_race_resume(bool traces)
{
    trace.rewritten.word = 0;
    trace.first.is_there = trace.first.is_there && !sim_race_always;
    trace.reads_unwritten.is_there = trace.reads_unwritten.is_there && !sim_race_always;
    sim_race_traces = traces;
}

struct sim_place sim_touch_place(const struct sim_touch *touch)
{
    return touch->instruction ? sim_symbol_place(touch->instruction) : touch->place;
}

static void print_writer(char *text, size_t size)
{
    char place[96];
    sim_print_block(text, size);
    if (!watched.write.is_there)
        return;
    const struct uint3 thread = sim_block.threads[watched.write.thread].index;
    sim_print_place(sim_touch_place(&watched.write.how), place, sizeof place);
    text_append(text, size, ", thread (%u,%u,%u) at %s", thread.x, thread.y, thread.z, place);
}

void sim_race_end(void)
{
    look_at_rewritten();
    sim_race_traces = false;
    if (!watched.memory || memcmp(watched.last, watched.memory, watched.bytes) == 0)
        return;
    sim_watch_launch();
    print_writer(watched.writer, sizeof watched.writer);
    watched.kernel = sim_block.launch->kernel;
    watched.block = blockIdx;
}

/* "thread (1,0,0) reads at tiled.cu:46" */
static void print_access(const struct access *access, char *text, size_t size)
{
    const struct sim_touch *how = &access->how;
    struct uint3 thread = sim_block.threads[access->thread].index;
    char place[96];
    sim_print_place(sim_touch_place(how), place, sizeof place);
    snprintf(text, size, "thread (%u,%u,%u) %s at %s", thread.x, thread.y, thread.z, how->writes ? "writes" : "reads",
             place);
}

const char *sim_race_found(void)
{
    static SIM_OWN char text[320];
    char first[128], second[128];
    if (trace.first.is_there) {
        print_access(&trace.first, first, sizeof first);
        print_access(&trace.second, second, sizeof second);
        snprintf(text, sizeof text, "%s what %s, with no barrier between", first, second);
    } else if (trace.reads_unwritten.is_there) {
        print_access(&trace.reads_unwritten, first, sizeof first);
        snprintf(text, sizeof text, "%s what no thread has written", first);
    } else {
        return NULL;
    }
    return text;
}

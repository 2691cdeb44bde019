#include "sim_warps.h"

#include "bench/base/memory.h"
#include "sim_fiber.h"
#include "sim_symbol.h"
#include "sim_thread.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECTOR = 32, WORD = 4, BANKS = 32, BYTES_MAX = 16 /* of an instruction */ };
enum { RECORDS_MAX = 1 << 22 }; /* of a block; what comes after them is taken to be like them */

struct record {
    const void *instruction;
    uint64_t block;
    uintptr_t address;
    size_t order; /* among all; then the pass of the instruction by its thread */
    unsigned thread;
    unsigned char bytes;
    bool is_shared, writes;
};

struct line {
    const void *instruction;
    struct warp_line counts;
};

static struct {
    struct record *records; /* of blocks that have not ended */
    size_t record_count;
    struct line *lines; /* an instruction each */
    size_t line_count;
    size_t most_bytes; /* on the stack of a thread, at an access */
    const void *most_at;
    double loaded_bytes;
} here;

void sim_warps_begin(void)
{
    here.line_count = here.record_count = here.most_bytes = 0;
    here.loaded_bytes = 0;
    sim_notes |= SIM_NOTES_WARPS;
}

void sim_warps_note(const struct sim_touch *touch, bool is_shared)
{
    const size_t used = sim_fiber_used();
    if (used > here.most_bytes) {
        here.most_bytes = used;
        here.most_at = touch->instruction;
    }
    if (!is_shared && !touch->writes)
        here.loaded_bytes += (double)touch->bytes;
    if (touch->bytes > BYTES_MAX || here.record_count == RECORDS_MAX)
        return;
    const size_t i = here.record_count++;
    here.records = memory_grow(here.records, i, sizeof *here.records);
    here.records[i] = (struct record){.instruction = touch->instruction,
                                      .block = sim_block.serial,
                                      .address = (uintptr_t)touch->address,
                                      .order = i,
                                      .thread = sim_block.current,
                                      .bytes = (unsigned char)touch->bytes,
                                      .is_shared = is_shared,
                                      .writes = touch->writes};
}

void sim_warps_miss(void)
{
    here.loaded_bytes = NAN;
}

#define COMPARE(a, b) \
    if ((a) != (b))   \
    return (a) < (b) ? -1 : 1

/* The number of what is known of the instruction. */
static size_t line_of(const struct record *record)
{
    size_t i = 0;
    while (i < here.line_count &&
           !(here.lines[i].instruction == record->instruction && here.lines[i].counts.is_shared == record->is_shared))
        i++;
    if (i == here.line_count) {
        here.lines = memory_grow(here.lines, here.line_count++, sizeof *here.lines);
        here.lines[i] = (struct line){record->instruction, {.is_shared = record->is_shared, .writes = record->writes}};
        sim_print_place(sim_symbol_place(record->instruction), here.lines[i].counts.place,
                        sizeof here.lines[i].counts.place);
    }
    return i;
}

static int by_time(const void *first, const void *second)
{
    const struct record *a = first, *b = second;
    COMPARE(a->block, b->block);
    COMPARE(a->thread, b->thread);
    COMPARE(a->order, b->order);
    return 0;
}

static bool is_same_place(size_t a, size_t b)
{
    return strcmp(here.lines[a].counts.place, here.lines[b].counts.place) == 0;
}

/* Behind each other in the thread, the code and the memory, and of one line. */
static bool continues(const struct record *a, const struct record *b)
{
    return a->block == b->block && a->thread == b->thread && a->instruction < b->instruction &&
           a->is_shared == b->is_shared && a->writes == b->writes && b->address == a->address + a->bytes &&
           is_same_place(line_of(a), line_of(b));
}

/* A float4 is one access of a GPU, and the host's compiler takes it apart; so it does a float2, but that may be two
 * accesses indeed. Returns how many are left. */
static size_t join(struct record *records, size_t count)
{
    size_t kept = 0;
    qsort(records, count, sizeof *records, by_time);
    for (size_t i = 0, next; i < count; i = next) {
        size_t bytes = records[i].bytes;
        for (next = i + 1; next < count && bytes < BYTES_MAX && continues(&records[next - 1], &records[next]); next++)
            bytes += records[next].bytes;
        if (bytes == BYTES_MAX && records[i].address % bytes == 0) {
            records[kept] = records[i];
            records[kept++].bytes = (unsigned char)bytes;
        } else {
            memmove(records + kept, records + i, (next - i) * sizeof *records);
            kept += next - i;
        }
    }
    return kept;
}

static int by_thread(const void *first, const void *second)
{
    const struct record *a = first, *b = second;
    COMPARE(a->instruction, b->instruction);
    return by_time(a, b);
}

static bool is_same_warp(const struct record *a, const struct record *b)
{
    return a->instruction == b->instruction && a->block == b->block && a->thread / SIM_WARP == b->thread / SIM_WARP &&
           a->order == b->order && a->is_shared == b->is_shared;
}

static int by_warp(const void *first, const void *second)
{
    const struct record *a = first, *b = second;
    COMPARE(a->instruction, b->instruction);
    COMPARE(a->block, b->block);
    COMPARE(a->thread / SIM_WARP, b->thread / SIM_WARP);
    COMPARE(a->order, b->order);
    COMPARE(a->is_shared, b->is_shared);
    COMPARE(a->address, b->address);
    return 0;
}

/* By address, of one instruction of a warp. */
static void count_sectors(const struct record *lanes, size_t count, struct warp_line *line)
{
    uintptr_t sectors_end = 0, end = 0;
    size_t bytes = 0;
    for (const struct record *lane = lanes; lane < lanes + count; lane++) {
        const uintptr_t next = lane->address + lane->bytes, first = lane->address / SECTOR;
        const uintptr_t from = first > sectors_end ? first : sectors_end;
        sectors_end = (next + SECTOR - 1) / SECTOR > sectors_end ? (next + SECTOR - 1) / SECTOR : sectors_end;
        line->taken += (double)(sectors_end - from);
        bytes += next > end ? next - (lane->address > end ? lane->address : end) : 0;
        end = next > end ? next : end;
    }
    line->needed += (double)((bytes + SECTOR - 1) / SECTOR);
}

/* Of more than a word each, fewer lanes have a turn: a half of the warp, or a quarter. */
static void count_turns(const struct record *lanes, size_t count, struct warp_line *line)
{
    const unsigned parts = lanes->bytes > WORD ? lanes->bytes / WORD : 1;
    for (unsigned part = 0; part < parts; part++) {
        unsigned words = 0, most = 0, of_bank[BANKS] = {0};
        uintptr_t words_end = 0;
        for (const struct record *lane = lanes; lane < lanes + count; lane++) {
            uintptr_t word = lane->address / WORD;
            if (lane->thread % SIM_WARP * parts / SIM_WARP != part)
                continue;
            for (word = word > words_end ? word : words_end; word * WORD < lane->address + lane->bytes; word++) {
                words++;
                of_bank[word % BANKS]++;
                most = of_bank[word % BANKS] > most ? of_bank[word % BANKS] : most;
                words_end = word + 1;
            }
        }
        line->taken += most;
        line->needed += (words + BANKS - 1) / BANKS;
    }
}

void sim_warps_block(void)
{
    struct record *records = here.records;
    const size_t count = join(records, here.record_count);
    qsort(records, count, sizeof *records, by_thread);
    for (size_t i = 0, pass = 0; i < count; i++) {
        const struct record *before = &records[i - (i > 0)];
        pass = i > 0 && before->instruction == records[i].instruction && before->block == records[i].block &&
                       before->thread == records[i].thread
                   ? pass + 1
                   : 0;
        records[i].order = pass;
    }
    qsort(records, count, sizeof *records, by_warp);
    for (size_t i = 0, next; i < count; i = next) {
        const size_t number = line_of(&records[i]); /* which may move the lines */
        struct warp_line *line = &here.lines[number].counts;
        for (next = i + 1; next < count && is_same_warp(&records[i], &records[next]);)
            next++;
        line->times++;
        (records[i].is_shared ? count_turns : count_sectors)(records + i, next - i, line);
    }
    here.record_count = 0;
}

static int by_waste(const void *first, const void *second)
{
    const struct warp_line *a = first, *b = second;
    COMPARE(b->taken - b->needed, a->taken - a->needed);
    return strcmp(a->place, b->place);
}

void sim_warps_end(struct warp_accesses *counted)
{
    struct warp_line *lines = memory_get(here.line_count + 1, sizeof *lines);
    size_t count = 0;
    for (size_t i = 0; i < here.line_count; i++) { /* instructions of a line together */
        const struct warp_line line = here.lines[i].counts;
        size_t same = 0;
        while (same < count && !(strcmp(lines[same].place, line.place) == 0 &&
                                 lines[same].is_shared == line.is_shared && lines[same].writes == line.writes))
            same++;
        if (same == count)
            lines[count++] = line;
        else {
            lines[same].times += line.times;
            lines[same].taken += line.taken;
            lines[same].needed += line.needed;
        }
    }
    qsort(lines, count, sizeof *lines, by_waste);
    *counted = (struct warp_accesses){.count = count < WARP_LINES ? (int)count : WARP_LINES,
                                      .loaded_bytes = here.loaded_bytes,
                                      .thread_bytes = (double)here.most_bytes};
    memcpy(counted->lines, lines, (size_t)counted->count * sizeof *lines);
    if (here.most_at)
        sim_print_place(sim_symbol_place(here.most_at), counted->thread_place, sizeof counted->thread_place);
    free(lines);
    sim_notes &= ~(unsigned)SIM_NOTES_WARPS;
}

#define _GNU_SOURCE /* the registers in ucontext_t */
#include "sim_race.h"

#include "sim_order.h"
#include "sim_sanitizer.h"
#include "sim_symbol.h"
#include "sim_thread.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { REGIONS_MAX = 16, PLACES = 1 << 16, ACCESSES_MAX = 300000 };

struct access {
    const void *instruction; /* NULL: none */
    unsigned thread, exchanges;
    bool writes, is_atomic;
};

/* An address, and the last accesses to it since a barrier. */
struct place {
    const char *address; /* NULL: free */
    unsigned barriers;
    struct access write, read, read_by_another;
};

static struct {
    bool is_asked_for;               /* for the writer of what was watched */
    bool has_begun, runs, is_paused; /* it may stop running before the block ends */
    struct {
        char *start;
        size_t bytes;
    } regions[REGIONS_MAX];
    size_t region_count, accesses, place_count;
    struct place places[PLACES];   /* a hash table */
    struct access first, second;   /* the two that are not ordered */
    struct access reads_unwritten; /* the first such read */
    struct sigaction before;
} trace;

static struct {
    const void *memory; /* NULL: none */
    size_t bytes;
    unsigned char last[16];
    char writer[192];
    const void *function; /* of the writer */
    struct uint3 block;
} watched;

void sim_watch(const void *memory, size_t bytes)
{
    watched.memory = memory;
    watched.bytes = bytes < sizeof watched.last ? bytes : sizeof watched.last;
    watched.writer[0] = '\0';
    sim_watch_launch();
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
    trace.first = trace.second = trace.reads_unwritten = (struct access){.instruction = NULL};
    return watched.writer[0] ? watched.writer : NULL;
}

static void protect(int protection)
{
    for (size_t i = 0; i < trace.region_count; i++)
        (void)mprotect(trace.regions[i].start, trace.regions[i].bytes, protection);
}

static void stop(void)
{
    protect(PROT_READ | PROT_WRITE);
    trace.region_count = 0;
    trace.runs = false;
}

#if defined __x86_64__ && !SIM_HAS_ADDRESS_SANITIZER
enum { CAN_TRACE = 1, TRAP_FLAG = 0x100 };

/* The processor traps after the next instruction. */
static void set_single_step(void *context, bool single)
{
    greg_t *flags = &((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL];
    *flags = single ? *flags | TRAP_FLAG : *flags & ~(greg_t)TRAP_FLAG;
}
#else
enum { CAN_TRACE = 0 };

static void set_single_step(void *context, bool single)
{
    (void)context, (void)single;
}
#endif

static void shut_again(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)info;
    set_single_step(context, false);
    if (trace.runs && !trace.is_paused)
        protect(PROT_NONE);
}

/* Its place in the table, or a free one. */
static struct place *place_of(const char *address)
{
    size_t i = (uintptr_t)address * 0x9E3779B1u >> 4 & (PLACES - 1);
    while (trace.places[i].address && trace.places[i].address != address)
        i = (i + 1) & (PLACES - 1);
    return &trace.places[i];
}

static bool is_poison(const char *address)
{
    uint32_t there, poison;
    memcpy(&there, address - (uintptr_t)address % sizeof there, sizeof there);
    sim_order_poison(&poison, sizeof poison);
    return there == poison;
}

/* Lanes of a warp are ordered by what they exchange. */
static bool is_unordered(const struct access *earlier, const struct access *now)
{
    bool same_warp = earlier->thread / SIM_WARP == now->thread / SIM_WARP;
    return earlier->instruction && earlier->thread != now->thread && !(earlier->is_atomic && now->is_atomic) &&
           !(same_warp && earlier->exchanges != now->exchanges);
}

static const struct access *conflict(const struct place *place, const struct access *now)
{
    const struct access *const earlier[] = {&place->write, &place->read, &place->read_by_another};
    for (size_t i = 0; i < (now->writes ? 3 : 1); i++)
        if (is_unordered(earlier[i], now))
            return earlier[i];
    return NULL;
}

static void note(const char *address, const struct access *now)
{
    struct place *place = place_of(address);
    if (!place->address) {
        place->address = address;
        trace.place_count++;
    }
    if (place->barriers != sim_block.barriers)
        place->write = place->read = place->read_by_another = (struct access){.instruction = NULL};
    place->barriers = sim_block.barriers;
    const struct access *earlier = conflict(place, now);
    if (earlier) {
        trace.first = *earlier;
        trace.second = *now;
    }
    if (!now->writes && !trace.reads_unwritten.instruction && is_poison(address))
        trace.reads_unwritten = *now;
    if (now->writes)
        place->write = *now;
    else if (!place->read.instruction || place->read.thread == now->thread)
        place->read = *now;
    else
        place->read_by_another = *now;
}

static bool is_traced(const char *address)
{
    for (size_t i = 0; i < trace.region_count; i++)
        if (address >= trace.regions[i].start && address < trace.regions[i].start + trace.regions[i].bytes)
            return true;
    return false;
}

bool sim_race_resolve(const void *address, const void *instruction, bool writes, void *context)
{
    if (!trace.runs || trace.is_paused || !is_traced(address))
        return false;
    struct access now = {.instruction = instruction,
                         .thread = sim_block.current,
                         .exchanges = sim_current()->exchanges,
                         .writes = writes || sim_block.in_atomic,
                         .is_atomic = sim_block.in_atomic};
    protect(PROT_READ | PROT_WRITE);
    note(address, &now);
    if (trace.first.instruction || ++trace.accesses == ACCESSES_MAX || trace.place_count == PLACES / 2)
        stop();
    else
        set_single_step(context, true);
    return true;
}

void sim_race_begin(void)
{
    if (!CAN_TRACE || !trace.is_asked_for || sim_block.launch->function != watched.function ||
        memcmp(&blockIdx, &watched.block, sizeof blockIdx) != 0)
        return;
    memset(&trace, 0, sizeof trace);
    trace.has_begun = trace.runs = true;
    struct sigaction action = {.sa_sigaction = shut_again, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    (void)sigaction(SIGTRAP, &action, &trace.before);
}

void sim_race_end(void)
{
    if (trace.has_begun) {
        stop();
        trace.has_begun = false;
        (void)sigaction(SIGTRAP, &trace.before, NULL);
    }
    if (!watched.memory || memcmp(watched.last, watched.memory, watched.bytes) == 0)
        return;
    sim_watch_launch();
    sim_print_block(watched.writer, sizeof watched.writer);
    watched.function = sim_block.launch->function;
    watched.block = blockIdx;
}

void sim_race_memory(void *memory, size_t bytes)
{
    if (!trace.runs || trace.region_count == REGIONS_MAX)
        return;
    size_t before = (uintptr_t)memory % (size_t)sysconf(_SC_PAGESIZE);
    trace.regions[trace.region_count].start = (char *)memory - before;
    trace.regions[trace.region_count++].bytes = before + bytes;
    protect(PROT_NONE);
}

void sim_race_pause(bool pause)
{
    trace.is_paused = pause;
    if (trace.runs)
        protect(pause ? PROT_READ | PROT_WRITE : PROT_NONE);
}

/* "thread (1,0,0) reads at tiled.cu:46" */
static void print_access(const struct access *access, char *text, size_t size)
{
    struct uint3 thread = sim_block.threads[access->thread].index;
    struct sim_place place = sim_symbol_place(access->instruction);
    snprintf(text, size, "thread (%u,%u,%u) %s at %s:%d", thread.x, thread.y, thread.z,
             access->writes ? "writes" : "reads", sim_short_name(place.file), place.line);
}

const char *sim_race_found(void)
{
    static char text[320];
    char first[128], second[128];
    if (trace.first.instruction) {
        print_access(&trace.first, first, sizeof first);
        print_access(&trace.second, second, sizeof second);
        snprintf(text, sizeof text, "%s what %s, with no barrier between", first, second);
    } else if (trace.reads_unwritten.instruction) {
        print_access(&trace.reads_unwritten, first, sizeof first);
        snprintf(text, sizeof text, "%s what no thread has written", first);
    } else {
        return NULL;
    }
    return text;
}

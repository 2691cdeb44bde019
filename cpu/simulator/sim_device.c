#define _DEFAULT_SOURCE /* madvise() */
#include "sim_device.h"

#include "cpu/backend/guarded_memory.h"
#include "sim_fault.h"
#include "sim_order.h"
#include "sim_symbol.h"
#include "sim_thread.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SPARSE_BYTES = 1 << 30 };

static const char owner;
static volatile sig_atomic_t is_open, touched;
static struct sim_fault touch;
static struct sigaction before;

static const char *allocate(size_t bytes, enum edge edge, size_t alignment, void **memory)
{
    const char *error = guarded_memory_allocate(&owner, bytes, edge, alignment, memory);
    if (!error && bytes >= SPARSE_BYTES) { /* one touched byte should cost a small page */
        uintptr_t start = (uintptr_t)*memory & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
        (void)madvise((void *)start, (uintptr_t)*memory + bytes - start, MADV_NOHUGEPAGE);
    }
    is_open = false; /* not all of it */
    return error;
}

const char *sim_device_allocate(size_t bytes, enum edge edge, void **memory)
{
    return allocate(bytes, edge, 1, memory);
}

/* As aligned as a type can ask for; cudaMalloc() promises more. */
enum { WORKSPACE_ALIGNMENT = 32 };

const char *sim_workspace_allocate(size_t bytes, void **memory)
{
    const char *error = allocate(bytes, EDGE_END, WORKSPACE_ALIGNMENT, memory);
    if (!error && bytes < SPARSE_BYTES)
        sim_order_poison(*memory, bytes);
    return error;
}

const char *sim_managed_allocate(size_t bytes, void **memory)
{
    static const char other_owner;
    return guarded_memory_allocate(&other_owner, bytes, EDGE_END, WORKSPACE_ALIGNMENT, memory);
}

void sim_workspace_release(void *memory)
{
    guarded_memory_release(memory);
}

void sim_device_open(void)
{
    if (!is_open)
        guarded_memory_protect(&owner, true);
    is_open = true;
}

void sim_device_shut(void)
{
    guarded_memory_protect(&owner, false);
    is_open = false;
}

/* A fault that open memory does not cure is somebody else's: the instruction runs again, and faults for them. */
static void record(int signal, siginfo_t *info, void *context)
{
    if (is_open) {
        (void)sigaction(signal, &before, NULL);
        return;
    }
    touch = sim_fault_read(signal, info, context);
    touched = true;
    sim_device_open();
}

static bool is_caught(void)
{
    struct sigaction present;
    (void)sigaction(SIGSEGV, NULL, &present);
    return (present.sa_flags & SA_SIGINFO) != 0 && present.sa_sigaction == record;
}

void sim_device_catch(void)
{
    struct sigaction action = {.sa_sigaction = record, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    if (!is_caught())
        (void)sigaction(SIGSEGV, &action, &before);
}

void sim_device_ignore(void)
{
    if (is_caught())
        (void)sigaction(SIGSEGV, &before, NULL);
}

const char *sim_device_error(const char *who)
{
    static char text[384];
    char where[128] = "at an unknown place", line[192] = "";
    if (!touched)
        return NULL;
    touched = false;
    struct sim_place place = sim_symbol_place(touch.instruction);
    if (place.line > 0)
        snprintf(line, sizeof line, "%s:%d: ", sim_short_name(place.file), place.line);
    (void)guarded_memory_describe(touch.address, where, sizeof where);
    snprintf(text, sizeof text, "%s touches device memory on the host, %s%s %s", who, line, touch.verb, where);
    return text;
}

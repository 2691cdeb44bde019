/* Turns the player's clock back: finds in its data when the call began, and makes it now. */
#define _GNU_SOURCE
#include "tests/cheats/cheat.h"

#include <link.h>
#include <time.h>

enum { FOUND_MAX = 64 };
static struct timespec *found[FOUND_MAX];
static int found_count;

static struct timespec now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time;
}

/* What may be a time not long ago. The program is the first object. */
static int look_for_times(struct dl_phdr_info *object, size_t size, void *unused)
{
    const struct timespec last = now();
    (void)size, (void)unused;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        const uintptr_t start = object->dlpi_addr + part->p_vaddr, end = start + part->p_memsz;
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_W))
            continue;
        for (uintptr_t at = (start + 7) / 8 * 8; at + sizeof last <= end; at += 8) {
            struct timespec *time = (struct timespec *)at;
            if (time->tv_sec >= last.tv_sec - 1 && time->tv_sec <= last.tv_sec && time->tv_nsec < 1000000000 &&
                time->tv_nsec > 0 && found_count < FOUND_MAX)
                found[found_count++] = time;
        }
    }
    return 1;
}

/* By so much of the time that has passed. */
static inline void turn_back(double share)
{
    if (found_count == 0)
        (void)dl_iterate_phdr(look_for_times, NULL);
    for (int i = 0; i < found_count; i++) {
        const struct timespec last = now();
        const double passed_ns =
            (double)(last.tv_sec - found[i]->tv_sec) * 1e9 + (double)(last.tv_nsec - found[i]->tv_nsec);
        const long to_ns = last.tv_nsec - (long)((1 - share) * passed_ns);
        if (to_ns >= 0)
            *found[i] = (struct timespec){last.tv_sec, to_ns};
    }
}

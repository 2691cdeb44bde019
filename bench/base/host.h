/* The machine that the harness runs on. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* CLOCK_MONOTONIC, in seconds. */
double host_now(void);

/* Why nothing can be timed by it: in a broken virtual machine it may stand still. NULL: it moves. */
const char *host_clock_error(void);

/* Seconds for which all threads of this process together have had a processor. */
double host_cpu_s(void);

/* Seconds for which the other threads of this process have had a processor, at most or at least: what this one takes
 * between looking at both clocks is counted, or left out. */
double host_others_s(bool at_most);

/* Waits until they all sleep, as those that spin after a call soon do, but for some 50 ms at most. Whether they sleep
 * then; true where the system does not say. */
bool host_others_rest(void);

/* The clock that the harness uses; tests replace it. */
struct host_clock {
    double (*now)(void);      /* seconds */
    int (*interrupted)(void); /* non-zero: the run should stop */
};

/* The host name; empty if unknown. */
void host_name(char *text, size_t size);

/* The current time in UTC: 2026-11-20T13:40:00Z. */
void host_timestamp(char *text, size_t size);

/* An identifier that is unique to this run. */
void host_unique_id(char *text, size_t size);

/* 64 random bits from the operating system, never 0: for what a rung must not know, since it can read our source and
 * knows --seed. */
uint64_t entropy_bits(void);

/* That are running: those that the system uses. */
unsigned host_processors(void);

size_t host_page_bytes(void);
size_t host_whole_pages(size_t bytes); /* so many bytes, rounded up to pages */

/* The first line of a file of the system's, without its end; empty: it cannot be read. */
void host_read_line(const char *path, char *line, size_t size);

/* Allocates whole pages, so that pinning them pins nothing else. free() them. */
void *host_allocate_pages(size_t bytes);

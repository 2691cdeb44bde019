/* What the harness asks of the machine that it runs on. */
#ifndef RUNGBENCH_HOST_H
#define RUNGBENCH_HOST_H

#include <stddef.h>

/* CLOCK_MONOTONIC, in seconds. */
double host_now(void);

/* What the harness times with. */
struct host_clock {
    double (*now)(void); /* seconds */
    int (*interrupted)(void);
};

/* The host's name; empty if unknown. */
void host_name(char *text, size_t size);

/* The time as 2026-11-20T13:40:00Z. */
void host_timestamp(char *text, size_t size);

/* A text that no other run has. */
void host_unique_id(char *text, size_t size);

/* Memory that starts at a page and ends with one, so that pinning it pins nothing else; free() it. */
void *host_allocate_pages(size_t bytes);

#endif

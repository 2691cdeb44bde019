#define _GNU_SOURCE /* syscall() */
#include "host.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double seconds_on(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double host_now(void)
{
    return seconds_on(CLOCK_MONOTONIC);
}

/* A coarse one moves while it is read. */
const char *host_clock_error(void)
{
    enum { READS = 1000000 };
    double start = host_now();
    for (int i = 0; i < READS; i++)
        if (host_now() != start)
            return NULL;
    return "the clock of this machine stands still, expected CLOCK_MONOTONIC to move";
}

double host_cpu_s(void)
{
    return seconds_on(CLOCK_PROCESS_CPUTIME_ID);
}

double host_others_s(bool at_most)
{
    const double before_s = at_most ? 0 : host_cpu_s(), own_s = seconds_on(CLOCK_THREAD_CPUTIME_ID);
    return (at_most ? host_cpu_s() : before_s) - own_s;
}

void host_read_line(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, (int)size, file))
        line[0] = '\0';
    if (file)
        fclose(file);
    line[strcspn(line, "\n")] = '\0';
}

/* The state of a thread stands behind its name, which ends with the last parenthesis. R: it runs, or would; D: it waits
 * for the kernel, as one that ends may. */
static bool works(const char *task)
{
    char path[64], line[128];
    snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", task);
    host_read_line(path, line, sizeof line);
    const char *name_end = strrchr(line, ')');
    return name_end && (strncmp(name_end, ") R", 3) == 0 || strncmp(name_end, ") D", 3) == 0);
}

static bool others_rest(void)
{
    const long own = syscall(SYS_gettid);
    int working = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (const struct dirent *task; tasks && (task = readdir(tasks));)
        working += task->d_name[0] != '.' && strtol(task->d_name, NULL, 10) != own && works(task->d_name);
    if (tasks)
        closedir(tasks);
    return working == 0;
}

bool host_others_rest(void)
{
    enum { FIRST_NS = 50000, LAST_NS = FIRST_NS << 9 };
    bool rest = others_rest();
    for (long wait_ns = FIRST_NS; !rest && wait_ns <= LAST_NS; wait_ns *= 2) {
        nanosleep(&(struct timespec){.tv_nsec = wait_ns}, NULL);
        rest = others_rest();
    }
    return rest;
}

void host_name(char *text, size_t size)
{
    if (gethostname(text, size) != 0)
        text[0] = '\0';
    text[size - 1] = '\0';
}

void host_timestamp(char *text, size_t size)
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, size, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

void host_unique_id(char *text, size_t size)
{
    snprintf(text, size, "%016" PRIx64, entropy_bits());
}

uint64_t entropy_bits(void)
{
    uint64_t bits;
    if (getentropy(&bits, sizeof bits) != 0) /* Linux before 3.17 has none */
        abort();
    return bits != 0 ? bits : 1;
}

unsigned host_processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (unsigned)count : 1;
}

size_t host_page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

size_t host_whole_pages(size_t bytes)
{
    size_t page = host_page_bytes();
    return (bytes + page - 1) / page * page;
}

void *host_allocate_pages(size_t bytes)
{
    return aligned_alloc(host_page_bytes(), host_whole_pages(bytes));
}

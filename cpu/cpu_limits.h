/* What control groups (Linux, versions 1 and 2) leave of the machine to this process. For cpu_backend.c. */
#ifndef RUNGBENCH_CPU_LIMITS_H
#define RUNGBENCH_CPU_LIMITS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* INFINITY: no limit. */
struct cpu_limits {
    double processors;
    double free_bytes;
};

/* A file's text, as far as it fits; empty where there is no such file. */
static void read_text(const char *folder, const char *name, char *text, size_t size)
{
    char path[640];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    size_t length = file == NULL ? 0 : fread(text, 1, size - 1, file);
    text[length] = '\0';
    if (file != NULL)
        fclose(file);
}

/* The number after `key` in a file; `absent` where there is none, but "max", say. */
static double read_number(const char *folder, const char *name, const char *key, double absent)
{
    char text[8192];
    double number;
    read_text(folder, name, text, sizeof text);
    const char *found = strstr(text, key);
    return found != NULL && sscanf(found + strlen(key), "%lf", &number) == 1 ? number : absent;
}

/* The limits that one group's folder sets. The files of the other version are not there. */
static void apply_folder(const char *folder, struct cpu_limits *limits)
{
    char text[64];
    double quota, period;
    read_text(folder, "cpu.max", text, sizeof text);
    if (sscanf(text, "%lf %lf", &quota, &period) != 2) {
        quota = read_number(folder, "cpu.cfs_quota_us", "", -1);
        period = read_number(folder, "cpu.cfs_period_us", "", 0);
    }
    if (quota > 0 && period > 0)
        limits->processors = fmin(limits->processors, quota / period);

    double limit = read_number(folder, "memory.max", "", INFINITY);
    double usage = read_number(folder, "memory.current", "", 0);
    double cache = read_number(folder, "memory.stat", "\ninactive_file ", 0);
    limit = read_number(folder, "memory.limit_in_bytes", "", limit);
    usage = read_number(folder, "memory.usage_in_bytes", "", usage);
    cache = read_number(folder, "memory.stat", "\ntotal_inactive_file ", cache);
    /* Pages of files that nobody uses count as used, but make room when memory is asked for. */
    limits->free_bytes = fmin(limits->free_bytes, fmax(limit - usage + cache, 0));
}

/* The limits of a group and of those above it. In a container the path may be one that exists outside only; the group's
 * files are then in the topmost folder, where climbing ends in any case. */
static void apply_group(const char *controller, const char *group, struct cpu_limits *limits)
{
    char folder[600];
    int root = snprintf(folder, sizeof folder, "/sys/fs/cgroup/%s", controller);
    snprintf(folder + root, sizeof folder - (size_t)root, "%s", group);
    apply_folder(folder, limits);
    for (char *slash; (slash = strrchr(folder + root, '/')) != NULL;) {
        *slash = '\0';
        apply_folder(folder, limits);
    }
}

static struct cpu_limits find_limits(void)
{
    struct cpu_limits limits = {.processors = INFINITY, .free_bytes = INFINITY};
    char line[512];
    FILE *file = fopen("/proc/self/cgroup", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        /* "7:cpu,cpuacct:/group" in version 1, "0::/group" in version 2 */
        line[strcspn(line, "\n")] = '\0';
        char *names = strchr(line, ':'), *group = names == NULL ? NULL : strchr(names + 1, ':');
        if (group == NULL)
            continue;
        *group++ = '\0';
        for (char *name = names + 1, *next; name != NULL; name = next) {
            next = strchr(name, ',');
            if (next != NULL)
                *next++ = '\0';
            apply_group(name, group, &limits);
        }
    }
    if (file != NULL)
        fclose(file);
    return limits;
}

#endif

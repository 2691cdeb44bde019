#include "cpu_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 4608 }; /* the system's own limit, 4096, and a root */

FILE *cpu_file_open(const char *root, const char *path)
{
    char whole[PATH_BYTES];
    int length = snprintf(whole, sizeof whole, "%s%s", root, path);
    return length > 0 && (size_t)length < sizeof whole ? fopen(whole, "r") : NULL;
}

void cpu_file_text(const char *root, const char *path, char *text, size_t size)
{
    FILE *file = cpu_file_open(root, path);
    size_t length = file == NULL ? 0 : fread(text, 1, size - 1, file);
    text[length] = '\0';
    if (file != NULL)
        fclose(file);
}

double cpu_file_number(const char *root, const char *path, const char *key, double absent)
{
    char text[8192];
    cpu_file_text(root, path, text, sizeof text);
    const char *found = strstr(text, key);
    if (found == NULL)
        return absent;
    char *end;
    double number = strtod(found + strlen(key), &end);
    return end != found + strlen(key) && isfinite(number) ? number : absent;
}

/* Reads something from the folder of a group. `controller` is empty in version 2. */
typedef void folder_visitor(const char *root, const char *controller, const char *folder, void *into);

static double number_in(const char *root, const char *folder, const char *name, const char *key, double absent)
{
    char path[PATH_BYTES];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    return length > 0 && (size_t)length < sizeof path ? cpu_file_number(root, path, key, absent) : absent;
}

/* Visits a group and all groups above it. In a container the path may exist only outside; then the files of the group
 * are in the topmost folder, which is visited last in any case. */
static void visit_group(const char *root, const char *controller, const char *group, folder_visitor *visit, void *into)
{
    char folder[PATH_BYTES];
    int top = snprintf(folder, sizeof folder, "/sys/fs/cgroup%s%s", controller[0] == '\0' ? "" : "/", controller);
    snprintf(folder + top, sizeof folder - (size_t)top, "%s", strcmp(group, "/") == 0 ? "" : group);
    visit(root, controller, folder, into);
    for (char *slash; (slash = strrchr(folder + top, '/')) != NULL;) {
        *slash = '\0';
        visit(root, controller, folder, into);
    }
}

static void visit_groups(const char *root, folder_visitor *visit, void *into)
{
    char line[PATH_BYTES - 128];
    FILE *file = cpu_file_open(root, "/proc/self/cgroup");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        /* "7:cpu,cpuacct:/group" in version 1, "0::/group" in version 2; see cgroups(7) */
        line[strcspn(line, "\n")] = '\0';
        char *names = strchr(line, ':'), *group = names == NULL ? NULL : strchr(names + 1, ':');
        if (group == NULL)
            continue;
        *group++ = '\0';
        for (char *name = names + 1, *next; name != NULL; name = next) {
            next = strchr(name, ',');
            if (next != NULL)
                *next++ = '\0';
            visit_group(root, name, group, visit, into);
        }
    }
    if (file != NULL)
        fclose(file);
}

/* The limits of one folder. Files of the other version are not there. */
static void apply_folder(const char *root, const char *controller, const char *folder, void *into)
{
    (void)controller;
    struct cpu_limits *limits = into;
    char path[PATH_BYTES], text[64] = "";
    double quota, period;
    if ((size_t)snprintf(path, sizeof path, "%s/cpu.max", folder) < sizeof path)
        cpu_file_text(root, path, text, sizeof text);
    if (sscanf(text, "%lf %lf", &quota, &period) != 2) {
        quota = number_in(root, folder, "cpu.cfs_quota_us", "", -1);
        period = number_in(root, folder, "cpu.cfs_period_us", "", 0);
    }
    if (quota > 0 && period > 0)
        limits->processors = fmin(limits->processors, quota / period);

    double limit = number_in(root, folder, "memory.max", "", INFINITY);
    double usage = number_in(root, folder, "memory.current", "", 0);
    double cache = number_in(root, folder, "memory.stat", "\ninactive_file ", 0);
    limit = number_in(root, folder, "memory.limit_in_bytes", "", limit);
    usage = number_in(root, folder, "memory.usage_in_bytes", "", usage);
    cache = number_in(root, folder, "memory.stat", "\ntotal_inactive_file ", cache);
    /* Cached pages of files count as used, but are given back when memory is needed. */
    limits->free_bytes = fmin(limits->free_bytes, fmax(limit - usage + cache, 0));
}

struct cpu_limits cpu_limits_find(const char *root)
{
    struct cpu_limits limits = {.processors = INFINITY, .free_bytes = INFINITY};
    visit_groups(root, apply_folder, &limits);
    return limits;
}

/* Version 1 may show the same folder again as "cpuacct". */
static void add_throttled(const char *root, const char *controller, const char *folder, void *into)
{
    double *sum_s = into;
    double seconds = strcmp(controller, "cpu") == 0
                         ? 1e-9 * number_in(root, folder, "cpu.stat", "throttled_time ", NAN)
                         : 1e-6 * number_in(root, folder, "cpu.stat", "throttled_usec ", NAN);
    if (!isnan(seconds))
        *sum_s = seconds + (isnan(*sum_s) ? 0 : *sum_s);
}

double cpu_limits_throttled_s(const char *root)
{
    double sum_s = NAN;
    visit_groups(root, add_throttled, &sum_s);
    return sum_s;
}

#define _DEFAULT_SOURCE /* strsep() */
#include "cpu_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum { PATH_BYTES = 4608 }; /* the system's own limit, 4096, and a root */

static FILE *open_file(const char *root, const char *path)
{
    char whole[PATH_BYTES];
    int length = snprintf(whole, sizeof whole, "%s%s", root, path);
    return length > 0 && (size_t)length < sizeof whole ? fopen(whole, "r") : NULL;
}

static void file_text(const char *root, const char *path, char *text, size_t size)
{
    FILE *file = open_file(root, path);
    size_t length = file == NULL ? 0 : fread(text, 1, size - 1, file);
    text[length] = '\0';
    if (file != NULL)
        fclose(file);
}

double cpu_file_number(const char *root, const char *path, const char *key, double absent)
{
    char text[8192];
    file_text(root, path, text, sizeof text);
    const char *found = strstr(text, key);
    if (found == NULL)
        return absent;
    char *end;
    double number = strtod(found + strlen(key), &end);
    return end != found + strlen(key) && isfinite(number) ? number : absent;
}

/* One of the two may be unknown. */
static double known_sum(double a, double b)
{
    return isnan(a) ? b : isnan(b) ? a : a + b;
}

static double number_in(const char *root, const char *folder, const char *name, const char *key, double absent)
{
    char path[PATH_BYTES];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    return length > 0 && (size_t)length < sizeof path ? cpu_file_number(root, path, key, absent) : absent;
}

static void apply_quota(const char *root, const char *folder, struct cpu_limits *limits)
{
    char path[PATH_BYTES], text[64] = "";
    double quota, period;
    if ((size_t)snprintf(path, sizeof path, "%s/cpu.max", folder) < sizeof path)
        file_text(root, path, text, sizeof text);
    if (sscanf(text, "%lf %lf", &quota, &period) != 2) {
        quota = number_in(root, folder, "cpu.cfs_quota_us", "", -1);
        period = number_in(root, folder, "cpu.cfs_period_us", "", 0);
    }
    if (quota > 0 && period > 0)
        limits->processors = fmin(limits->processors, quota / period);
}

static void apply_memory(const char *root, const char *folder, struct cpu_limits *limits)
{
    double limit = number_in(root, folder, "memory.max", "", INFINITY);
    double usage = number_in(root, folder, "memory.current", "", 0);
    double cache = number_in(root, folder, "memory.stat", "\ninactive_file ", 0);
    limit = number_in(root, folder, "memory.limit_in_bytes", "", limit);
    usage = number_in(root, folder, "memory.usage_in_bytes", "", usage);
    cache = number_in(root, folder, "memory.stat", "\ntotal_inactive_file ", cache);
    /* Cached pages of files count as used, but are given back when memory is needed. */
    limits->free_bytes = fmin(limits->free_bytes, fmax(limit - usage + cache, 0));
}

/* The limits of one folder. Files of the other version are not there. Version 1 may show the same folder again as
 * "cpuacct"; `controller` is empty in version 2. */
static void apply_folder(const char *root, const char *controller, const char *folder, struct cpu_limits *limits)
{
    double throttled_s = strcmp(controller, "cpu") == 0
                             ? 1e-9 * number_in(root, folder, "cpu.stat", "throttled_time ", NAN)
                             : 1e-6 * number_in(root, folder, "cpu.stat", "throttled_usec ", NAN);
    limits->throttled_s = known_sum(limits->throttled_s, throttled_s);
    apply_quota(root, folder, limits);
    apply_memory(root, folder, limits);
}

/* Of a group and all groups above it. In a container the path may exist only outside; then the files of the group are
 * in the topmost folder, which comes last in any case. */
static void apply_group(const char *root, const char *controller, const char *group, struct cpu_limits *limits)
{
    char folder[PATH_BYTES];
    int top = snprintf(folder, sizeof folder, "/sys/fs/cgroup%s%s", controller[0] == '\0' ? "" : "/", controller);
    snprintf(folder + top, sizeof folder - (size_t)top, "%s", strcmp(group, "/") == 0 ? "" : group);
    apply_folder(root, controller, folder, limits);
    for (char *slash; (slash = strrchr(folder + top, '/')) != NULL;) {
        *slash = '\0';
        apply_folder(root, controller, folder, limits);
    }
}

struct cpu_limits cpu_limits_find(const char *root)
{
    struct cpu_limits limits = {.processors = INFINITY, .free_bytes = INFINITY, .throttled_s = NAN};
    char line[PATH_BYTES - 128];
    FILE *file = open_file(root, "/proc/self/cgroup");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        /* "7:cpu,cpuacct:/group" in version 1, "0::/group" in version 2; see cgroups(7) */
        line[strcspn(line, "\n")] = '\0';
        char *names = strchr(line, ':'), *group = names == NULL ? NULL : strchr(names + 1, ':');
        if (group == NULL)
            continue;
        *group++ = '\0';
        names++;
        for (char *name; (name = strsep(&names, ",")) != NULL;)
            apply_group(root, name, group, &limits);
    }
    if (file != NULL)
        fclose(file);
    return limits;
}

/* "AMD EPYC 9654" of "model name : AMD EPYC 9654" in /proc/cpuinfo, which says it of the first processor first. Empty
 * where it says nothing, as on some architectures. */
static void read_cpuinfo(const char *root, const char *key, char *value, size_t size)
{
    char text[16384], *rest = text;
    file_text(root, "/proc/cpuinfo", text, sizeof text);
    value[0] = '\0';
    for (char *line; value[0] == '\0' && (line = strsep(&rest, "\n")) != NULL;) {
        const char *colon = strchr(line, ':');
        if (colon != NULL && strncmp(line, key, strlen(key)) == 0)
            snprintf(value, size, "%s", colon + 1 + strspn(colon + 1, " \t"));
    }
}

/* The governor of the CPUs in the mask; "mixed" if they differ. */
static void read_governor(const char *root, const struct cpu_mask *mask, char *governor, size_t size)
{
    char path[96], word[32];
    governor[0] = '\0';
    for (int cpu = 0; cpu < CPU_MASK_MAX; cpu++) {
        if (!cpu_mask_has(mask, cpu))
            continue;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", cpu);
        file_text(root, path, word, sizeof word);
        word[strcspn(word, " \n")] = '\0';
        if (word[0] == '\0')
            continue;
        if (governor[0] != '\0' && strcmp(word, governor) != 0) {
            snprintf(governor, size, "mixed");
            return;
        }
        snprintf(governor, size, "%s", word);
    }
}

/* The load contains what this program did a moment ago. So something else has to run now, too. */
static void note_load(const char *root, double usable, struct device_info *info)
{
    char text[128];
    double load;
    int running; /* this thread is one of them */
    /* "0.20 0.18 0.12 1/80 11206": over 1, 5 and 15 minutes, running/all, last process; see proc(5) */
    file_text(root, "/proc/loadavg", text, sizeof text);
    if (sscanf(text, "%lf %*f %*f %d/", &load, &running) == 2 && load > usable / 2 && running > 1)
        /* No mark: this is the load at the start. A row says itself what it lost. */
        device_info_add_note(info, "",
                             "other work is running on this machine: its load is %.1f, with %.3g CPU%s to use", load,
                             usable, usable == 1 ? "" : "s");
}

/* Known for x86 processors only. */
static bool is_virtual(const char *root)
{
    static const char word[] = " hypervisor";
    char flags[8192];
    read_cpuinfo(root, "flags", flags, sizeof flags);
    const char *found = strstr(flags, word);
    return found != NULL && (found[sizeof word - 1] == ' ' || found[sizeof word - 1] == '\0');
}

static void add_notes(const char *root, const struct cpu_mask *mask, struct device_info *info)
{
    double quota = cpu_limits_find(root).processors;
    if (quota < mask->count)
        device_info_add_note(info, "cpu-quota",
                             "a control group allows the time of %.3g CPU%s, although this process may run on %d",
                             quota, quota == 1 ? "" : "s", mask->count);
    if (info->governor[0] != '\0' && strcmp(info->governor, "performance") != 0)
        device_info_add_note(info, "governor",
                             "the frequency governor of the CPUs is %s, not performance, so their clocks may vary",
                             info->governor);
    if (mask->count > 0)
        note_load(root, fmin(mask->count, quota), info);
    if (is_virtual(root))
        device_info_add_note(info, "", "this is a virtual machine, whose CPUs may be shared with others");
}

void cpu_describe(const char *root, const struct cpu_mask *mask, struct device_info *info)
{
    struct utsname system;
    read_cpuinfo(root, "model name", info->name, sizeof info->name);
    if (info->name[0] == '\0' && uname(&system) == 0)
        snprintf(info->name, sizeof info->name, "%s", system.machine);
    cpu_mask_text(mask, info->affinity, sizeof info->affinity);
    read_governor(root, mask, info->governor, sizeof info->governor);
    add_notes(root, mask, info);
}

/* Time in which CPUs of the mask had work, but the hypervisor ran something else; NAN: unknown. */
static double stolen_s(const char *root, const struct cpu_mask *mask)
{
    char line[512];
    double ticks = 0;
    int found = 0;
    FILE *file = open_file(root, "/proc/stat");
    /* "cpu3 user nice system idle iowait irq softirq steal ...", after the sum of all, "cpu ..."; see proc(5) */
    while (file != NULL && fgets(line, sizeof line, file) != NULL && line[0] == 'c') {
        int cpu;
        double steal;
        if (line[3] == ' ' || sscanf(line, "cpu%d %*f %*f %*f %*f %*f %*f %*f %lf", &cpu, &steal) != 2)
            continue;
        if (cpu_mask_has(mask, cpu)) {
            ticks += steal;
            found++;
        }
    }
    if (file != NULL)
        fclose(file);
    return found > 0 ? ticks / (double)sysconf(_SC_CLK_TCK) : NAN;
}

/* Known for these processors only. */
#if defined(__x86_64__)
#define ADD "add %0, %0\n\t"
#elif defined(__aarch64__)
#define ADD "add %0, %0, %0\n\t"
#else
#define ADD ""
#endif

/* The fastest of several looks is one that nothing interrupted. */
enum { LOOKS = 5, ROUNDS = 4000, ADDITIONS = 8 };

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double clock_mhz(void)
{
    double least_s = INFINITY;
    for (int look = 0; look < LOOKS; look++) {
        uint64_t number = 3;
        double start_s = now_s();
        for (int i = 0; i < ROUNDS; i++)
            __asm__ volatile(ADD ADD ADD ADD ADD ADD ADD ADD : "+r"(number));
        least_s = fmin(least_s, now_s() - start_s);
    }
    return ADD[0] != '\0' ? ADDITIONS * ROUNDS / least_s * 1e-6 : NAN;
}

void cpu_state_read(const char *root, const struct cpu_mask *mask, struct device_state *state)
{
    struct rusage usage;
    *state = (struct device_state){
        .sm_clock_mhz = NAN,
        .memory_clock_mhz = NAN,
        .temperature_c = NAN,
        .power_w = NAN,
        .other_processes = -1,
        .energy_j = NAN,
        .cycles = NAN,
        .cycles_at_s = NAN,
        .lost_s = known_sum(stolen_s(root, mask), cpu_limits_find(root).throttled_s),
        .preemptions = getrusage(RUSAGE_SELF, &usage) == 0 ? (double)usage.ru_nivcsw : NAN,
    };
    state->cpu_clock_mhz = clock_mhz(); /* last, so that it takes no time of what was read */
}

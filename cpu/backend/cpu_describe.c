#include "cpu_parts.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* "AMD EPYC 9654" of "model name : AMD EPYC 9654" in /proc/cpuinfo, which says it of the first processor first. Empty
 * where it says nothing, as on some architectures. */
static void read_cpuinfo(const char *root, const char *key, char *value, size_t size)
{
    char line[8192];
    FILE *file = cpu_file_open(root, "/proc/cpuinfo");
    value[0] = '\0';
    while (file != NULL && value[0] == '\0' && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (colon != NULL && strncmp(line, key, strlen(key)) == 0)
            snprintf(value, size, "%s", colon + 1 + strspn(colon + 1, " \t"));
        value[strcspn(value, "\n")] = '\0';
    }
    if (file != NULL)
        fclose(file);
}

/* The governor of the CPUs in the mask; "mixed" if they differ. */
static void read_governor(const char *root, const struct cpu_mask *mask, char *governor, size_t size)
{
    char path[96], word[32];
    governor[0] = '\0';
    for (int cpu = 0; cpu < CPU_MASK_MAX; cpu++) {
        if (!mask->has[cpu])
            continue;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", cpu);
        cpu_file_text(root, path, word, sizeof word);
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
    cpu_file_text(root, "/proc/loadavg", text, sizeof text);
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
    FILE *file = cpu_file_open(root, "/proc/stat");
    /* "cpu3 user nice system idle iowait irq softirq steal ...", after the sum of all, "cpu ..."; see proc(5) */
    while (file != NULL && fgets(line, sizeof line, file) != NULL && line[0] == 'c') {
        int cpu;
        double steal;
        if (line[3] == ' ' || sscanf(line, "cpu%d %*f %*f %*f %*f %*f %*f %*f %lf", &cpu, &steal) != 2)
            continue;
        if (cpu >= 0 && cpu < CPU_MASK_MAX && mask->has[cpu]) {
            ticks += steal;
            found++;
        }
    }
    if (file != NULL)
        fclose(file);
    return found > 0 ? ticks / (double)sysconf(_SC_CLK_TCK) : NAN;
}

/* One of the two may be unknown. */
static double known_sum(double a, double b)
{
    return isnan(a) ? b : isnan(b) ? a : a + b;
}

static double package_number(const char *root, int package, const char *name)
{
    char path[96];
    snprintf(path, sizeof path, "/sys/class/powercap/intel-rapl:%d/%s", package, name);
    return cpu_file_number(root, path, "", NAN);
}

/* AMD's driver uses the same names. Zones of another kind, such as "psys" for the whole computer, contain packages. */
static bool is_package(const char *root, int package)
{
    char path[96], name[32];
    snprintf(path, sizeof path, "/sys/class/powercap/intel-rapl:%d/name", package);
    cpu_file_text(root, path, name, sizeof name);
    return strncmp(name, "package", strlen("package")) == 0;
}

/* Joules since the first call; NAN where the counters cannot be read, as for most users but root. */
static double energy_j(const char *root, struct cpu_energy *energy)
{
    bool found = false;
    if (is_package(root, CPU_PACKAGES_MAX)) /* more than are kept */
        return NAN;
    for (int package = 0; package < CPU_PACKAGES_MAX; package++) {
        if (!is_package(root, package))
            continue;
        double now_uj = package_number(root, package, "energy_uj"), used_uj = now_uj - energy->last_uj[package];
        if (isnan(now_uj))
            return NAN;
        if (used_uj < 0)
            used_uj += package_number(root, package, "max_energy_range_uj");
        if (energy->started)
            energy->total_uj += used_uj;
        energy->last_uj[package] = now_uj;
        found = true;
    }
    energy->started = energy->started || found;
    return found ? 1e-6 * energy->total_uj : NAN;
}

#if defined(__x86_64__)
#define ADD "add %0, %0\n\t"
#elif defined(__aarch64__)
#define ADD "add %0, %0, %0\n\t"
#endif

#ifdef ADD
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
    return ADDITIONS * ROUNDS / least_s * 1e-6;
}
#else
static double clock_mhz(void)
{
    return NAN;
}
#endif

void cpu_state_read(const char *root, const struct cpu_mask *mask, struct cpu_energy *energy,
                    struct device_state *state)
{
    struct rusage usage;
    *state = (struct device_state){
        .sm_clock_mhz = NAN,
        .memory_clock_mhz = NAN,
        .temperature_c = NAN,
        .power_w = NAN,
        .other_processes = -1,
        .energy_j = energy_j(root, energy),
        .cycles = NAN,
        .cycles_at_s = NAN,
        .lost_s = known_sum(stolen_s(root, mask), cpu_limits_throttled_s(root)),
        .preemptions = getrusage(RUSAGE_SELF, &usage) == 0 ? (double)usage.ru_nivcsw : NAN,
    };
    state->cpu_clock_mhz = clock_mhz(); /* last, so that it takes no time of what was read */
}

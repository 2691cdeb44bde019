#define _GNU_SOURCE /* getloadavg() */
#include "json_host.h"

#include "bench/base/host.h"
#include "bench/base/json_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPU0 "/sys/devices/system/cpu/cpu0/"

/* The line of a file that begins with these letters; empty: there is none. */
static void read_line(char *line, int size, const char *begins, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void read_line(char *line, int size, const char *begins, const char *format, ...)
{
    char path[128];
    va_list values;
    va_start(values, format);
    vsnprintf(path, sizeof path, format, values);
    va_end(values);
    FILE *file = fopen(path, "re");
    bool found = false;
    while (file && !found && fgets(line, size, file))
        found = strncmp(line, begins, strlen(begins)) == 0;
    if (!found)
        line[0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    if (file)
        fclose(file);
}

/* 0: unknown. */
static long long mhz_per_cpu(void)
{
    char line[256];
    read_line(line, sizeof line, "", CPU0 "cpufreq/cpuinfo_max_freq");
    if (line[0])
        return (atoll(line) + 500) / 1000;
    read_line(line, sizeof line, "cpu MHz", "/proc/cpuinfo");
    const char *value = strchr(line, ':');
    return value ? (long long)(strtod(value + 1, NULL) + 0.5) : 0;
}

static bool is_scaling_enabled(void)
{
    char governor[64];
    read_line(governor, sizeof governor, "", CPU0 "cpufreq/scaling_governor");
    return governor[0] && strcmp(governor, "performance") != 0;
}

/* How many CPUs a mask of hexadecimal digits names. */
static int count_cpus(const char *mask)
{
    int count = 0;
    for (; *mask; mask++)
        if (*mask != ',')
            count += __builtin_popcountl(strtoul((char[]){*mask, '\0'}, NULL, 16));
    return count;
}

/* NULL: there is no such cache. */
static json_t *cache_json(int index)
{
    char type[64], level[16], size[32], mask[4096];
    read_line(type, sizeof type, "", CPU0 "cache/index%d/type", index);
    read_line(level, sizeof level, "", CPU0 "cache/index%d/level", index);
    read_line(size, sizeof size, "", CPU0 "cache/index%d/size", index);
    read_line(mask, sizeof mask, "", CPU0 "cache/index%d/shared_cpu_map", index);
    char *unit;
    long long bytes = strtoll(size, &unit, 10) * (*unit == 'K' ? 1 << 10 : *unit == 'M' ? 1 << 20 : 1);
    return type[0] ? json_pack("{s:s, s:i, s:I, s:i}", "type", type, "level", atoi(level), "size", (json_int_t)bytes,
                               "num_sharing", count_cpus(mask))
                   : NULL;
}

static json_t *caches(void)
{
    json_t *list = json_array(), *cache;
    bool ok = true;
    for (int i = 0; ok && (cache = cache_json(i)); i++)
        ok = json_array_append_new(list, cache) == 0;
    return json_if(ok, list);
}

static json_t *load_average(void)
{
    double loads[3];
    json_t *list = json_array();
    bool ok = true;
    for (int i = 0, known = getloadavg(loads, 3); i < known && ok; i++)
        ok = json_array_append_new(list, json_real(loads[i])) == 0;
    return json_if(ok, list);
}

bool json_put_host(json_t *context)
{
    return json_put(context, "num_cpus", json_integer(host_processors())) &&
           json_put(context, "mhz_per_cpu", json_integer(mhz_per_cpu())) &&
           json_put(context, "cpu_scaling_enabled", json_boolean(is_scaling_enabled())) &&
           json_put(context, "caches", caches()) && json_put(context, "load_avg", load_average());
}

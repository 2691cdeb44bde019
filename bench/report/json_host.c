#define _GNU_SOURCE /* getloadavg() */
#include "json_host.h"

#include "bench/base/host.h"
#include "bench/base/json_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPU0 "/sys/devices/system/cpu/cpu0/"

/* The line of a file that begins with these letters; empty: there is none. */
static void read_line(char *line, int size, const char *path, const char *begins)
{
    FILE *file = fopen(path, "re");
    bool found = false;
    while (file && !found && fgets(line, size, file))
        found = strncmp(line, begins, strlen(begins)) == 0;
    line[found ? strcspn(line, "\n") : 0] = '\0';
    if (file)
        fclose(file);
}

/* 0: unknown. */
static long long mhz_per_cpu(void)
{
    char line[256];
    read_line(line, sizeof line, CPU0 "cpufreq/cpuinfo_max_freq", "");
    if (line[0])
        return (atoll(line) + 500) / 1000;
    read_line(line, sizeof line, "/proc/cpuinfo", "cpu MHz");
    const char *value = strchr(line, ':');
    return value ? (long long)(strtod(value + 1, NULL) + 0.5) : 0;
}

static bool is_scaling_enabled(void)
{
    char governor[64];
    read_line(governor, sizeof governor, CPU0 "cpufreq/scaling_governor", "");
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

static void read_of_cache(char *line, int size, int index, const char *what)
{
    char path[128];
    snprintf(path, sizeof path, CPU0 "cache/index%d/%s", index, what);
    read_line(line, size, path, "");
}

/* NULL: there is no such cache. */
static json_t *cache_json(int index)
{
    char type[64], level[16], size[32], mask[4096], *unit;
    read_of_cache(type, sizeof type, index, "type");
    read_of_cache(level, sizeof level, index, "level");
    read_of_cache(size, sizeof size, index, "size");
    read_of_cache(mask, sizeof mask, index, "shared_cpu_map");
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

#include "cpu_describe.h"

#include "cpu_files.h"
#include "cpu_notes.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

/* "model name : AMD EPYC 9654" in /proc/cpuinfo, which only some architectures have; else the architecture. */
static void read_model(const char *root, char *name, size_t size)
{
    char line[256];
    FILE *file = cpu_file_open(root, "/proc/cpuinfo");
    name[0] = '\0';
    while (file != NULL && name[0] == '\0' && fgets(line, sizeof line, file) != NULL) {
        const char *value = strchr(line, ':');
        if (value == NULL || strncmp(line, "model name", strlen("model name")) != 0)
            continue;
        value += 1 + strspn(value + 1, " \t");
        snprintf(name, size, "%.*s", (int)strcspn(value, "\n"), value);
    }
    if (file != NULL)
        fclose(file);
    struct utsname system;
    if (name[0] == '\0' && uname(&system) == 0)
        snprintf(name, size, "%s", system.machine);
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

void cpu_describe(const char *root, const struct cpu_mask *mask, struct device_info *info)
{
    read_model(root, info->name, sizeof info->name);
    cpu_mask_text(mask, info->affinity, sizeof info->affinity);
    read_governor(root, mask, info->governor, sizeof info->governor);
    cpu_notes_machine(root, mask, info);
}

#include "cpu_notes.h"

#include "cpu_files.h"
#include "cpu_limits.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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
    char text[8192];
    cpu_file_text(root, "/proc/cpuinfo", text, sizeof text);
    char *flags = strstr(text, "\nflags");
    if (flags == NULL)
        return false;
    flags[1 + strcspn(flags + 1, "\n")] = '\0';
    const char *found = strstr(flags, " hypervisor");
    return found != NULL && (found[strlen(" hypervisor")] == ' ' || found[strlen(" hypervisor")] == '\0');
}

void cpu_notes_machine(const char *root, const struct cpu_mask *mask, struct device_info *info)
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

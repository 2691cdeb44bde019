#include "cpu_notes.h"

#include "bench/table/rung.h"
#include "cpu_blas.h"
#include "cpu_files.h"
#include "cpu_limits.h"

#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Whether it says another number of threads than this. */
static bool is_other(const char *value, int threads)
{
    return strtol(value, NULL, 10) != threads;
}

static bool is_true(const char *value, int threads)
{
    (void)threads;
    return value[0] != '\0' && strchr("tT1", value[0]);
}

static bool binds_nothing(const char *value, int threads)
{
    (void)value, (void)threads;
    return omp_get_num_places() == 0;
}

/* What users set for OpenMP, for a BLAS, or for the OpenMP of another compiler. */
static void note_idle_settings(int threads, struct device_info *info)
{
    static const struct {
        const char *name;
        bool (*is_idle)(const char *value, int threads);
    } settings[] = {
        {"OMP_NUM_THREADS", is_other}, {"OPENBLAS_NUM_THREADS", is_other},   {"GOTO_NUM_THREADS", is_other},
        {"MKL_NUM_THREADS", is_other}, {"BLIS_NUM_THREADS", is_other},       {"OMP_DYNAMIC", is_true},
        {"OMP_PLACES", binds_nothing}, {"GOMP_CPU_AFFINITY", binds_nothing}, {"KMP_AFFINITY", binds_nothing},
    };
    char idle[160] = "";
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        const char *value = getenv(settings[i].name);
        size_t length = strlen(idle);
        if (value && settings[i].is_idle(value, threads))
            snprintf(idle + length, sizeof idle - length, "%s%s", length > 0 ? " " : "", settings[i].name);
    }
    if (idle[0] != '\0')
        device_info_add_note(info, "", "%s: no effect here, CPU rungs use %d thread%s", idle, threads,
                             threads == 1 ? "" : "s");
}

void cpu_notes_threads(int wanted, const struct cpu_mask *mask, struct device_info *info)
{
    const int threads = mask->threads, of_blas = cpu_blas_threads();
    const char *plural = threads == 1 ? "" : "s";
    if (threads < wanted)
        device_info_add_note(
            info, "",
            "CPU rungs use %d thread%s, not %d: OpenMP starts no more (OMP_THREAD_LIMIT, OMP_MAX_ACTIVE_LEVELS)",
            threads, plural, wanted);
    if (threads > mask->count && mask->count > 0)
        device_info_add_note(info, "", "%d threads share the %d CPU%s that they may run on", threads, mask->count,
                             mask->count == 1 ? "" : "s");
    if (of_blas > 0 && of_blas != threads) {
        struct device_note *note =
            device_info_add_note(info, "openblas-threads", "OpenBLAS uses %d thread%s, other CPU rungs use %d", of_blas,
                                 of_blas == 1 ? "" : "s", threads);
        if (note)
            note->traits = RUNG_LIBRARY;
    }
    note_idle_settings(threads, info);
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

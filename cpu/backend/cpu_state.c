#include "cpu_state.h"

#include "cpu_clock.h"
#include "cpu_files.h"
#include "cpu_limits.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

double cpu_state_stolen_s(const char *root, const struct cpu_mask *mask)
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
        .energy_j = cpu_energy_read(root, energy),
        .cycles = NAN,
        .cycles_at_s = NAN,
        .lost_s = known_sum(cpu_state_stolen_s(root, mask), cpu_limits_throttled_s(root)),
        .preemptions = getrusage(RUSAGE_SELF, &usage) == 0 ? (double)usage.ru_nivcsw : NAN,
    };
    state->cpu_clock_mhz = cpu_clock_mhz(); /* last, so that it takes no time of what was read */
}

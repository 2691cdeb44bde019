/* What control groups (Linux, versions 1 and 2) leave of the machine to this process. */
#ifndef RUNGBENCH_CPU_LIMITS_H
#define RUNGBENCH_CPU_LIMITS_H

/* INFINITY: no limit. */
struct cpu_limits {
    double processors; /* CPUs' worth of time */
    double free_bytes;
};

/* /proc and /sys are looked for below `root`. */
struct cpu_limits cpu_limits_find(const char *root);

/* CPU time that quotas have kept from this process's group, and from those above it, so far; NAN: unknown. */
double cpu_limits_throttled_s(const char *root);

#endif

/* What control groups (Linux, versions 1 and 2) allow this process. */
#pragma once

/* INFINITY: no limit. */
struct cpu_limits {
    double processors; /* the time of so many CPUs */
    double free_bytes;
};

/* /proc and /sys lie below `root`. */
struct cpu_limits cpu_limits_find(const char *root);

/* CPU time that quotas have kept from the group of this process and from the groups above it, so far; NAN: unknown. */
double cpu_limits_throttled_s(const char *root);

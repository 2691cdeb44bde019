/* Small text files in /proc and /sys, and what they say of control groups (Linux, versions 1 and 2). They lie below a
 * root folder: "" in the program, a made-up tree in tests. */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* NULL: there is no such file, or it may not be read. */
FILE *cpu_file_open(const char *root, const char *path);

/* The text of a file, as far as it fits; empty without such a file. */
void cpu_file_text(const char *root, const char *path, char *text, size_t size);

/* The number that follows `key` in a file; `absent` without one, as where the file says "max". */
double cpu_file_number(const char *root, const char *path, const char *key, double absent);

/* What control groups allow this process. INFINITY: no limit. */
struct cpu_limits {
    double processors; /* the time of so many CPUs */
    double free_bytes;
};
struct cpu_limits cpu_limits_find(const char *root);

/* CPU time that quotas have kept from the group of this process and from the groups above it, so far; NAN: unknown. */
double cpu_limits_throttled_s(const char *root);

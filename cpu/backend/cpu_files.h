/* Small text files of /proc and /sys, below a root folder: "" in the program, a made-up tree in tests. */
#ifndef RUNGBENCH_CPU_FILES_H
#define RUNGBENCH_CPU_FILES_H

#include <stddef.h>
#include <stdio.h>

enum { CPU_PATH_MAX = 4608 }; /* the system's own limit, 4096, and a root */

/* NULL where there is no such file, or it may not be read. */
FILE *cpu_file_open(const char *root, const char *path);

/* A file's text, as far as it fits; empty where there is none. */
void cpu_file_text(const char *root, const char *path, char *text, size_t size);

/* The number that follows `key` in a file; `absent` where there is none, but "max", say. */
double cpu_file_number(const char *root, const char *path, const char *key, double absent);

#endif

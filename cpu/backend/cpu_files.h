/* Small text files in /proc and /sys, below a root folder: "" in the program, a made-up tree in tests. */
#pragma once

#include <stddef.h>
#include <stdio.h>

enum { CPU_PATH_MAX = 4608 }; /* the system's own limit, 4096, and a root */

/* NULL: there is no such file, or it may not be read. */
FILE *cpu_file_open(const char *root, const char *path);

/* The text of a file, as far as it fits; empty without such a file. */
void cpu_file_text(const char *root, const char *path, char *text, size_t size);

/* The number that follows `key` in a file; `absent` without one, as where the file says "max". */
double cpu_file_number(const char *root, const char *path, const char *key, double absent);

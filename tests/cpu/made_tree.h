/* A folder that stands for / in tests of what reads /proc and /sys: it holds the files that a test puts there. */
#pragma once

#define TREE "tree" /* below the current folder */

/* Makes it anew, as what is done before a test. */
int tree_make(void **state);

/* Writes a file, its folders included: tree_put("/proc/stat", "cpu ..."). */
void tree_put(const char *path, const char *text);
void tree_take(const char *path);

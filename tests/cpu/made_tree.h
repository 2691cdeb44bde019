/* A folder that stands for / in tests of what reads /proc and /sys: it holds the files that a test puts there. */
#pragma once

/* Makes an empty one below the current folder, and says where. */
const char *tree_make(void);
void tree_remove(void);

/* Writes a file, its folders included: tree_put("/proc/stat", "cpu ..."). */
void tree_put(const char *path, const char *text);
void tree_take(const char *path);

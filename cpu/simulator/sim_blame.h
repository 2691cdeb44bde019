/* The error text of a launch: which thread did something wrong, where, and what. */
#pragma once

#include "sim_launch.h"

#include <stdarg.h>
#include <stddef.h>

struct sim_culprit {
    const struct sim_launch *launch;
    struct uint3 block, thread;
};

/* Sets the error. The text is written as vprintf() does, in a few words; kernel, block, thread and place come before
 * it.
 */
void sim_blame(const struct sim_culprit *culprit, struct sim_place place, const char *format, va_list arguments);

/* NULL: no thread has done anything wrong since sim_forget_error(). Where there is an error, no thread runs on. */
const char *sim_error(void);
void sim_forget_error(void);

const char *sim_short_name(const char *file); /* the last folder and the name: "matmul/tiled.cu" */
/* "kernel K<4>, block (1,0,0)" */
int sim_print_block(char *text, size_t size, const struct sim_launch *launch, struct uint3 block);
